"""What of a file cannot be imported is counted and named, and the rest is imported."""

from __future__ import annotations

import json
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from memory.transfer import conversations, preview
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
    messages = [{"id": 1, **message}, {"id": 2, **message, **changed}]
    return {"name": "Bob", "type": "personal_chat", "id": 7, "messages": messages}


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
    seen = preview(conversations(file), UTC)
    assert (len(seen.chats), seen.left_out) == (1, 1)
    assert str(seen.examples[0]).startswith(why)


def test_a_text_that_is_not_in_a_list_is_read_as_it_is(tmp_path: Path) -> None:
    [garden, _] = chatgpt()
    for node in garden["mapping"].values():
        if (message := node["message"]) and message["author"]["role"] == "user":
            message["content"]["parts"] = "The fence is green."
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps([garden]), "utf-8")
    assert [each.text for each in conversations(file).read(UTC)] == ["The fence is green."]
