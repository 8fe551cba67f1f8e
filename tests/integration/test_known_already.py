"""What is to be remembered, and is known already, is not written a second time."""

from __future__ import annotations

from pathlib import Path

from memory.tools import MemoryTools
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram
from tests.support.knowledge import facts_of, learn_facts
from tests.support.memories import opened
from tests.support.telegram import claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]


async def test_remember_says_what_is_known_already(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("/remember The code of my locker is 4411.")
        before = it.profiles["owner"].memory.vault.load("MEMORY.md").text
        day = it.profiles["owner"].memory.vault.load("memories/2026-02-12.md").text
        again = await telegram.asks("/remember my locker code is 4411")
        assert again.text == ("I already know that: “The code of my locker is 4411.” (MEMORY.md)")
        assert it.profiles["owner"].memory.vault.load("MEMORY.md").text == before
        assert it.profiles["owner"].memory.vault.load("memories/2026-02-12.md").text == day
        assert "Saved in" in (await telegram.asks("/remember my locker code is 4412")).text
        await telegram.asks("/remember this is private: my dentist is Dr. Bell")
        private = await telegram.asks("/remember Dr. Bell is my dentist")
        assert "Bell" not in private.text and "already" in private.text
        why = await telegram.asks("/why dentist")
        assert "Dr. Bell is my dentist" in why.text, "the line has another source now"


async def test_a_fact_is_not_written_in_other_words(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "The code of my locker is 4411")
        [line] = facts_of(tmp_path)
        await learn_facts(memory, "my locker code is 4411")
        assert facts_of(tmp_path) == [line]
        tools = MemoryTools(memory)
        said = await tools.save_memory("4411 is my locker code", kind="contextual")
        assert said.endswith("says so already: “The code of my locker is 4411”.")
        assert facts_of(tmp_path) == [line]
