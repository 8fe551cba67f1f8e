"""Day One's export in JSON: a file for each journal, with its entries, beside the folder `photos`.

Each journal is a chat, and each entry a message at the time for which it was written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time, tzinfo
from pathlib import PurePosixPath
from typing import Any
from zoneinfo import ZoneInfo

from ....text import tr
from ..claude import moment as iso_moment
from ..imported_message import (
    NO_TIME,
    ImportedChat,
    LeftOut,
    Read,
    as_built,
    by_time,
    digest,
    make_message,
    message_name,
)
from ..json_reader import JsonReader
from ..source_file import Progress, SourceFile, opened_in_turn

_ATTACHED = re.compile(r"!\[[^\]\n]{0,200}\]\(dayone-moment:/{1,2}(?:(\w{1,20})/)?[^()\n]{1,200}\)")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!>~|])")
_PLACE = ("userLabel", "placeName", "localityName", "administrativeArea", "country")


def is_journal(head: bytes) -> bool:
    """Return whether a file begins like a journal."""
    is_object = head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
    keys = (b'"creationDate"', b'"richText"', b"dayone-moment:")
    return is_object and b'"entries"' in head and any(key in head for key in keys)


def read(files: Sequence[SourceFile], zone: tzinfo, progress: Progress) -> Iterator[Read]:
    """Yield the entries of all journals in order of time. `zone`: for entries of a whole day."""
    entries, left_out = by_time(_entries(files, zone, progress))
    yield from left_out
    yield from entries


def _entries(files: Sequence[SourceFile], zone: tzinfo, progress: Progress) -> Iterator[Read]:
    for file, stream in opened_in_turn(files, progress):
        title = unicodedata.normalize("NFC", PurePosixPath(file.member or file.name).stem)
        chat = ImportedChat("dayone", title, title)
        reader = JsonReader(stream, file.member or file.name)
        reader.next()  # the beginning of the object that `is_journal` saw
        for key in reader.keys():  # noqa: SIM118 - it is no dictionary
            event = reader.next()
            if key != "entries" or event[0] != "start_array":
                reader.skip(event)
                continue
            for place, entry in enumerate(reader.items(), 1):
                yield from as_built(_message(chat, entry, zone), message_name(place, title))
        reader.end()


def _message(chat: ImportedChat, entry: dict[str, Any], zone: tzinfo) -> Iterator[Read]:
    at, words = _moment(entry, zone), "\n".join(filter(None, _parts(entry)))
    if not words or entry.get("isTrashed") is True:
        return
    if at is None:
        yield LeftOut(tr(NO_TIME), words)
        return
    id_ = entry.get("uuid") or digest(at.isoformat(), words)
    edited = iso_moment(entry.get("modifiedDate"))
    yield make_message(chat, id_, "", at, words, True, edited_at=edited)


def _moment(entry: dict[str, Any], zone: tzinfo) -> datetime | None:
    """Return the time of an entry; for one of a whole day, noon of that day in the `zone`."""
    at = iso_moment(entry.get("creationDate"))
    try:
        if at is not None and entry.get("isAllDay") is True:
            day = at.astimezone(ZoneInfo(str(entry.get("timeZone")))).date()
            at = datetime.combine(day, time(12), zone)
        return at and at.astimezone(UTC)
    except (ValueError, OSError, KeyError, OverflowError):
        return at


def _parts(entry: dict[str, Any]) -> Iterator[str]:
    """Yield the text, and in brackets what else an entry has."""
    words = _ESCAPED.sub(r"\1", _ATTACHED.sub(_attached, entry.get("text") or ""))
    yield words.strip()
    if entry.get("photos") and "[picture]" not in words:
        yield "[picture]"
    place = entry.get("location")
    if isinstance(place, dict):
        names = dict.fromkeys(str(place[key]) for key in _PLACE if place.get(key))
        yield f"[location: {', '.join(names)}]" if names else ""
    tags = entry.get("tags")
    if isinstance(tags, list) and tags:
        yield f"[tags: {', '.join(map(str, tags))}]"


def _attached(found: re.Match[str]) -> str:
    """Return a line for a picture, which is linked by its id alone, a video, or a recording."""
    kind = (found[1] or "picture").lower()
    return "[file]" if "pdf" in kind else f"[{kind}]"
