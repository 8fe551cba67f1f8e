"""WhatsApp's text export: `_chat.txt` (iPhone) or `WhatsApp Chat with NAME.txt` (Android).

    [12.02.26, 14:03:22] Anna: On Friday?          iPhone
    12/02/2026, 14:03 - Anna: On Friday?           Android
    2/12/26, 2:03 PM - Anna: On Friday?            United States
    2026년 2월 12일 오후 2:03, Anna : On Friday?     Korea

The order of day, month and year is inferred from all dates in the file. A phone in Thailand or Iran
may count years in its own calendar: 2569 and 1404 are 2026 and 2025.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo
from pathlib import PurePath
from typing import Literal

from ...errors import TransferRefused
from ...infra import text_encoding
from .imported_message import LONGEST_MESSAGE, ImportedChat, Read, digest, make_message
from .source_file import CountingReader, SourceFile
from .whatsapp_text import identity, is_notice, written

Order = Literal["dmy", "mdy", "ymd"]

LONGEST_LINE = 1_000_000  # characters
_BLOCK = 1 << 16  # bytes
_GAP = r"[\u200e\u200f]*[./年월년月-] ?[\u200e\u200f]*"
_HEAD = re.compile(
    rf"[\u200e\u200f\ufeff]*\[?[\u200e\u200f]*(\d{{1,4}}){_GAP}(\d{{1,2}}){_GAP}(\d{{1,4}})"
    r"[.日일]?(?: г\.| BE| AP| AH)?[\u200e\u200f]*[,،]?"
    r"(?: klo| kl\.?| à| às| um| lúc)? ?[\u200e\u200f]*"
    r"(上午|凌晨|清晨|早上|下午|中午|傍晚|晚上|午前|午後|오전|오후|ÖÖ|ÖS)? ?"
    r"(\d{1,2})(?:[:.]| h )(\d{2})(?:(?:[:.]| min )(\d{2})(?: s)?)?(?: ч\.)?"
    r"(?: ?([AaPp])\.? ?([Mm])\.?| ?([πμ])\.?μ\.?| ?([صم]|[قب]\.ظ|PG|PTG|SA|CH)\.?)?"
    r"(?:\] | - | – |, (?=[^:\n]{1,100} : ))"
)
_SPACES = re.compile("[\u00a0\u202f\u2009]")
_EARLY = frozenset(
    [*("上午", "凌晨", "清晨", "早上", "午前", "오전"), *("a", "π", "ص", "ق.ظ", "öö", "pg", "sa")]
)
"""The words for the hours before noon; 中午, noon itself, counts as later."""
_TITLE = re.compile(
    r"(?:WhatsApp[- ]Chat|(?:Chat|Conversa|Conversación|Discussion|Czat|Чат)(?: d[eo])? WhatsApp)"
    r"(?: with| mit| avec| con| com| met| z| с контактом| med| -)? (.{1,80}?)(?: \(\d+\))?",
    re.IGNORECASE,
)
_NAME = 100  # characters at most before the colon
_BUDDHIST = range(2552, 2700)
_PERSIAN = range(1387, 1430)
_ISLAMIC = range(1430, 1500)
"""Years of other calendars, from about 2009 on: there is no older chat of WhatsApp."""


@dataclass(frozen=True, slots=True)
class _Line:
    """The first line of a message: the three numbers of its date, the time, and the rest.

    `half`: of the day, "a" or "p", or "". `american`: whether it says AM or PM, in capitals."""

    date: tuple[int, int, int]
    time: tuple[int, int, int]
    half: str
    rest: str
    american: bool = False


def is_chat(head: bytes) -> bool:
    """Return whether a file with this beginning looks like an export of WhatsApp's."""
    encoding = text_encoding.guess(head)
    if not encoding:
        return False
    text = codecs.getincrementaldecoder(encoding)("ignore").decode(head)
    rows = text.splitlines()[:20]
    return sum(_parsed(row) is not None for row in rows) >= max(1, min(2, len(rows)))


def read(source: SourceFile, stream: CountingReader, zone: tzinfo) -> Iterator[Read]:
    """Yield the messages. `zone`: the time zone of the times in the file."""
    encoding, order, people = _survey(source)
    # Of the time and words of the first line, which are the same in most exports of that chat.
    chat: ImportedChat | None = None
    title = _title(source)
    me = next(iter(set(people) - {title})) if len(people) == 2 and title in people else None
    seen: Counter[str] = Counter()
    day = None
    for line, text in _messages(stream, source.name, encoding):
        local = _moment(line, order, zone)
        if local is None:
            if not {line.date[0], line.date[2]}.isdisjoint(_ISLAMIC):
                raise TransferRefused(
                    f"{source.name} has dates of the Islamic calendar, which cannot be read. Choose"
                    " the Gregorian calendar on the phone, and export the chat again. Nothing was"
                    " imported."
                )
            raise TransferRefused(
                f"{source.name} has a date that no calendar has"
                f" ({'/'.join(map(str, line.date))}). Nothing was imported."
            )
        # Ids are made of the time in the file: TIMEZONE, on which `at` depends, may change.
        at, written_at = local.astimezone(UTC), local.replace(tzinfo=None).isoformat()
        chat = chat or ImportedChat("whatsapp", digest(written_at, line.rest), title, True)
        name, words = _said(line, text)
        shown = written(words)
        if not name or not shown:
            continue
        if day != line.date:  # not each minute: when summer time ends, an hour comes twice
            day = line.date
            seen.clear()
        id_ = digest(written_at, name, identity(words))
        seen[id_] += 1  # two equal messages in one minute are two messages
        by_words, by_moment = (digest(each, name, words) for each in (written_at, at.isoformat()))
        former = (by_moment,) if by_words == id_ else (by_words, by_moment)
        yield make_message(
            chat,
            f"{id_}.{seen[id_]}",
            name,
            at,
            shown,
            None if me is None else name == me,
            former_ids=tuple(f"{each}.{seen[id_]}" for each in former),
        )


def _said(line: _Line, more: str) -> tuple[str, str]:
    """Return the author and the text of a message; ("", "") for a notice, such as "Ana joined"."""
    author, colon, first = line.rest.partition(": ")
    if not colon and line.rest.endswith(":"):
        author, colon, first = line.rest[:-1], ":", ""
    if not colon or len(author) > _NAME or is_notice(author):
        return "", ""
    return author.strip("\u200e\u200f\u202a\u202c ~"), "\n".join(filter(None, (first, more)))


def _survey(source: SourceFile) -> tuple[str, Order, Counter[str]]:
    """Read the whole file; return its encoding, the order of the numbers in dates, and messages by
    author. WhatsApp writes UTF-8; some programs save it again in another encoding."""
    encoding = text_encoding.guess(source.head())
    try:
        return encoding, *_survey_in(source, encoding or "utf-8")
    except UnicodeDecodeError as wrong:
        older = text_encoding.guess(wrong.object)
    try:
        if older not in ("", encoding):
            return older, *_survey_in(source, older)
    except UnicodeDecodeError:
        pass
    raise TransferRefused(
        f"{source.name} is not in UTF-8, as WhatsApp writes it. Nothing was imported."
    )


def _survey_in(source: SourceFile, encoding: str) -> tuple[Order, Counter[str]]:
    first: set[bool] = set()
    second_large = year_first = halves = False
    falls: dict[Order, bool] = {"dmy": False, "mdy": False}
    before: dict[Order, tuple[int, int, int]] = {}
    people: Counter[str] = Counter()
    with source.opened() as stream:
        for line, more in _messages(stream, source.name, encoding):
            one, two, three = line.date
            year_first = year_first or one > 99
            first.add(one > 12)
            second_large = second_large or two > 12
            halves = halves or line.american
            for order, key in (("dmy", (three, two, one)), ("mdy", (three, one, two))):
                if key < before.get(order, key):  # type: ignore[call-overload]  # a literal
                    falls[order] = True  # type: ignore[index]
                before[order] = key  # type: ignore[index]
            name, words = _said(line, more)
            if name and written(words):
                people[name] += 1
    if year_first:
        return "ymd", people
    if True in first and second_large:
        raise TransferRefused(
            f"The dates in {source.name} are written in several forms, so it is unclear which"
            " number is the day: export the chat again, or write all of them alike. Nothing was"
            " imported."
        )
    if second_large or (True not in first and falls["dmy"] and not falls["mdy"]):
        return "mdy", people
    if True in first or (falls["mdy"] and not falls["dmy"]):
        return "dmy", people
    return ("mdy" if halves else "dmy"), people  # ambiguous: 2:03 PM is mostly American


def _messages(stream: CountingReader, name: str, encoding: str) -> Iterator[tuple[_Line, str]]:
    """Yield the first line of each message, with the text of the lines that continue it."""
    begun: _Line | None = None
    more: list[str] = []
    size = 0
    for row in _rows(stream, name, encoding):
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


def _rows(stream: CountingReader, name: str, encoding: str) -> Iterator[str]:
    """Yield the lines. Raises UnicodeDecodeError."""
    decoder = codecs.getincrementaldecoder(encoding)()
    begun = ""
    while True:
        block = stream.read(_BLOCK)
        *rows, begun = (begun + decoder.decode(block, not block)).split("\n")
        for row in rows:
            yield row.rstrip("\r")
        if len(begun) > LONGEST_LINE:
            raise TransferRefused(
                f"{name} has a line of more than {LONGEST_LINE:,} characters, which no chat has."
                " Nothing was imported."
            )
        stream.next_item()
        if not block:
            break
    if begun:
        yield begun.rstrip("\r")


def _parsed(row: str) -> _Line | None:
    plain = _SPACES.sub(" ", row[:60]) + row[60:]
    found = _HEAD.match(plain)
    if found is None:
        return None
    one, two, three, hour, minute, second = (int(found[n] or 0) for n in (1, 2, 3, 5, 6, 7))
    word = (found[4] or found[8] or found[10] or found[11] or "").lower()
    half = ("a" if word in _EARLY else "p") if word else ""
    american = bool(found[8] and (found[8] + found[9]).isupper() and found[1].isascii())
    rest = plain[found.end() :]
    return _Line((one, two, three), (hour, minute, second), half, rest, american)


def _moment(line: _Line, order: Order, zone: tzinfo) -> datetime | None:
    """Return the local time; None for a time that there is not."""
    one, two, three = line.date
    year, month, day = {"dmy": (three, two, one), "mdy": (three, one, two), "ymd": line.date}[order]
    hour, minute, second = line.time
    if line.half:
        hour = hour % 12 + (12 if line.half == "p" else 0)
    try:
        found = _gregorian(year, month, day)
        local = datetime.combine(found, time(hour, minute, second), zone)
        local.astimezone(UTC)  # may overflow
        return local
    except (ValueError, OverflowError):
        return None


def _gregorian(year: int, month: int, day: int) -> date:
    """Return the day with these numbers of the calendar that the year belongs to. Raises ValueError
    if there is none, or for the Islamic calendar, which depends on the sight of the moon."""
    if year < 100:
        year += 2500 if year + 2500 in _BUDDHIST else 2000
    if year in _ISLAMIC:
        raise ValueError(f"{year} is of the Islamic calendar")
    if year not in _PERSIAN:
        return date(year - 543 if year in _BUDDHIST else year, month, day)
    last = _persian(year + 1, 1, 0) if month == 12 else _persian(year, month + 1, 0)
    found = _persian(year, month, day)
    if not (1 <= month <= 12 and day >= 1 and found <= last):
        raise ValueError(f"{year}/{month}/{day} is no day of the Persian calendar")
    return found


def _persian(year: int, month: int, day: int) -> date:
    """Return the day; also for day 0, the last one of the month before."""
    # 8 of 33 years are leap years. The first six months have 31 days, the others 30.
    days = 365 * year + (8 * year + 21) // 33 + 30 * month + min(month - 1, 6) + day
    return date.fromordinal(days + 226_499)


def _title(source: SourceFile) -> str:
    """Return the chat's name, taken from the name of the file, or of its ZIP or folder."""
    folder = source.path.absolute().parent.name
    for name in (PurePath(source.member or "").stem, PurePath(source.name).stem, folder):
        if found := _TITLE.fullmatch(name):
            return found[1].strip(" -")
    return ""
