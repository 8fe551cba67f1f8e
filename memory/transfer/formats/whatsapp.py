"""WhatsApp's text export: `_chat.txt` (iPhone) or `WhatsApp Chat with NAME.txt` (Android).

    [12.02.26, 14:03:22] Anna: On Friday?          iPhone
    12/02/2026, 14:03 - Anna: On Friday?           Android
    2/12/26, 2:03 PM - Anna: On Friday?            United States

The order of day, month and year is inferred from all dates in the file.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import PurePath
from typing import Literal

from ...errors import TransferRefused
from .heard import LONGEST_MESSAGE, Heard, ImportedChat, digest, heard
from .source_file import CountingReader, SourceFile

Order = Literal["dmy", "mdy", "ymd"]

LONGEST_LINE = 1_000_000  # bytes
_HEAD = re.compile(
    r"[\u200e\u200f\ufeff]?\[?(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})\.?,? "
    r"(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?: ?([AaPp])\.? ?[Mm]\.?)?(?:\] | - | – )"
)
_SPACES = re.compile("[\u00a0\u202f\u2009]")
_PLACEHOLDER = re.compile(r"\u200e.*|<[^<>\n]{1,60}>|null")
"""The placeholder for a picture, or for a deleted message."""
_TITLE = re.compile(r"WhatsApp[- ]Chat(?: with| mit| avec| con| met| - )? ?(.{1,80}?)(?: \(\d+\))?")
_NAME = 100  # characters at most before the colon


@dataclass(frozen=True, slots=True)
class _Line:
    """The first line of a message: the three numbers of its date, the time, and the rest."""

    date: tuple[int, int, int]
    time: tuple[int, int, int]
    half: str
    rest: str


def is_chat(head: bytes) -> bool:
    """Return whether a file with this beginning looks like an export of WhatsApp's."""
    try:
        text = codecs.getincrementaldecoder("utf-8-sig")().decode(head)
    except UnicodeDecodeError:
        return False
    rows = text.splitlines()[:20]
    return sum(_parsed(row) is not None for row in rows) >= max(1, min(2, len(rows)))


def read(source: SourceFile, stream: CountingReader, zone: tzinfo) -> Iterator[Heard]:
    """Yield the messages. `zone`: the time zone of the times in the file."""
    order, people = _survey(source)
    # The time and words of the first line, which are the same in every export of that chat.
    chat: ImportedChat | None = None
    title = _title(source)
    me = next(iter(set(people) - {title})) if len(people) == 2 and title in people else None
    seen: Counter[str] = Counter()
    minute = None
    for line, text in _messages(stream, source.name):
        at = _moment(line, order, zone)
        if at is None:
            raise TransferRefused(
                f"{source.name} has a date that no calendar has"
                f" ({'/'.join(map(str, line.date))}). Nothing was imported."
            )
        chat = chat or ImportedChat("whatsapp", digest(at.isoformat(), line.rest), title)
        author, colon, first = line.rest.partition(": ")
        if not colon and line.rest.endswith(":"):
            author, colon, first = line.rest[:-1], ":", ""
        if not colon or len(author) > _NAME:
            continue  # a system message, such as "Ana joined"
        words = "\n".join(filter(None, (first, text)))
        name = author.strip("\u200e\u200f\u202a\u202c ~")
        if not words.strip() or _PLACEHOLDER.fullmatch(words.strip(" ")):
            continue
        if minute != line.time[:2]:
            minute = line.time[:2]
            seen.clear()
        id_ = digest(at.isoformat(), name, words)
        seen[id_] += 1  # two equal messages in one minute are two messages
        yield heard(chat, f"{id_}.{seen[id_]}", name, at, words, None if me is None else name == me)


def _survey(source: SourceFile) -> tuple[Order, Counter[str]]:
    """Read the whole file; return the order of the numbers in dates, and messages by author."""
    first: set[bool] = set()
    second_large = year_first = halves = False
    falls: dict[Order, bool] = {"dmy": False, "mdy": False}
    before: dict[Order, tuple[int, int, int]] = {}
    people: Counter[str] = Counter()
    with source.opened() as stream:
        for line, _ in _messages(stream, source.name):
            one, two, three = line.date
            year_first = year_first or one > 99
            first.add(one > 12)
            second_large = second_large or two > 12
            halves = halves or bool(line.half)
            for order, key in (("dmy", (three, two, one)), ("mdy", (three, one, two))):
                if key < before.get(order, key):  # type: ignore[call-overload]  # a literal
                    falls[order] = True  # type: ignore[index]
                before[order] = key  # type: ignore[index]
            author, colon, _rest = line.rest.partition(": ")
            if colon and len(author) <= _NAME:
                people[author.strip("\u200e\u200f\u202a\u202c ~")] += 1
    if year_first:
        return "ymd", people
    if True in first and second_large:
        raise TransferRefused(
            f"The dates in {source.name} are written in several forms, so it is unclear which"
            " number is the day. Nothing was imported."
        )
    if second_large or (True not in first and falls["dmy"] and not falls["mdy"]):
        return "mdy", people
    if True in first or (falls["mdy"] and not falls["dmy"]):
        return "dmy", people
    return ("mdy" if halves else "dmy"), people  # ambiguous: 2:03 PM is mostly American


def _messages(stream: CountingReader, name: str) -> Iterator[tuple[_Line, str]]:
    """Yield the first line of each message, with the text of the lines that continue it."""
    begun: _Line | None = None
    more: list[str] = []
    size = 0
    for row in _rows(stream, name):
        line = _parsed(row)
        if line is None:
            size += len(row)
            if size > LONGEST_MESSAGE:
                raise TransferRefused(
                    f"A message in {name} is longer than {LONGEST_MESSAGE:,} characters."
                    " Nothing was imported."
                )
            more.append(row)
            continue
        if begun is not None:
            yield begun, "\n".join(more)
        begun, more, size = line, [], 0
    if begun is not None:
        yield begun, "\n".join(more)


def _rows(stream: CountingReader, name: str) -> Iterator[str]:
    try:
        while row := stream.readline(LONGEST_LINE):
            if len(row) >= LONGEST_LINE:
                raise TransferRefused(
                    f"{name} has a line of more than {LONGEST_LINE:,} bytes, which no chat has."
                    " Nothing was imported."
                )
            stream.next_item()
            yield row.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        raise TransferRefused(
            f"{name} is not in UTF-8, as WhatsApp writes it. Nothing was imported."
        ) from None


def _parsed(row: str) -> _Line | None:
    plain = _SPACES.sub(" ", row[:60]) + row[60:]
    found = _HEAD.match(plain)
    if found is None:
        return None
    one, two, three, hour, minute, second = (int(each or 0) for each in found.groups()[:6])
    half = (found[7] or "").lower()
    return _Line((one, two, three), (hour, minute, second), half, plain[found.end() :])


def _moment(line: _Line, order: Order, zone: tzinfo) -> datetime | None:
    one, two, three = line.date
    year, month, day = {"dmy": (three, two, one), "mdy": (three, one, two), "ymd": line.date}[order]
    hour, minute, second = line.time
    if line.half:
        hour = hour % 12 + (12 if line.half == "p" else 0)
    try:
        local = datetime(
            year + 2000 if year < 100 else year, month, day, hour, minute, second, tzinfo=zone
        )
        return local.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _title(source: SourceFile) -> str:
    """Return the chat's name, taken from the name of the file or of its ZIP."""
    for name in (source.member or "", source.path.name):
        if found := _TITLE.fullmatch(PurePath(name).stem):
            return found[1].strip(" -")
    return ""
