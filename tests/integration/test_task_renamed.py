"""A task gets another title, and keeps the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.tools import Tasks
from tests.support.reminding import Reminding, reminding
from tests.support.task_talk import said

TEA = "- [ ] buy tea (@2026-02-13 09:00) #shopping 🆔 tea001 📅 2026-02-13\n"
"""The clock of `reminding` shows Thursday, 12 February, at noon."""


async def open_titles(sam: Reminding) -> list[str]:
    every = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
    return [task.title for task in every]


@pytest.mark.parametrize(
    "text",
    [
        "rename it to call mum and dad",
        "can you rename it to call mum and dad?",
        "rename it to call mum and dad, please",
        "rename call mum to call mum and dad",
        "change the title of call mum to call mum and dad",
        "benenne es in call mum and dad um",
        "renomme-le en call mum and dad",
        "renómbralo a call mum and dad",
        "rinominalo in call mum and dad",
        "hernoem het naar call mum and dad",
        "переименуй call mum в call mum and dad",
    ],
)
async def test_a_task_gets_another_title(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, TEA) as sam:
        await said(sam, "remind me tomorrow at 10 to call mum")
        assert await said(sam, text) == "✏️ call mum → call mum and dad"
        assert await open_titles(sam) == ["buy tea", "call mum and dad"]
        assert await said(sam, "an hour later") == "📅 call mum and dad → tomorrow 11:00"


async def test_it_keeps_its_time_its_list_and_its_fields(tmp_path: Path) -> None:
    async with reminding(tmp_path, TEA) as sam:
        assert await said(sam, "rename buy tea to buy green tea 📅 soon") == (
            "✏️ buy tea → buy green tea (📅) soon"
        )
        (task,) = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
        assert (task.id, str(task.at), task.is_shopping) == ("tea001", "2026-02-13 09:00:00", True)
        assert str(task.day) == "2026-02-13"


async def test_the_words_for_the_task_may_have_a_to(tmp_path: Path) -> None:
    async with reminding(tmp_path, "- [ ] call to Ana 🆔 ana001\n") as sam:
        assert await said(sam, "rename call to Ana to mail to Ana") == "✏️ call to Ana → mail to Ana"


@pytest.mark.parametrize(
    "text",
    ["rename the file to notes.txt", "rename it", "we rename tea to chai", "rename it to"],
)
async def test_anything_else_is_not_renamed(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, TEA) as sam:
        assert await said(sam, text) is None
        assert await open_titles(sam) == ["buy tea"]


async def test_a_long_text_renames_nothing(tmp_path: Path) -> None:
    """Each "to" may begin the title, so a long text with many would take minutes to read."""
    async with reminding(tmp_path, TEA) as sam:
        assert await said(sam, "rename buy tea to the " + "note to " * 40) is None
