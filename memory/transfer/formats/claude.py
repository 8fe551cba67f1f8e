"""Claude's export: `conversations.json`, a list of conversations with their `chat_messages`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from .heard import Heard, ImportedChat, heard
from .json_reader import JsonReader

ASSISTANT = "Claude"


def read(reader: JsonReader) -> Iterator[Heard]:
    """Yield the messages of all conversations."""
    if reader.next()[0] != "start_array":
        return
    for conversation in reader.items():
        if isinstance(conversation, dict) and conversation.get("uuid"):
            yield from _messages(conversation)
    reader.end()


def _messages(conversation: dict[str, Any]) -> Iterator[Heard]:
    chat = ImportedChat("claude", str(conversation["uuid"]), str(conversation.get("name") or ""))
    at = moment(conversation.get("created_at"))
    for number, message in enumerate(conversation.get("chat_messages") or ()):
        if not isinstance(message, dict) or message.get("sender") not in ("human", "assistant"):
            continue
        at = moment(message.get("created_at")) or at
        text = _text(message)
        if text and at is not None:
            mine = message["sender"] == "human"
            id_ = message.get("uuid") or number
            yield heard(chat, id_, "" if mine else ASSISTANT, at, text, mine)


def _text(message: dict[str, Any]) -> str:
    parts = [
        str(part.get("text") or "")
        for part in message.get("content") or ()
        if isinstance(part, dict) and part.get("type") == "text"
    ]
    words = "\n".join(filter(None, (part.strip() for part in parts)))
    words = words or str(message.get("text") or "").strip()
    files = [*(message.get("attachments") or ()), *(message.get("files") or ())]
    names = [
        str(file["file_name"]) for file in files if isinstance(file, dict) and file.get("file_name")
    ]
    return "\n".join(filter(None, (words, *(f"[file: {name}]" for name in dict.fromkeys(names)))))


def moment(text: object) -> datetime | None:
    """Parse a time like `2026-02-12T14:03:22.123456Z`; None for anything else."""
    if not isinstance(text, str):
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
