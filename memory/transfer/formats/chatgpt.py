"""ChatGPT's export: `conversations.json`, a list of conversations, each a tree of messages.

Only the branch that the user saw last is read: from `current_node` up to the root.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from ...text import tr
from .imported_message import (
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

ASSISTANT = "ChatGPT"
_READ = ("text", "multimodal_text")
# Names of things, and links with a text: "\ue200entity\ue202["city","Graz","in Austria"]\ue201" and
# "\ue200url\ue202Graz\ue202https://graz.at\ue201" are shown as "Graz".
_NAMED = re.compile(
    '\ue200(?:entity\ue202?\\["[^"\n]{0,100}",[ ]?("(?:[^"\\\\\n]|\\\\.){0,200}")'
    "|url\ue202([^\ue200-\ue202\n]{0,200}))[^\ue200\ue201\n]{0,500}\ue201"
)
# Links to web pages and files: "\ue200cite\ue202turn0search3\ue201", or "【12†source】".
_CITED = re.compile(
    "\ue200[^\ue200\ue201\n]{0,500}\ue201|[ \t]?【[^【】\n]{1,80}†[^【】\n]{0,80}】"
)


def read(reader: JsonReader) -> Iterator[Read]:
    """Yield the messages of all conversations."""
    for conversation in reader.whole_list():
        name = conversation_name(conversation, "title", "conversation_id", "id")
        yield from as_built(_messages(conversation, name), name)


def _messages(conversation: dict[str, Any], name: str) -> Iterator[Read]:
    id_ = conversation.get("conversation_id") or conversation.get("id")
    mapping = conversation.get("mapping")
    if not id_ or not isinstance(mapping, dict):
        yield LeftOut(tr("it has no id, or no messages in “mapping”"), name)
        return
    branch = _branch(mapping, conversation.get("current_node"))
    messages = [message for _, message in branch if isinstance(message, dict)]
    times = (conversation, *messages)
    begun = next(filter(None, (moment(each.get("create_time")) for each in times)), None)
    begun = begun or moment(conversation.get("update_time"))
    if begun is None:
        yield LeftOut(tr(NO_TIME), name)
        return
    chat = ImportedChat("chatgpt", str(id_), str(conversation.get("title") or ""))
    at = begun
    for number, (key, message) in enumerate(branch, 1):
        if isinstance(message, dict):
            at = moment(message.get("create_time")) or at
        yield from as_built(_message(chat, key, message, at), message_name(number, name))


def _message(chat: ImportedChat, key: str, message: dict[str, Any], at: datetime) -> Iterator[Read]:
    role = (message.get("author") or {}).get("role")
    metadata = message.get("metadata") or {}
    if role not in ("user", "assistant") or message.get("recipient", "all") != "all":
        return  # a system message, or a tool call
    if metadata.get("is_visually_hidden_from_conversation"):
        return
    if text := _text(message.get("content") or {}, metadata.get("attachments")):
        mine = role == "user"
        yield make_message(chat, key, "" if mine else ASSISTANT, at, text, mine)


def _branch(mapping: dict[str, Any], last: object) -> list[tuple[str, Any]]:
    """Return the messages from the root to the current node; without one, in the file's order."""
    if not isinstance(last, str) or last not in mapping:
        names = list(mapping)
    else:
        names, seen = list[str](), set[str]()
        at: object = last
        while isinstance(at, str) and at in mapping and at not in seen:
            seen.add(at)
            names.append(at)
            at = (mapping[at] or {}).get("parent")
        names.reverse()
    nodes = ((name, mapping[name]) for name in names)
    found = ((n, node.get("message") if isinstance(node, dict) else node) for n, node in nodes)
    return [(name, message) for name, message in found if message is not None]


def _text(content: dict[str, Any], attachments: object) -> str:
    if content.get("content_type") not in _READ:
        return ""
    found, parts = [], content.get("parts") or ()
    for part in (parts,) if isinstance(parts, str) else parts:
        if isinstance(part, str):
            found.append(_CITED.sub("", _NAMED.sub(_name, part)))
        elif part:
            # Voice messages come with a transcript; pictures have no text.
            spoken = part.get("text") if "transcription" in str(part.get("content_type")) else ""
            found.append(str(spoken or "[picture]" if "image" in str(part) else spoken or ""))
    for file in attachments if isinstance(attachments, list) else ():
        kind = file.get("mime_type") or file.get("mimeType") if isinstance(file, dict) else "image"
        if not str(kind).startswith("image") and file.get("name"):
            found.append(f"[file: {file['name']}]")
    return "\n".join(filter(None, (text.strip() for text in found)))


def _name(found: re.Match[str]) -> str:
    try:
        return str(json.loads(found[1])) if found[1] else found[2]
    except ValueError:  # an escape that is none
        return found[1].strip('"')


def moment(seconds: object) -> datetime | None:
    """Convert a Unix time; None if it is missing or out of range."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
