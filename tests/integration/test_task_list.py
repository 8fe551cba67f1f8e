"""The list of the tasks of a day, with what the owner only said about it."""

from __future__ import annotations

from pathlib import Path

from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram
from tests.support.telegram import claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]


async def test_a_message_of_which_the_model_made_a_task_is_not_quoted_below_it(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    task = {"action": "add", "text": "see the dentist", "due": "2026-02-13 09:00"}
    claude.calls("manage_tasks", task, when="dentist", then="I will.")
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("Please remind me of the dentist tomorrow at 9")
        await telegram.asks("Tom has a match tomorrow at 5pm")
        await it.profiles["owner"].memory.index_deferred()
        shown = (await telegram.asks("/tasks tomorrow")).text
        assert "1. see the dentist · tomorrow 09:00" in shown
        assert "You said today: Tom has a match tomorrow" in shown
        assert "remind me" not in shown
