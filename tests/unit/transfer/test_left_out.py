"""What of a file cannot be imported is counted and named, and the rest is imported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from memory.errors import UnknownFormat
from memory.transfer import conversations
from tests.support import exports


def chatgpt(**changed: Any) -> list[dict[str, Any]]:
    """Return an export with a whole conversation, and one with these changes."""
    whole, other = exports.chatgpt(
        {name: [("user", "The fence is green.")] for name in ("Garden", "Lake")}
    )
    return [whole, {**other, **changed}]


def claude(**changed: Any) -> list[dict[str, Any]]:
    """Return an export with a whole message, and one with these changes."""
    message = {"uuid": "m", "text": "The kiln is hot.", "sender": "human"}
    at = {"created_at": "2024-01-01T10:00:00Z"}
    other = {**message, **at, "uuid": "n", "text": "It cools.", **changed}
    return [{"uuid": "u", "name": "Kiln", "chat_messages": [{**message, **at}, other]}]


def telegram(**changed: Any) -> dict[str, Any]:
    message = {"type": "message", "date": "2024-01-01T10:00:00", "from": "Bob", "text": "Sauna?"}
    return of_bob({"id": 1, **message}, {"id": 2, **message, **changed})


def of_bob(*messages: object) -> dict[str, Any]:
    return {"name": "Bob", "type": "personal_chat", "id": 7, "messages": list(messages)}


def dayone(**changed: Any) -> dict[str, Any]:
    entry = {"uuid": "a", "creationDate": "2024-01-01T10:00:00Z", "text": "The lake was frozen."}
    return {"entries": [entry, {**entry, "uuid": "b", **changed}]}


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (chatgpt(mapping=None), "it has no id, or no messages in “mapping”: Lake"),
        (
            chatgpt(create_time=1.7e12, update_time=None, mapping={}),
            "it has no time that can be read: Lake",
        ),
        (claude(sender="robot"), "its “sender” is neither human nor assistant: message 2 in Kiln"),
        ([*claude()[:1], {"name": "Oven", "chat_messages": []}], "it has no “uuid”: Oven"),
        (
            claude(text="y" * 1_000_001),
            "it has 1,000,001 characters, and at most 1,000,000 are taken: a message of 2024-",
        ),
        (telegram(id=None), "it has no id: a message of 2024-01-01 in Bob"),
        (telegram(date="yesterday"), "it has no time that can be read: message 2 in Bob"),
        (dayone(creationDate="2024-02-30T10:00:00Z"), "it has no time that can be read: The lake"),
    ],
)
def test_what_cannot_be_imported_is_counted_and_named(
    tmp_path: Path, given: object, why: str
) -> None:
    file = tmp_path / "export.json"
    file.write_text(json.dumps(given), "utf-8")
    seen = exports.seen_in(conversations(file))
    assert (len(seen.chats), seen.left_out) == (1, 1)
    assert str(seen.examples[0]).startswith(why)


ANYTHING: tuple[Any, ...] = (7, 1.5, True, "text", ["list"], {"key": "value"})


def lake(message: object) -> list[dict[str, Any]]:
    """Return an export of ChatGPT whose last message is that one."""
    whole, other = chatgpt()
    other["mapping"]["n0"]["message"] = message
    return [whole, other]


@pytest.mark.parametrize(
    ("given", "which", "rest"),
    [
        (claude(content=5), "message 2 in Kiln", 1),
        (claude(content="It cools."), "message 2 in Kiln", 1),
        (claude(attachments=7), "message 2 in Kiln", 1),
        ([*claude(), {"uuid": "v", "name": "Oven", "chat_messages": 5}], "Oven", 2),
        ([*claude(), ["Oven"]], "(without a title)", 2),
        (lake(["a list"]), "message 1 in Lake", 1),
        (lake({"author": "user"}), "message 1 in Lake", 1),
        (lake({"author": {"role": "user"}, "content": 5}), "message 1 in Lake", 1),
        (
            lake({"author": {"role": "user"}, "content": {"content_type": "text", "parts": [5]}}),
            "message 1 in Lake",
            1,
        ),
        (chatgpt(mapping={"root": ["a list"]}, current_node="root"), "Lake", 1),
        ([*chatgpt()[:1], 5], "(without a title)", 1),
        (telegram(text=5), "message 2 in Bob", 1),
        (telegram(text=["Sauna", 5]), "message 2 in Bob", 1),
        (of_bob(*telegram()["messages"], ["a list"]), "message 3 in Bob", 2),
        (dayone(text=5), "message 2 in export", 1),
        ({"entries": [*dayone()["entries"], 5]}, "message 3 in export", 2),
    ],
)
def test_what_is_of_an_unexpected_type_is_named_and_the_rest_imported(
    tmp_path: Path, given: object, which: str, rest: int
) -> None:
    file = tmp_path / "export.json"
    file.write_text(json.dumps(given), "utf-8")
    seen = exports.seen_in(conversations(file))
    [left_out] = seen.examples
    assert str(left_out) == f"a value in it is of an unexpected type: {which}"
    assert seen.messages == rest


@pytest.mark.parametrize(
    "whole",
    [
        chatgpt(),
        claude(content=[{"type": "text", "text": "It cools."}], files=[{"file_name": "a.pdf"}]),
        telegram(
            from_id="user7",
            poll={"question": "When?", "answers": [{"text": "Now"}]},
            location_information={"latitude": 1.5, "longitude": 2.5},
            contact_information={"first_name": "Ana"},
        ),
        dayone(location={"placeName": "Lake"}, tags=["ice"], photos=[{"type": "jpeg"}]),
        json.loads(
            exports.keep_note(
                "Ice",
                listContent=[{"text": "skates", "isChecked": True}],
                sharees=[{"email": "a@b.c", "isOwner": True}],
                attachments=[{"mimetype": "image/png"}],
            )
        ),
    ],
    ids=["chatgpt", "claude", "telegram", "dayone", "keep"],
)
def test_no_value_of_another_type_refuses_the_file(tmp_path: Path, whole: Any) -> None:
    """Replace each value by one of every other type in turn."""
    file, read = tmp_path / "export.json", 0
    for place, key in list(places(whole)):
        before = place[key]
        for other in ANYTHING:
            place[key] = other
            file.write_text(json.dumps(whole), "utf-8")
            with suppress(UnknownFormat):  # what it is recognised by was replaced
                read += exports.seen_in(conversations(file)).messages > 0
        place[key] = before
    assert read > 50


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each place in a document, as a list or an object with an index or a key."""
    rows = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in rows:
        yield value, key
        if isinstance(inner, dict | list):
            yield from places(inner)


def test_a_text_that_is_not_in_a_list_is_read_as_it_is(tmp_path: Path) -> None:
    [garden, _] = chatgpt()
    for node in garden["mapping"].values():
        if (message := node["message"]) and message["author"]["role"] == "user":
            message["content"]["parts"] = "The fence is green."
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps([garden]), "utf-8")
    assert [each.text for each in conversations(file).read(UTC)] == ["The fence is green."]
