"""Summaries of a batch that continues what an earlier one has: "make that forty-four"."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.assistant.summaries.summary import Summary
from bot.prompt.prompt_files import prompt
from bot.settings import Settings
from memory.core import Memory
from memory.log import Said
from memory.maintenance import edited_messages, erase
from memory.summaries.draft import EARLIER
from tests.fakes.claude import FakeClaude
from tests.fakes.violations import assert_no_violations
from tests.support.memories import Clock, log_exchange, opened
from tests.support.models import Connected

DAY = "memories/2026-02-12.md"
SAID = "The pasture goes to Verna, 40 pairs from June."
CORRECTED = "No, make that 44. I counted goats again."


@pytest.fixture
async def fake() -> AsyncIterator[FakeClaude]:
    async with FakeClaude.running() as running:
        yield running
        assert_no_violations(running)


@pytest.fixture
async def haiku(fake: FakeClaude) -> AsyncIterator[Summary]:
    made, settings = Connected(fake), Settings(_env_file=None)  # type: ignore[call-arg]
    yield Summary(
        made.claude,
        Clock(),
        model=settings.summary_model,
        max_tokens=settings.summary_max_tokens,
    )
    await made.claude.close()


async def summarised(memory: Memory, fake: FakeClaude, haiku: Summary, **draft: Any) -> str:
    """Summarise what waits with that draft, and return what the model was last shown."""
    fake.summaries(lambda asked: {"summary": "", "bullets": [], **draft})
    await memory.summarise(haiku, reason="asked")
    return fake.requests[-1].newest_text


def bullet(text: str, quote: str, *messages: int) -> dict[str, Any]:
    return {"text": text, "quote": quote, "messages": list(messages), "action": False}


def fact(text: str, quote: str, *messages: int) -> dict[str, Any]:
    return {
        "text": text,
        "quote": quote,
        "messages": list(messages),
        "category": "relationship",
        "confidence": 0.9,
        "expires": "",
    }


async def test_a_correction_in_a_later_batch_names_what_it_corrects(
    tmp_path: Path, fake: FakeClaude, haiku: Summary
) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        old = await log_exchange(memory, SAID, "Noted.")
        first = await summarised(
            memory, fake, haiku, bullets=[bullet("Verna takes 40 pairs", "40 pairs", 1)]
        )
        assert "Before:" not in first
        clock.forward(hours=20)  # the next day, in another batch
        await log_exchange(memory, CORRECTED, "Forty-four it is.")
        second = await summarised(
            memory,
            fake,
            haiku,
            summary="The pasture of Verna",
            bullets=[
                bullet("Verna puts 44 pairs on the pasture, not 40", "make that 44", 1, 3),
                bullet("Goats counted by Verna", "counted goats", 3),  # after Sam's "Noted."
                bullet("Verna takes 40 pairs", "40 pairs", 1),
                bullet("Verna takes 40 pairs from June", "40 pairs", 1, 3),
            ],
            facts=[
                fact("counted goats again", "counted goats", 1, 3),
                fact("Verna counted goats", "counted goats", 1, 3),
                fact("The pasture goes to Verna", "goes to Verna", 1),
            ],
        )
        assert fake.requests[-1].system_text == prompt("auto", before=True)
        assert second.splitlines()[1:] == [
            "",
            "Before:",
            f"[1] 2026-02-12 12:00 owner: {SAID}",
            "[2] 2026-02-12 12:00 Sam: Noted.",
            "",
            "Now:",
            f"[3] 08:00 owner: {CORRECTED}",
            "[4] 08:00 Sam: Forty-four it is.",
        ]
        text = await memory.vault.read("memories/2026-02-13.md")
        assert [line for line in text.splitlines() if line.startswith("- V")] == [
            "- Verna puts 44 pairs on the pasture, not 40"
        ]
        assert "Goats" not in text and "of Verna" not in text
        await memory.knowledge.consolidate()
        [known] = await memory.knowledge.facts()
        assert known.fact.text == "Counted goats again"
        assert not await memory.log.facts.from_messages([old.message.id])


async def test_only_open_messages_of_the_chat_and_of_two_days_come_before(
    tmp_path: Path, fake: FakeClaude, haiku: Summary
) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await log_exchange(memory, "Long ago", "Yes")
        await summarised(memory, fake, haiku)
        clock.forward(hours=49)
        await log_exchange(memory, "Elsewhere", "Yes", chat="telegram:7")
        await log_exchange(memory, "A secret", "Yes", privacy="sensitive")
        await log_exchange(memory, "Lately", "Yes")
        await summarised(memory, fake, haiku)
        await memory.log.messages.command(Said("command", "terminal", "/new", clock.now))
        await log_exchange(memory, "Now this", "Yes")
        shown = await summarised(memory, fake, haiku)
    assert [line.partition("] ")[2] for line in shown.splitlines() if line.startswith("[")] == [
        "13:00 owner: Lately",
        "13:00 Sam: Yes",
        "13:00 owner: Now this",
        "13:00 Sam: Yes",
    ]


async def test_the_last_messages_before_are_shown_and_long_ones_are_cut(
    tmp_path: Path, fake: FakeClaude, haiku: Summary
) -> None:
    async with opened(tmp_path) as memory:
        for number in range(EARLIER):
            await log_exchange(memory, f"Said {number}" + " x" * 400, f"Heard {number}")
        await summarised(memory, fake, haiku)
        await log_exchange(memory, "Now this", "Yes")
        earlier, _, now = (await summarised(memory, fake, haiku)).partition("\nNow:\n")
    rows = [line for line in earlier.splitlines() if line.startswith("[")]
    assert [row.split()[3] for row in rows] == ["Said", "Heard"] * (EARLIER // 2)
    assert rows[0].startswith(f"[1] 12:00 owner: Said {EARLIER // 2}") and len(rows[0]) < 600
    assert now.startswith(f"[{EARLIER + 1}] 12:00 owner: Now this")


async def test_the_second_half_of_a_batch_is_shown_the_end_of_the_first(
    tmp_path: Path, fake: FakeClaude, haiku: Summary
) -> None:
    answers = [
        [bullet("Verna takes 40 pairs", "40 pairs", 1)],
        [
            bullet("Verna puts 44 pairs, not 40", "that 44", 1, 3),
            bullet("Verna takes 40 pairs from June", "40 pairs", 1),  # of the first half
        ],
    ]
    fake.stops("max_tokens", '{"summary": "half', times=2)
    fake.summaries(
        lambda asked: {"summary": "", "bullets": answers["Before:" in asked.newest_text]}
    )
    async with opened(tmp_path) as memory:
        await log_exchange(memory, SAID, "Noted.")
        await log_exchange(memory, CORRECTED, "Forty-four it is.")
        await memory.summarise(haiku, reason="asked")
        text = await memory.vault.read(DAY)
    assert f"Before:\n[1] 12:00 owner: {SAID}\n" in fake.requests[-1].newest_text
    assert [line for line in text.splitlines() if line.startswith("- V")] == [
        "- Verna takes 40 pairs",
        "- Verna puts 44 pairs, not 40",
    ]


@pytest.mark.parametrize("edited", [False, True])
async def test_a_line_goes_with_the_earlier_message_that_it_cites(
    tmp_path: Path, fake: FakeClaude, haiku: Summary, edited: bool
) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        old = await log_exchange(memory, SAID, "Noted.")
        await summarised(memory, fake, haiku, bullets=[bullet("Verna takes it", "Verna", 1)])
        clock.forward(hours=20)
        await log_exchange(memory, CORRECTED, "Forty-four it is.")
        await log_exchange(memory, "My bike needs a bell.", "Yes.")
        correction = bullet("Verna puts 44 pairs, not 40", "make that 44", 1, 3)
        bell = bullet("The bike needs a bell", "needs a bell", 5)
        await summarised(memory, fake, haiku, summary="It is 44", bullets=[correction, bell])
        if edited:
            await memory.log.messages.edit("test:0", "The pasture goes to Vera.", clock.now)
            assert await edited_messages.revert_outdated(memory) == 1
        else:
            selection = erase.Selection(messages=frozenset({old.message.id}))
            async with erase.exclusive_access(memory):
                found = await erase.forgettable(memory, selection)
                await erase.erase(memory, selection, found, "forget 1")
        text = await memory.vault.read("memories/2026-02-13.md")
    lines = [line.partition(" ^")[0] for line in text.splitlines() if line.startswith("- ")]
    forgotten = [f"- **Summary**: {erase.PARTLY}", "- The bike needs a bell"]
    kept = ["- **Summary**: It is 44", "- Verna puts 44 pairs, not 40", "- The bike needs a bell"]
    assert lines == (kept if edited else forgotten)
