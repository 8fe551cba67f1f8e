"""MEMORY.md takes every entry; once it exceeds the prompt, the owner is told and can move some."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

from bot.assistant import asking, status
from bot.prompt.token_budget import LONGEST, shorten
from memory.maintenance import long_memory
from memory.maintenance.long_memory import entries_over
from memory.tools import MemoryTools
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram
from tests.support.buttons import buttons, press, press_again
from tests.support.memories import opened, write
from tests.support.telegram import claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

ENTRY = "the {} th thing to remember " + "is that it is as it is " * 4
TODAY = date(2026, 2, 12)


def memory_of(count: int, text: str = ENTRY) -> str:
    rows = (f"- 2025-01-01: {text.format(number)}^e{number:04}\n" for number in range(count))
    return f"# Memory\n\n{''.join(rows)}"


def over(text: str, longest: int = 1000) -> list[str]:
    return entries_over(text, "MEMORY.md", "", TODAY, longest)


def test_no_entry_moves_while_the_memory_fits_into_a_prompt() -> None:
    assert over("") == over(memory_of(5)) == []


def test_the_entries_between_beginning_and_end_go_until_it_fits() -> None:
    text = memory_of(12)
    going = over(text)
    assert [re.findall(r"\^e0*(\d+)", each)[0] for each in going] == ["6", "7", "8", "9", "10"]
    left = "".join(row for row in text.splitlines(True) if row.rstrip() not in going)
    assert over(left) == []


def test_lines_that_belong_to_an_entry_go_with_it() -> None:
    going = over(memory_of(8, "thing {}\n  of two lines " + "x" * 90 + " "))
    assert going and all(each.count("\n") == 1 for each in going)


def test_what_no_model_sees_does_not_count_and_stays() -> None:
    hidden = memory_of(12, "thing {} " + "x" * 90 + " #sam/sensitive ")
    ended = memory_of(12, "thing {} " + "x" * 90 + " (expires:: 2026-02-01) ")
    assert over(hidden) == over(ended) == []
    assert over(f"---\nprivacy: sensitive\n---\n{memory_of(20)}") == []


def test_prose_of_the_owner_stays_where_it_is() -> None:
    assert over("# Memory\n\n" + "My own words about it.\n" * 100) == []


async def test_they_move_to_a_note_and_may_be_moved_again(tmp_path: Path) -> None:
    write(tmp_path, "MEMORY.md", memory_of(12))
    async with opened(tmp_path) as memory:
        assert await long_memory.move(memory, 1000) == ("notes/From MEMORY.md", 5)
        assert await long_memory.move(memory, 1000) == ("notes/From MEMORY.md", 0)
    kept = (tmp_path / "vault/MEMORY.md").read_text("utf-8")
    moved = (tmp_path / "vault/notes/From MEMORY.md").read_text("utf-8")
    assert moved.startswith("---\nauthor: Sam\n---\n\n# From MEMORY.md\n\n- ")
    assert sorted(re.findall(r"\^e\d+", kept + moved)) == [f"^e{n:04}" for n in range(12)]


async def test_a_crash_between_the_two_notes_doubles_nothing(tmp_path: Path) -> None:
    write(tmp_path, "MEMORY.md", memory_of(12))
    going = over(memory_of(12))
    write(
        tmp_path,
        "notes/From MEMORY.md",
        f"---\nauthor: Sam\n---\n\n# From MEMORY.md\n\n{going[0]}\n",
    )
    async with opened(tmp_path) as memory:
        await long_memory.move(memory, 1000)
    moved = (tmp_path / "vault/notes/From MEMORY.md").read_text("utf-8")
    assert len(set(re.findall(r"\^e\d+", moved))) == len(re.findall(r"\^e\d+", moved)) == 5


async def test_the_owner_is_told_once_and_moves_them_with_a_tap(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        owner = it.profiles["owner"]
        memory = owner.memory

        async def speak(text: str, **beside: Any) -> None:
            await it.bot.speak("owner", text, **beside)

        await telegram.asks("/help")
        assert not await asking.is_too_long(memory, owner.settings)
        path = tmp_path / "vault/MEMORY.md"
        path.write_text(memory_of(160), "utf-8")
        said = await MemoryTools(memory).save_memory("the newest thing of all", "owner")
        assert said.startswith("Saved in MEMORY.md"), "no length refuses an entry"
        before, count = path.read_text("utf-8"), len(telegram.sent)
        assert re.search(
            r"MEMORY\.md is too long: I no longer see \d+ entries",
            "\n".join(await status.status_lines(owner)),
        )
        telegram.passes(hours=12)
        assert not await asking.is_too_long(memory, owner.settings), "at night"
        telegram.passes(hours=12)
        assert await asking.is_too_long(memory, owner.settings)
        await asking.ask_about_long_memory(memory, speak)
        *_, told = await telegram.wait_sent(count + 1)
        assert "MEMORY.md** is longer than the 20,000 characters" in told.text
        assert not await asking.is_too_long(memory, owner.settings), "once"
        [label] = buttons(told)
        assert re.fullmatch(r"Move \d+ entries", label)
        assert await press(telegram, told, label) == "Moved."
        after = path.read_text("utf-8")
        assert "the 0 th thing" in after and "the newest thing" in after
        seen = re.sub(r" *\^\w+", "", after)
        assert shorten(seen) == seen and len(seen) < LONGEST
        assert "fits" in await press_again(telegram, told, label)
        assert not await asking.is_too_long(memory, owner.settings)
        path.write_text(memory_of(170), "utf-8")
        assert await asking.is_too_long(memory, owner.settings), "it had fitted meanwhile"
        path.write_text(after, "utf-8")
        last = await memory.history.last()
        assert last is not None
        await memory.history.undo(last.key)
        assert path.read_text("utf-8") == before
        assert not (tmp_path / "vault/notes/From MEMORY.md").exists()
