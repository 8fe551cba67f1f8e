"""Parse updates of every kind into values."""

from __future__ import annotations

import json
from typing import Any

import pytest
from telegram import Update

from bot.inbox import Where
from bot.telegram import parse
from bot.telegram.api.connection import RAW, UNREADABLE

ANA = {"id": 1001, "is_bot": False, "first_name": "Ana"}
PRIVATE = {"id": 1001, "type": "private"}
GROUP = {"id": -5, "type": "supergroup", "title": "Home"}


def update(**fields: Any) -> Update:
    found = Update.de_json({"update_id": 7, **fields}, None)
    assert found is not None
    return found


def message(chat: dict[str, Any] = PRIVATE, **fields: Any) -> dict[str, Any]:
    return {"message_id": 5, "date": 1770897600, "chat": chat, "from": ANA, **fields}


def unreadable(**raw: Any) -> Update:
    return Update(7, api_kwargs={RAW: {"update_id": 7, **raw}, UNREADABLE: "a field is missing"})


def membership(chat: dict[str, Any], status: str) -> Update:
    members = [{"user": ANA, "status": each} for each in ("left", status)]
    return update(
        my_chat_member={
            "chat": chat,
            "from": ANA,
            "date": 1770897600,
            "old_chat_member": members[0],
            "new_chat_member": members[1],
        }
    )


# ── neither a message nor an edit ────────────────────────────────────────────────────────────

POLL = {"id": "1", "question": "Tea?", "options": [], "total_voter_count": 0, "type": "regular"}
POLL |= {"is_closed": False, "is_anonymous": True, "allows_multiple_answers": False}


@pytest.mark.parametrize("nothing", [update(), unreadable(), unreadable(poll={"id": 1})])
def test_an_update_with_neither_message_nor_edit_belongs_to_nobody(nothing: Update) -> None:
    assert parse.chat_of(nothing) is None
    assert parse.lane(nothing) is None
    assert not parse.at_once(nothing)
    assert not parse.is_private(nothing)
    assert parse.edited_key(nothing) is None
    assert parse.unreadable_from(nothing) is None
    assert parse.unreadable_where(nothing) is None
    assert parse.joined_chat(nothing) is None


def test_of_an_update_without_a_message_a_strangers_number_alone_is_kept() -> None:
    pressed = {"id": "9", "from": ANA, "chat_instance": "1", "data": "undo"}
    for each in (
        update(),
        update(callback_query=pressed),
        update(edited_message=message(text="x")),
    ):
        assert json.loads(parse.payload(each, known=False)) == {"update_id": 7}
    assert "undo" in parse.payload(update(callback_query=pressed), known=True)


def test_of_a_press_the_text_above_the_button_is_not_kept() -> None:
    above = message(text="my secret", message_thread_id=12, is_topic_message=True)
    query = {"id": "9", "from": ANA, "chat_instance": "1", "data": "undo", "message": above}
    pressed = update(callback_query=query)
    kept = parse.payload(pressed, known=True)
    assert "secret" not in kept and "undo" in kept
    assert parse.chat_of(Update.de_json(json.loads(kept), None)) == parse.chat_of(pressed)


def test_an_edit_waits_for_nothing_and_names_what_it_corrects() -> None:
    edit = update(edited_message=message(text="better"))
    assert parse.lane(edit) is None
    assert parse.chat_of(edit) == "telegram:1001"
    assert parse.edited_key(edit) == "telegram:1001:5"
    assert parse.edited_key(update(message=message(text="hi"))) is None


def test_what_is_no_update_waits_for_nothing() -> None:
    assert parse.lane("a signal of the library's") is None
    assert not parse.at_once("a signal of the library's")


# ── what cannot be read ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["message", "edited_message"])
def test_who_sent_what_cannot_be_read_is_known_in_a_private_chat_alone(kind: str) -> None:
    assert parse.unreadable_from(unreadable(**{kind: message()})) == 1001
    assert parse.unreadable_from(unreadable(**{kind: message(GROUP)})) is None
    assert parse.unreadable_from(unreadable(**{kind: {"chat": PRIVATE}})) is None


def test_where_what_cannot_be_read_comes_from() -> None:
    home = Where(1001)
    assert parse.unreadable_where(unreadable(message=message())) == home
    assert parse.unreadable_where(unreadable(callback_query={"message": message()})) == home
    topic = message(GROUP, message_thread_id=3, is_topic_message=True)
    assert parse.unreadable_where(unreadable(message=topic)) == Where(-5, 3)
    reply = message(GROUP, message_thread_id=3)  # a thread of replies is not a topic
    assert parse.unreadable_where(unreadable(message=reply)) == Where(-5)
    assert parse.lane(unreadable(message=message())) == "telegram:1001"
    assert parse.chat_of(unreadable(message=message())) == "telegram:1001"


def test_what_an_edit_that_cannot_be_read_corrects() -> None:
    assert parse.edited_key(unreadable(edited_message=message())) == "telegram:1001:5"
    assert parse.edited_key(unreadable(message=message())) is None


def test_of_what_cannot_be_read_strangers_words_are_not_kept() -> None:
    each = unreadable(message=message(text="a secret"))
    assert "a secret" in parse.payload(each, known=True)
    assert json.loads(parse.payload(each, known=False)) == {
        "update_id": 7,
        UNREADABLE: "a field is missing",
    }


# ── chats ────────────────────────────────────────────────────────────────────────────────────


def test_a_topic_is_a_place_of_its_own_and_a_thread_of_answers_is_none() -> None:
    topic = update(message=message(GROUP, text="x", message_thread_id=3, is_topic_message=True))
    assert parse.chat_of(topic) == Where(-5, 3).chat
    assert parse.chat_of(update(message=message(GROUP, text="x", message_thread_id=3))) == (
        Where(-5).chat
    )


@pytest.mark.parametrize(
    ("chat", "status", "there"),
    [
        (GROUP, "member", True),
        (GROUP, "left", False),
        (PRIVATE, "member", False),
    ],
)
def test_being_put_into_a_group_is_seen(chat: dict[str, Any], status: str, there: bool) -> None:
    change = membership(chat, status)
    assert (parse.joined_chat(change) is not None) is there
    kept = json.loads(parse.payload(change, known=False))
    assert ("my_chat_member" in kept) is there


def test_a_bot_is_no_person() -> None:
    robot = {**ANA, "is_bot": True}
    assert parse.is_private(update(message=message(text="hi")))
    assert not parse.is_private(update(message={**message(text="hi"), "from": robot}))
    assert not parse.is_private(update(message=message(GROUP, text="hi")))


# ── commands ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("/Status", ("status", "")),
        ("/remember  Anna\nlikes tea ", ("remember", "Anna\nlikes tea")),
        ("/stop@SamBot", ("stop", "")),
        ("/stop@OtherBot", None),
        ("say /stop", None),
        ("/", None),
        (f"/{'x' * 32}", ("x" * 32, "")),
        (f"/{'x' * 33}", None),
    ],
)
def test_a_command_is_known_by_its_name_and_its_bot(
    text: str, found: tuple[str, str] | None
) -> None:
    assert parse.command(update(message=message(text=text)).message, "sambot") == found


def test_without_a_name_of_ones_own_every_command_is_taken() -> None:
    assert parse.command(update(message=message(text="/stop@Other")).message) == ("stop", "")
    assert parse.command(None) is None


def test_stop_and_status_wait_for_nothing() -> None:
    for text, waits in (("/stop", False), ("/status", False), ("/new", True), ("stop", True)):
        each = update(message=message(text=text))
        assert parse.at_once(each) is not waits
        assert parse.lane(each) == ("telegram:1001" if waits else None)


@pytest.mark.parametrize(
    ("fields", "mine"),
    [
        ({"text": "@sam what is it?"}, True),
        ({"text": "/ask@SAM x"}, True),
        ({"caption": "look, @sam"}, True),
        ({"text": "@samantha"}, False),
        ({"text": "bob@sam.org"}, False),
        ({"text": "sam"}, False),
        (
            {"text": "x", "reply_to_message": message(GROUP) | {"from": ANA | {"username": "sam"}}},
            True,
        ),
        (
            {"text": "x", "reply_to_message": message(GROUP) | {"from": ANA | {"username": "b"}}},
            False,
        ),
        ({"photo": []}, False),
    ],
)
def test_in_a_group_a_message_is_for_the_bot_that_it_names_or_answers(
    fields: dict[str, Any], mine: bool
) -> None:
    found = update(message=message(GROUP, **fields)).message
    assert parse.is_addressed(found, "sam") is mine
    assert not parse.is_addressed(found, "")
    assert not parse.is_addressed(None, "sam")
