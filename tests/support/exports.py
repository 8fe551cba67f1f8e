"""Build exports of other programs, in their documented formats, for tests of the importers."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

from memory.transfer import Conversations, Preview

BEGAN = datetime(2023, 3, 4, 9, 30, tzinfo=UTC)
Line = tuple[str, str]  # (role or author, text)


def chatgpt(
    talks: dict[str, Sequence[Line]], *, abandoned: Sequence[Line] = (), begins: datetime = BEGAN
) -> list[dict[str, Any]]:
    """Return the conversations: title → lines of `user` and `assistant`. `abandoned`: a branch that
    the user abandoned, parallel to the last two lines of each."""
    made = []
    for number, (title, lines) in enumerate(talks.items(), 1):
        id_ = f"c{number:08d}-0000-4000-8000-000000000000"
        at = begins + timedelta(days=number)
        mapping: dict[str, Any] = {
            "root": {"id": "root", "message": None, "parent": None, "children": []}
        }
        names = _grow(mapping, "root", lines, at, "n")
        fork = names[-3] if len(names) > 2 else "root"
        _grow(mapping, fork, abandoned, at + timedelta(hours=1), "x")
        hidden = _node("system", "You are helpful.", at, parent="root")
        hidden["message"]["metadata"] = {"is_visually_hidden_from_conversation": True}
        mapping["hidden"] = {"id": "hidden", **hidden}
        mapping["root"]["children"].append("hidden")
        made.append(
            {
                "title": title,
                "create_time": at.timestamp(),
                "update_time": (at + timedelta(hours=2)).timestamp(),
                "mapping": mapping,
                "moderation_results": [],
                "current_node": names[-1],
                "conversation_id": id_,
                "id": id_,
            }
        )
    return made


def _grow(
    mapping: dict[str, Any], parent: str, lines: Iterable[Line], at: datetime, prefix: str
) -> list[str]:
    names = []
    for number, (role, text) in enumerate(lines):
        name = f"{prefix}{number}"
        mapping[name] = {
            "id": name,
            **_node(role, text, at + timedelta(minutes=number), parent=parent),
        }
        mapping[parent]["children"].append(name)
        names.append(parent := name)
    return names


def _node(role: str, text: str, at: datetime, *, parent: str) -> dict[str, Any]:
    message = {
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at.timestamp(),
        "content": {"content_type": "text", "parts": [text]},
        "status": "finished_successfully",
        "metadata": {},
        "recipient": "all",
    }
    return {"message": message, "parent": parent, "children": []}


def claude(talks: dict[str, Sequence[Line]], *, begins: datetime = BEGAN) -> list[dict[str, Any]]:
    """Return the conversations: name → lines of `human` and `assistant`."""
    made = []
    for number, (name, lines) in enumerate(talks.items(), 1):
        at = begins + timedelta(days=number)
        messages = [
            {
                "uuid": f"m{number}-{place}",
                "text": text,
                "content": [{"type": "text", "text": text, "citations": []}],
                "sender": who,
                "created_at": _zulu(at + timedelta(minutes=place)),
                "updated_at": _zulu(at + timedelta(minutes=place)),
                "attachments": [],
                "files": [],
            }
            for place, (who, text) in enumerate(lines)
        ]
        made.append(
            {
                "uuid": f"u{number:08d}-0000-4000-8000-000000000000",
                "name": name,
                "created_at": _zulu(at),
                "updated_at": _zulu(at),
                "account": {"uuid": "a1"},
                "chat_messages": messages,
            }
        )
    return made


def _zulu(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def telegram_chat(
    name: str,
    lines: Sequence[Line],
    *,
    number: int = 4711,
    kind: str = "personal_chat",
    people: dict[str, int] | None = None,
    begins: datetime = BEGAN,
) -> dict[str, Any]:
    """Return one chat. In a `personal_chat`, `number` is the id of the other person, `name`."""
    ids = {name: number, **(people or {})}
    rows: list[dict[str, Any]] = [
        {
            "id": 1,
            "type": "service",
            "date": f"{begins:%Y-%m-%dT%H:%M:%S}",
            "date_unixtime": str(int(begins.timestamp())),
            "actor": name,
            "actor_id": f"user{number}",
            "action": "phone_call",
            "text": "",
            "text_entities": [],
        }
    ]
    for place, (who, text) in enumerate(lines, 2):
        at = begins + timedelta(minutes=place)
        rows.append(
            {
                "id": place,
                "type": "message",
                "date": f"{at:%Y-%m-%dT%H:%M:%S}",
                "date_unixtime": str(int(at.timestamp())),
                "from": who,
                "from_id": f"user{ids.get(who, 99)}",
                "text": [text[:3], {"type": "bold", "text": text[3:]}] if place % 2 else text,
                "text_entities": [{"type": "plain", "text": text}],
            }
        )
    return {"name": name, "type": kind, "id": number, "messages": rows}


def telegram_all(chats: Sequence[dict[str, Any]], *, me: int = 99) -> dict[str, Any]:
    """Return the export of a whole account with these chats."""
    return {
        "about": "Here is the data you requested.",
        "personal_information": {"user_id": me, "first_name": "Max", "bio": ""},
        "contacts": {"about": "", "list": [{"first_name": "Anna", "phone_number": "000"}]},
        "chats": {"about": "This page lists all chats.", "list": list(chats)},
        "left_chats": {"about": "", "list": []},
    }


WHATSAPP_FORMS = {
    "iphone-de": "[{at:%d.%m.%y}, {at:%H:%M:%S}] {who}: {text}",
    "iphone-us": "[{at:%-m/%-d/%y}, {hour}:{at:%M:%S}\u202f{half}] {who}: {text}",
    "android-gb": "{at:%d/%m/%Y}, {at:%H:%M} - {who}: {text}",
    "android-us": "{at:%-m/%-d/%y}, {hour}:{at:%M}\u202f{half} - {who}: {text}",
    "android-de": "{at:%d.%m.%y}, {at:%H:%M} - {who}: {text}",
    "android-nl": "{at:%d-%m-%Y} {at:%H:%M} - {who}: {text}",
    "android-es": "{at:%-d/%-m/%y}, {hour}:{at:%M} {half_dots} - {who}: {text}",
    "android-ja": "{at:%Y/%m/%d} {at:%H:%M} - {who}: {text}",
}
"""The header of a message, by platform and region."""


def whatsapp(
    lines: Sequence[Line], form: str = "iphone-de", *, begins: datetime = BEGAN, days: int = 1
) -> str:
    """Return a chat, `days` apart from message to message. Its times are in UTC."""
    pattern = WHATSAPP_FORMS[form]
    rows = []
    for place, (who, text) in enumerate(lines):
        at = begins + timedelta(days=days * place)
        half = "PM" if at.hour >= 12 else "AM"
        rows.append(
            pattern.format(
                at=at,
                who=who,
                text=text,
                hour=at.hour % 12 or 12,
                half=half,
                half_dots=f"{half[0].lower()}.\u00a0m.",
            )
        )
    system = "\u200eMessages and calls are end-to-end encrypted."
    head = rows[0].split(f"{lines[0][0]}: ")[0] + system
    return "\n".join([head, *rows, ""])


def dump(path: Path, value: object) -> Path:
    """Write the value to a JSON file."""
    path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return path


def packed(path: Path, files: dict[str, str | bytes]) -> Path:
    """Write the files to a ZIP."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def keep_note(text: str = "", *, at: datetime = BEGAN, **more: object) -> str:
    """Return the JSON file of a note of Google Keep, created and edited at that time."""
    usec = int(at.timestamp() * 1e6)
    note = {
        "color": "DEFAULT",
        "isTrashed": False,
        "isPinned": False,
        "isArchived": False,
        "textContent": text,
        "title": "",
        "userEditedTimestampUsec": usec,
        "createdTimestampUsec": usec,
    }
    return json.dumps({**note, **more}, ensure_ascii=False)


def takeout(path: Path, notes: dict[str, str]) -> Path:
    """Write an archive of Google Takeout: name → note, with the files that come with them."""
    files = {f"Takeout/Keep/{name}.json": note for name, note in notes.items()}
    other = {"Takeout/Keep/a.html": "<p>", "Takeout/Keep/Labels.txt": "Home\n"}
    return packed(path, {"Takeout/archive_browser.html": "<p>", **other, **files})


def seen_in(found: Conversations, zone: tzinfo = UTC) -> Preview:
    """Return the preview of a file for a memory that is empty."""
    seen = Preview()
    messages = list(found.read(zone, leave_out=seen.leave_out))
    seen.count(messages, [False] * len(messages), zone)
    return seen
