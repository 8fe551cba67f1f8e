"""Lines of MEMORY.md with an expiry date or marked private."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memory.tools import MemoryTools
from tests.support.memories import Clock, opened, write


def lines_of(tmp_path: Path) -> list[str]:
    text = (tmp_path / "vault/MEMORY.md").read_text("utf-8")
    return [re.sub(r" \^\w+$", "", row) for row in text.splitlines() if row.startswith("- ")]


async def test_a_life_and_privacy_stand_in_the_line(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        tools = MemoryTools(memory)
        await tools.save_memory("the spare key is at Bo's", "owner", life="for 2 weeks")
        alarm = "the code of the alarm is my mother's day"
        await tools.save_memory(alarm, "owner", privacy="sensitive")
        assert "alarm" not in await tools.search_memory("alarm code")
        assert "alarm" not in await tools.get_memory("MEMORY.md")
    assert lines_of(tmp_path) == [
        "- 2026-02-12: the spare key is at Bo's (expires:: 2026-02-26)",
        "- 2026-02-12: the code of the alarm is my mother's day #sam/sensitive",
    ]


@pytest.mark.parametrize(
    ("first", "second", "ends"),
    [
        ("for 2 weeks", "for 1 month", " (expires:: 2026-03-14)"),
        ("for 1 month", "for 2 weeks", " (expires:: 2026-03-14)"),
        ("for 2 weeks", "", ""),
        ("", "for 2 weeks", ""),
    ],
)
async def test_said_again_it_holds_as_long_as_the_longer(
    tmp_path: Path, first: str, second: str, ends: str
) -> None:
    async with opened(tmp_path) as memory:
        for life in (first, second):
            await MemoryTools(memory).save_memory("the ladder is lent", "owner", life=life)
    assert lines_of(tmp_path) == [f"- 2026-02-12: the ladder is lent{ends}"]


async def test_said_again_in_private_it_is_private_for_good(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        tools = MemoryTools(memory)
        for privacy in ("normal", "sensitive", "normal"):
            await tools.save_memory("takes lithium", "owner", privacy=privacy)
    assert lines_of(tmp_path) == ["- 2026-02-12: takes lithium #sam/sensitive"]


async def test_the_mark_is_on_the_line_that_says_it_and_not_on_one_that_begins_alike(
    tmp_path: Path,
) -> None:
    write(tmp_path, "MEMORY.md", "# Memory\n\n- The safe of my mother\n- The safe\n")
    async with opened(tmp_path) as memory:
        await MemoryTools(memory).save_memory("the safe", "owner", privacy="sensitive")
    assert lines_of(tmp_path) == ["- The safe of my mother", "- The safe #sam/sensitive"]


async def test_a_pinned_line_is_not_doubled_and_one_in_a_comment_does_not_count(
    tmp_path: Path,
) -> None:
    page = "# Memory\n\n- 2026-01-01: I like tea #sam/pinned ^tea1\n%%\n- I like beer\n%%\n"
    write(tmp_path, "MEMORY.md", page)
    async with opened(tmp_path) as memory:
        for text in ("I like tea", "I like beer"):
            await MemoryTools(memory).save_memory(text, "owner")
    assert lines_of(tmp_path) == [
        "- 2026-01-01: I like tea #sam/pinned",
        "- I like beer",
        "- 2026-02-12: I like beer",
    ]


async def test_what_has_expired_is_written_again(tmp_path: Path) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        await MemoryTools(memory).save_memory("the ladder is lent", "owner", life="for 1 week")
        clock.forward(days=30)
        await MemoryTools(memory).save_memory("the ladder is lent", "owner")
    assert lines_of(tmp_path) == [
        "- 2026-02-12: the ladder is lent (expires:: 2026-02-19)",
        "- 2026-03-14: the ladder is lent",
    ]


async def test_the_days_line_follows_the_words_and_not_the_marks(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await MemoryTools(memory).save_memory("the ladder is lent", "owner", life="for 1 week")
        day = (tmp_path / "vault/memories/2026-02-12.md").read_text("utf-8")
        await memory.knowledge.maintain()
        assert (tmp_path / "vault/memories/2026-02-12.md").read_text("utf-8") == day
    assert "[[MEMORY#^" in day and "ladder" not in day
