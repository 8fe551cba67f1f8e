"""What is typed below the list of what to forget, and "delete my last message"."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.chat.commands import COMMANDS
from bot.chat.forgetting.choice import Chosen
from bot.chat.forgetting.forget import TERMINAL, TERMINAL_ONE, narrowed, parse_typed_answer
from bot.chat.plain_commands import command_in_words
from bot.chat.protocol import Button, Call, Shown, as_shown
from memory import Said
from tests.support.reminding import Reminding, reminding


async def listed(sam: Reminding, count: int, chat: str = "terminal") -> Shown:
    """Return the list of what to forget, of that many messages."""
    for n in range(count):
        await says(sam, f"Anna has {n} cellos")
    call = Call(sam.profile, chat, "Anna", sam.clock.now)
    return as_shown(await COMMANDS["forget"](call))


async def says(sam: Reminding, text: str) -> None:
    sam.clock.forward(minutes=1)
    said = Said(key=text, chat="terminal", text=text, sent_at=sam.clock.now)
    await sam.profile.turns.begin(said)


def places(shown: Shown, answer: str) -> list[int] | str:
    """Return the places of the items that an answer chooses, or what is asked again; "" if it is no
    answer."""
    found = parse_typed_answer(shown.keyboard, answer)
    if not isinstance(found, Button):
        return found.text if found else ""
    every, *single = [b for row in shown.keyboard for b in row if b.action == "forget"]
    of_each = [Chosen.of(button.argument).choice.messages for button in single or [every]]
    chosen = Chosen.of(found.argument).choice.messages
    return [n for n, messages in enumerate(of_each, 1) if messages.keys() <= chosen.keys()]


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [
        ("the second one", [2]),
        ("forget the last one, please", [3]),
        ("the first and the third", [1, 3]),
        ("number 2", [2]),
        ("das zweite", [2]),
        ("vergiss die letzte", [3]),
        ("le premier", [1]),
        ("la segunda", [2]),
        ("il terzo", [3]),
        ("第二个", [2]),
        ("both", TERMINAL),
        ("the fourth", ""),
        ("9", TERMINAL),
        ("all but 2", ""),
        ("the second one is wrong", ""),
        ("not the first", ""),
    ],
)
async def test_an_answer_names_its_items_by_their_place(
    tmp_path: Path, answer: str, chosen: list[int] | str
) -> None:
    async with reminding(tmp_path, "") as sam:
        assert places(await listed(sam, 3), answer) == chosen


async def test_both_names_two_and_the_only_one_is_the_first(tmp_path: Path) -> None:
    async with reminding(tmp_path, "") as sam:
        one = await listed(sam, 1)
        assert [places(one, said) for said in ("the first", "number 1")] == [[1], [1]]
        assert places(one, "2") == TERMINAL_ONE
        two = await listed(sam, 2)
        assert [places(two, said) for said in ("both", "die beiden", "les deux")] == [[1, 2]] * 3


async def test_the_last_of_the_buttons_is_not_the_last_of_a_longer_list(tmp_path: Path) -> None:
    """On Telegram only the first items have a button."""
    async with reminding(tmp_path, "") as sam:
        shown = await listed(sam, 12, "telegram:7")
        assert places(shown, "the last one") == TERMINAL
        assert places(shown, "2") == [2]


@pytest.mark.parametrize(
    "text",
    [
        "Delete my last message",
        "forget the last thing I said",
        "Vergiss meine letzte Nachricht",
        "oublie mon dernier message",
        "Olvida mi último mensaje",
        "dimentica il mio ultimo messaggio",
        "apaga a minha última mensagem",
        "verwijder mijn laatste bericht",
        "usuń moją ostatnią wiadomość",
        "удали моё последнее сообщение",
        "忘掉上一条消息",
        "最後のメッセージを忘れて",
    ],
)
async def test_the_last_message_is_listed_to_forget(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, "") as sam:
        await says(sam, "Anna has a cello")
        await says(sam, "Ben has an oboe")
        command = await command_in_words(sam.profile, "terminal", text, sam.clock.now)
        assert command is not None and command[0] == "forget"
        call = Call(sam.profile, "terminal", command[1], sam.clock.now)
        shown = as_shown(await COMMANDS["forget"](call))
        assert "Ben has an oboe" in shown.text and "cello" not in shown.text


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        ("the one about jazz", "Clara loves jazz"),
        ("forget the Rome one", "Clara lives in Rome"),
        ("ese del jazz", "Clara loves jazz"),
        ("celui sur le jazz", "Clara loves jazz"),
        ("the one about opera", ""),
        ("the one about Clara", ""),  # which one?
        ("jazz", ""),
        ("jazz is on tonight, the one in the park that we all like so much", ""),
    ],
)
async def test_words_of_one_item_list_that_one_to_be_confirmed(
    tmp_path: Path, answer: str, named: str
) -> None:
    async with reminding(tmp_path, "") as sam:
        for text in ("Clara loves jazz", "Clara hates rock", "Clara lives in Rome"):
            await says(sam, text)
        call = Call(sam.profile, "terminal", "Clara", sam.clock.now)
        shown = as_shown(await COMMANDS["forget"](call))
        assert parse_typed_answer(shown.keyboard, answer) is None
        found = await narrowed(sam.profile, "terminal", shown.keyboard, answer)
        assert (found is None) == (not named)
        if found is not None:
            one = as_shown(found)
            assert named in one.text and one.text.endswith(TERMINAL_ONE)
            assert [b.action for row in one.keyboard for b in row] == ["forget", "forget.keep"]
