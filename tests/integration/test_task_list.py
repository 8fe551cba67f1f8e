"""The list of the tasks of a day, with what the owner only said about it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.chat.plain_commands import command_in_words
from bot.chat.protocol import Call, as_shown
from bot.chat.tasks.commands import remind, tasks
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram
from tests.support.reminding import reminding
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


async def test_only_the_tasks_that_may_be_meant_are_asked_about(tmp_path: Path) -> None:
    due = "- [ ] blue pills 🆔 blu001\n- [ ] call Tom 🆔 tom001\n- [ ] red pills 🆔 red001\n"
    async with reminding(tmp_path, due) as sam:
        words = "cancel the pills reminder"
        for chat, buttons in (("telegram:7", ["✓ 1", "✓ 2"]), ("terminal", [])):
            shown = await tasks(Call(sam.profile, chat, words, sam.clock.now))
            assert shown.text.splitlines()[2:] == ["1. blue pills", "2. red pills"]
            assert [row[0].label for row in shown.keyboard] == buttons


@pytest.mark.parametrize(
    ("asked", "answer", "wanted"),
    [
        ("remind me tomorrow at 9", "call Ana", "⏰ tomorrow 09:00: call Ana"),
        ("remind me of this tomorrow at 9", "to call Ana", "⏰ tomorrow 09:00: call Ana"),
        ("remind me in 20 minutes", "the tea", "⏰ today 12:20: the tea"),
        ("remind me every day at 9", "pills", "⏰ tomorrow 09:00: pills · every day"),
    ],
)
async def test_the_answer_to_what_to_remind_of_sets_the_reminder(
    tmp_path: Path, asked: str, answer: str, wanted: str
) -> None:
    async with reminding(tmp_path, "# Tasks\n") as sam:

        async def found_in(chat: str, text: str) -> tuple[str, str] | None:
            return await command_in_words(sam.profile, chat, text, sam.clock.now)

        async def shown(text: str) -> str | None:
            found = await found_in("terminal", text)
            if found is None:
                return None
            assert found[0] == "remind"
            call = Call(sam.profile, "terminal", found[1], sam.clock.now, sentence=text)
            return as_shown(await remind(call)).text

        async def ask() -> None:
            assert (await shown(asked) or "").startswith("What should I remind you of?")

        await ask()
        for other in ("no", "thanks", "who is Ana?", "what is due today?", "forget the tea"):
            await found_in("terminal", other)
            assert await found_in("terminal", answer) is None
            await ask()
        late = sam.clock.now + timedelta(minutes=11)
        assert await command_in_words(sam.profile, "terminal", answer, late) is None
        await ask()
        assert await found_in("telegram:1", answer) is None  # it was asked in another chat
        sam.clock.forward(minutes=1)
        assert await shown(answer) == wanted
        assert await shown("my sister lives in Porto") is None
