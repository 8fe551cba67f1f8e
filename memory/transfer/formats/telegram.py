"""Telegram Desktop's JSON export: `result.json` of one chat, or of all of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from typing import Any

from ...text import tr
from .chatgpt import moment as unix_moment
from .imported_message import (
    NO_TIME,
    ImportedChat,
    LeftOut,
    Read,
    as_built,
    make_message,
    message_name,
)
from .json_reader import JsonReader

_SAVED = "saved_messages"
_OF_TWO = ("personal_chat", "bot_chat")
_DELETED = "a deleted account"
"""The author where the export has `null` for a name."""


def read(reader: JsonReader, zone: tzinfo) -> Iterator[Read]:
    """Yield the messages of all chats. `zone`: the time zone of dates without a Unix time."""
    if reader.next()[0] != "start_map":
        return
    yield from _chat_or_all(reader, zone)
    reader.end()


def _chat_or_all(reader: JsonReader, zone: tzinfo, me: str = "") -> Iterator[Read]:
    """Read an object that is a chat or contains chats. `me`: the owner's `from_id`."""
    about: dict[str, Any] = {}
    for key in reader.keys():  # noqa: SIM118 - it is no dictionary
        event = reader.next()
        if key == "messages" and event[0] == "start_array":
            yield from _messages(reader, about, zone, me)
        elif key in ("chats", "left_chats") and event[0] == "start_map":
            yield from _all(reader, zone, me)
        elif key == "personal_information":
            found = reader.value(event)
            me = f"user{found.get('user_id')}" if isinstance(found, dict) else ""
        elif event[0] in ("start_map", "start_array"):
            reader.skip(event)
        else:
            about[key] = event[1]


def _all(reader: JsonReader, zone: tzinfo, me: str) -> Iterator[Read]:
    for key in reader.keys():  # noqa: SIM118 - it is no dictionary
        event = reader.next()
        if key != "list" or event[0] != "start_array":
            reader.skip(event)
            continue
        while (event := reader.next())[0] != "end_array":
            if event[0] == "start_map":
                yield from _chat_or_all(reader, zone, me)
            else:
                reader.skip(event)


def _messages(reader: JsonReader, about: dict[str, Any], zone: tzinfo, me: str) -> Iterator[Read]:
    kind, number = about.get("type"), about.get("id")
    title = str(about.get("name") or ("Saved Messages" if kind == _SAVED else ""))
    chat = ImportedChat("telegram", str(number or title), title)
    for place, row in enumerate(reader.items(), 1):
        id_ = row.get("id") if isinstance(row, dict) else place
        which = message_name(id_, title or str(number))
        yield from as_built(_message(chat, row, kind, number, zone, me, which), which)


def _message(
    chat: ImportedChat,
    row: dict[str, Any],
    kind: object,
    number: object,
    zone: tzinfo,
    me: str,
    which: str,
) -> Iterator[Read]:
    """Yield the message of a row. `kind`, `number`: the type and the id of the chat."""
    if row.get("type") != "message":
        return  # somebody joined, a call, a pin
    at, text = _moment(row, zone, "date"), _text(row)
    if not text:
        return
    if at is None:
        yield LeftOut(tr(NO_TIME), which)
        return
    mine: bool | None = None
    who, edited_at = row.get("from_id"), _moment(row, zone, "edited")
    if isinstance(who, int):  # as until 2020
        who = f"user{who}"
    if kind == _SAVED:
        mine = True
    elif me:
        mine = who == me
    elif kind in _OF_TWO and who and number:
        mine = who != f"user{number}"  # the chat's id is the other side's
    is_own = bool(who) and row.get("forwarded_from_id") == who  # passed on by its author
    yield make_message(
        chat,
        row.get("id"),
        str(row.get("from") or _DELETED),
        at,
        text,
        mine,
        str(row["forwarded_from"] or _DELETED) if "forwarded_from" in row and not is_own else "",
        edited_at=edited_at if edited_at and edited_at > at else None,  # until 2020: 1970 if never
    )


def _moment(row: dict[str, Any], zone: tzinfo, key: str) -> datetime | None:
    unix = row.get(f"{key}_unixtime")
    if isinstance(unix, str) and unix.isdecimal() and len(unix) < 12:
        return unix_moment(int(unix))
    try:
        return datetime.fromisoformat(str(row.get(key))).replace(tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _text(row: dict[str, Any]) -> str:
    return "\n".join(filter(None, (_joined(row.get("text")).strip(), *_extras(row))))


def _joined(given: Any) -> str:
    """Return a text of the export, which is a list where parts of it have a form."""
    parts = given if isinstance(given, list) else [given or ""]
    return "".join(part if isinstance(part, str) else str(part.get("text") or "") for part in parts)


def _extras(row: dict[str, Any]) -> Iterator[str]:
    """Yield what a message has besides its text, in brackets."""
    poll, tasks, place, person = (
        row.get(key) if isinstance(row.get(key), dict) else None
        for key in ("poll", "todo_list", "location_information", "contact_information")
    )
    if poll:
        yield f"[poll: {_choices(poll, 'question')}]"
    if tasks:
        yield f"[checklist: {_choices(tasks, 'title')}]"
    if place:
        name = f"{row.get('place_name') or ''} {row.get('address') or ''}".strip()
        name = name or f"{place.get('latitude')}, {place.get('longitude')}"
        yield f"[location: {name}]"
    if person:
        names = (person.get(key) for key in ("first_name", "last_name", "phone_number"))
        yield f"[contact: {' '.join(str(each) for each in names if each)}]"
    what = str(row.get("media_type") or ("photo" if row.get("photo") else ""))
    what = what or ("file" if row.get("file") else "")
    if what:
        named = f"{what.replace('_', ' ')} {row.get('sticker_emoji') or row.get('file_name') or ''}"
        yield f"[{named.strip()}]"


def _choices(given: dict[str, Any], title: str) -> str:
    """Return the title of a poll or a checklist, with what it offers."""
    rows = [each for each in given.get("answers") or () if isinstance(each, dict)]
    offered = " / ".join(_joined(each.get("text")) for each in rows)
    return f"{_joined(given.get(title))} {offered}".strip()
