"""Google Keep's notes in an archive of Google Takeout: `Keep/*.json`, a file for each note.

Each is a message at the time when it was last edited: what it says was true then. Notes in the bin
are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from typing import Any

from ....text import tr
from ..chatgpt import moment as unix_moment
from ..imported_message import (
    NO_TIME,
    ImportedChat,
    LeftOut,
    Read,
    as_built,
    by_time,
    digest,
    make_message,
)
from ..json_reader import JsonReader
from ..source_file import Progress, SourceFile, opened_in_turn

CHAT = ImportedChat("keep", "notes", "Google Keep")


def read(files: Sequence[SourceFile], zone: tzinfo, progress: Progress) -> Iterator[Read]:
    """Yield the notes in order of time. `zone`: for the day on which a note was created."""
    notes, left_out = by_time(_notes(files, zone, progress))
    yield from left_out
    count = Counter(note.id for note in notes)
    for note in notes:
        # Programs may create several notes at the same time: their texts tell them apart.
        yield note if count[note.id] == 1 else replace(note, id=digest(note.id, note.text))


def _notes(files: Sequence[SourceFile], zone: tzinfo, progress: Progress) -> Iterator[Read]:
    for file, stream in opened_in_turn(files, progress):
        reader = JsonReader(stream, file.file_name)
        note = reader.value(reader.next())
        reader.end()
        yield from as_built(_message(note, zone), file.file_name)


def _message(note: dict[str, Any], zone: tzinfo) -> Iterator[Read]:
    created = _moment(note.get("createdTimestampUsec"))
    edited = _moment(note.get("userEditedTimestampUsec")) or created
    words = "\n".join(filter(None, _parts(note)))
    if note.get("isTrashed") is True or not words:
        return
    if edited is None:
        yield LeftOut(tr(NO_TIME), words)
        return
    # Not the name of its file, which is made of its title. Old exports have only one of the times.
    id_ = digest(created.isoformat()) if created else digest(edited.isoformat(), words)
    if created and created.astimezone(zone).date() != edited.astimezone(zone).date():
        words += f"\n[created: {created.astimezone(zone):%Y-%m-%d}]"
    # A shared note is its owner's, and that may be somebody else.
    owner = next((each.get("email") for each in _rows(note, "sharees") if each.get("isOwner")), "")
    yield make_message(
        CHAT, id_, str(owner or ""), edited, words, None if owner else True, edited_at=edited
    )


def _parts(note: dict[str, Any]) -> Iterator[str]:
    """Yield the title, the text, the list, and in brackets what else a note has."""
    text = str(note.get("textContent") or "").strip()
    yield str(note.get("title") or "").strip()
    yield text
    for row in _rows(note, "listContent"):
        if item := str(row.get("text") or "").strip():
            yield f"- [{'x' if row.get('isChecked') else ' '}] {item}"
    for link in _rows(note, "annotations"):
        if (url := str(link.get("url") or "")) and url not in text:
            name = f"{link.get('title') or ''} {url}".strip()
            yield f"[link: {name}]"
    for file in _rows(note, "attachments"):
        kind = str(file.get("mimetype") or "file").partition("/")[0]
        yield "[picture]" if kind == "image" else f"[{kind}]"
    if names := ", ".join(str(row["name"]) for row in _rows(note, "labels") if row.get("name")):
        yield f"[labels: {names}]"


def _rows(note: dict[str, Any], key: str) -> list[dict[str, Any]]:
    given = note.get(key)
    return [row for row in given if isinstance(row, dict)] if isinstance(given, list) else []


def _moment(microseconds: object) -> datetime | None:
    """Convert the time of a note; None if it is missing or out of range."""
    try:
        return unix_moment(int(str(microseconds)) / 1e6 or None)
    except (ValueError, OverflowError):
        return None
