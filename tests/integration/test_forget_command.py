"""What people write behind /forget."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.chat.actions import ACTIONS
from bot.chat.commands import COMMANDS
from bot.chat.protocol import Call, Press, Shown, as_shown
from memory.text import object_to_forget
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram
from tests.support.buttons import buttons
from tests.support.reminding import reminding
from tests.support.telegram import claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("everything about Anna", "Anna"),
        ("everything you know about Anna", "Anna"),
        ("alles über Anna", "Anna"),
        ("tout sur Anna", "Anna"),
        ("всё об Анне", "Анне"),
        ("关于安娜的一切", "安娜"),
        ("Anna's birthday", "Anna's birthday"),
        ("everything", ""),
        ("alles", ""),
        ("it", ""),
        ("", ""),
    ],
)
def test_what_the_words_behind_forget_name(words: str, named: str) -> None:
    assert object_to_forget(words) == named


async def test_everything_about_somebody_is_found(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        said = await telegram.receives("Anna has moved to Cork")
        await telegram.wait_sent(1)
        for words in ("everything about Anna", "alles über Anna", "Anna"):
            preview = await telegram.asks(f"/forget {words}")
            assert "Anna has moved to Cork" in preview.text
        asked = await telegram.asks("/forget everything")
        assert "What should I forget?" in asked.text
        replied = await telegram.asks("/forget this", reply_to=said)
        assert list(buttons(replied)) == ["Forget it", "Keep"]
        await it.at_rest()


@pytest.mark.parametrize("typed", ["yes", "Yes!", "1", "alles"])
async def test_yes_may_be_typed_in_place_of_a_press(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, typed: str
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.receives("Anna has moved to Cork")
        await telegram.wait_sent(1)
        await telegram.asks("/forget Anna")
        assert (await telegram.asks(typed)).text == "Forgotten."
        [shown] = await telegram.wait_for(lambda fake: fake.edited)
        assert "Cork" not in shown.text and not buttons(shown)
        await it.at_rest()
        assert "I have nothing about that." in (await telegram.asks("/forget Anna")).text


async def test_what_is_typed_below_a_list_names_items_or_keeps_all(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        for number, said in enumerate(("Anna has moved to Cork", "Anna likes plums"), 1):
            await telegram.receives(said)
            await telegram.wait_sent(number)
        await telegram.asks("/forget Anna")
        asked = await telegram.asks("yes")
        assert asked.text.startswith("Which ones?") and "Forget all 2" in buttons(asked)
        assert (await telegram.asks("no")).text == "Kept: nothing was forgotten."
        assert (await telegram.asks("yes")).text == "All right."  # it answers nothing any more
        await telegram.asks("/forget Anna")
        assert (await telegram.asks("2")).text == "Forgotten."
        await it.at_rest()
        left = await telegram.asks("/forget Anna")
        assert ("plums" in left.text) != ("Cork" in left.text)


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("Forget 2", 1),
        ("vergiss alles", 0),
        ("forget it", 2),  # "never mind"
        ("forget all but 2", 2),
    ],
)
async def test_the_answer_to_a_list_may_say_forget_again(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, typed: str, left: int
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        for number, said in enumerate(("Anna has moved to Cork", "Anna likes plums"), 1):
            await telegram.receives(said)
            await telegram.wait_sent(number)
        await telegram.asks("/forget Anna")
        assert ((await telegram.asks(typed)).text == "Forgotten.") is (left < 2)
        await it.at_rest()
        kept = (await telegram.asks("/forget Anna")).text
        assert sum(words in kept for words in ("Cork", "plums")) == left


async def test_an_undo_says_first_that_forgetting_is_final(tmp_path: Path) -> None:
    final = "What was forgotten cannot be brought back."
    async with reminding(tmp_path, "# Tasks\n") as sam:

        async def asks(name: str, words: str = "") -> Shown:
            sam.clock.forward(minutes=1)
            call = Call(sam.profile, "telegram:7", words, sam.clock.now)
            return as_shown(await COMMANDS[name](call))

        async def forgets(words: str) -> None:
            button = (await asks("forget", words)).keyboard[0][0]
            press = Press(sam.profile, "telegram:7", button.argument, sam.clock.now)
            await ACTIONS[button.action].run(press)

        await asks("todo", "call Anna")
        await forgets("Anna")
        assert (await asks("undo")).text.startswith(f"{final}\n\nThere is nothing to undo")
        await asks("todo", "milk")
        assert final not in (await asks("undo")).text
        await asks("todo", "call Ben")
        await forgets("Ben")
        shown = await asks("undo")
        assert shown.text.startswith(f"{final} My last change before that:\n\n")
        assert "remove “milk” (tasks.md)" in shown.text
        assert [button.label for button in shown.keyboard[0]] == ["Undo it", "Leave it"]
