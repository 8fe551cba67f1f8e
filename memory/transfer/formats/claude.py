"""Claude's export: `conversations.json`, a list of conversations with their `chat_messages`.

Of a conversation with several branches only the last one is read: from the newest message up.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from ...text import tr
from .imported_message import (
    MISBUILT,
    NO_TIME,
    ImportedChat,
    LeftOut,
    Read,
    as_built,
    conversation_name,
    make_message,
    message_name,
)
from .json_reader import JsonReader

ASSISTANT = "Claude"


def read(reader: JsonReader) -> Iterator[Read]:
    """Yield the messages of all conversations."""
    for conversation in reader.whole_list():
        name = conversation_name(conversation, "name", "uuid")
        yield from as_built(_messages(conversation, name), name)


def _messages(conversation: dict[str, Any], name: str) -> Iterator[Read]:
    if not conversation.get("uuid"):
        yield LeftOut(tr("it has no “uuid”"), name)
        return
    chat = ImportedChat("claude", str(conversation["uuid"]), str(conversation.get("name") or ""))
    at = moment(conversation.get("created_at"))
    rows = list(enumerate(conversation.get("chat_messages") or ()))
    for number, row in rows:
        if not isinstance(row, dict):
            yield LeftOut(tr(MISBUILT), message_name(number + 1, name))
    for number, row in _branch([each for each in rows if isinstance(each[1], dict)]):
        at = moment(row.get("created_at")) or at
        which = message_name(number + 1, name)
        yield from as_built(_message(chat, number, row, at, which), which)


def _message(
    chat: ImportedChat, number: int, row: dict[str, Any], at: datetime | None, which: str
) -> Iterator[Read]:
    sender, text = row.get("sender"), _text(row)
    if not text:
        return
    if sender not in ("human", "assistant"):
        yield LeftOut(tr("its “sender” is neither human nor assistant"), which)
    elif at is None:
        yield LeftOut(tr(NO_TIME), which)
    else:
        id_, mine = row.get("uuid") or number, sender == "human"
        yield make_message(chat, id_, "" if mine else ASSISTANT, at, text, mine)


def _branch(rows: list[tuple[int, dict[str, Any]]]) -> list[tuple[int, dict[str, Any]]]:
    """Return the rows from the root to the last message; all of them if there are no branches."""
    by_id = {row["uuid"]: (number, row) for number, row in rows if isinstance(row.get("uuid"), str)}
    parents = [row.get("parent_message_uuid") for _, row in rows]
    if len(by_id) < len(rows) or None in parents or len(set(map(str, parents))) == len(rows):
        return rows
    newest = max(rows, key=lambda each: (str(each[1].get("created_at") or ""), each[0]))
    found, at = list[tuple[int, dict[str, Any]]](), newest[1]["uuid"]
    while isinstance(at, str) and at in by_id:
        number, row = by_id.pop(at)
        found.append((number, row))
        at = row["parent_message_uuid"]
    return found[::-1] if at == parents[0] else rows  # the first one has no parent


def _text(message: dict[str, Any]) -> str:
    parts = [
        str(part.get("text") or "")
        for part in message.get("content") or ()
        if part.get("type") in ("text", "voice_note")
    ]
    words = "\n".join(filter(None, (part.strip() for part in parts)))
    if not message.get("content"):  # else the text has the thinking, and a note for each tool
        words = str(message.get("text") or "").strip()
    files = [*(message.get("attachments") or ()), *(message.get("files") or ())]
    named = [
        f"[file: {file['file_name']}]" if file.get("file_name") else "[pasted text]"
        for file in files
        if isinstance(file, dict)
    ]
    return "\n".join(filter(None, (words, *dict.fromkeys(named))))


def moment(text: object) -> datetime | None:
    """Parse a time like `2026-02-12T14:03:22.123456Z`; None for anything else."""
    if not isinstance(text, str):
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
