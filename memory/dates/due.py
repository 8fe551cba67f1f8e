"""Read when something is due from what a person types: "tomorrow 9:00 call Ana".

Days are parsed by memory/dates/period.py, and are in the future: "Friday" is the next one. This
file parses the time of day ("9:00", "9 Uhr", "at noon", "8 in the evening") and delays ("in 20
minutes"). Pure; it needs no model.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TypeVar

from . import clock_words as words
from .chinese_days import chinese_day
from .period import time_range

T = TypeVar("T")

_LONGEST = 500  # characters; longer texts are pasted
_FIRST_WORDS = 6  # words at either end that are tried alone if the whole text names no day
_AHEAD = (7, 31, 366)  # days: seen from so far ahead, "Friday", "the 5th" and "May 3" are past


@dataclass(frozen=True, slots=True)
class Due:
    """When a task is due: the local day, the time if one is given, and the text without both."""

    day: date
    time: time | None
    rest: str


def due_time(text: str, now: datetime) -> Due | None:
    """Return when the text says that something is due, relative to the local time `now`.

    A time without a day means its next occurrence. None if no day, time or delay is named, or if
    the moment is past.
    """
    text = " ".join(unicodedata.normalize("NFC", text[:_LONGEST]).split())
    now = now.replace(tzinfo=None)
    if (waited := _wait(text)) is not None:
        wait, rest = waited
        at = now + wait
        if wait % timedelta(days=1):
            return Due(at.date(), at.time().replace(second=0, microsecond=0), bare(rest))
        moment, rest = _time(rest)
        return Due(at.date(), moment, bare(rest))
    if (chinese := chinese_day(text, now.date())) is not None:
        moment, rest = _time(chinese[1])
        ahead = datetime.combine(chinese[0], moment or time.max) > now
        return Due(chinese[0], moment, bare(rest)) if ahead else None
    moment, without = _time(text)
    day, rest = _day(without, now.date())
    if day is None:
        # The whole text may name the day more precisely: "tomorrow morning" is one expression.
        day, rest = _day(text, now.date()) if moment else (None, without)
        if day is not None:
            _, rest = _time(rest)
    if day is None and moment is None:
        return None
    if day is None:
        later = now.time() < (moment or time())
        return Due(now.date() + timedelta(days=not later), moment, bare(without))
    if datetime.combine(day, moment or time.max) <= now:
        # "Monday 9:00", said on a Monday at ten, means the next Monday; "today 9:00" is past.
        next_day, _ = _day(without, now.date() + timedelta(days=1))
        if next_day is None or next_day - day != timedelta(days=7):
            return None
        day = next_day
    return Due(day, moment, bare(rest))


def _wait(text: str) -> tuple[timedelta, str] | None:
    """Parse "in 20 minutes", "20分後" or "20分钟后"; return the delay and the text without it."""
    for found in _WAIT.finditer(text):
        number = 1.0 if found["number"] is None else _number(found["number"])
        if found["half"]:
            number += 0.5
        minutes = round(number * _valued(words.UNITS, found["unit"]))
        if 0 < minutes <= 10 * 366 * 1440:
            return timedelta(minutes=minutes), _without(text, found)
    if unspaced := _WAIT_UNSPACED.search(text):
        unit = unspaced[2] or unspaced[3]
        minutes = int(unspaced[1]) * _valued(words.UNITS, unit)
        return timedelta(minutes=minutes), _without(text, unspaced)
    return None


def _time(text: str) -> tuple[time | None, str]:
    """Parse a time of day; return it and the text without it."""
    for pattern, read in ((_HALF_TO, _half_to), (_CLOCK, _clock), (_UNSPACED, _unspaced)):
        for found in pattern.finditer(text):
            if (moment := read(found)) is not None:
                rest = _without(text, found)
                # "tonight at 8": the part of the day tells 8:00 from 20:00, and is removed too.
                part = _PART.search(rest)
                if part is not None and moment.hour < 12 and _valued(_PARTS, part[1])[0] > 12:
                    moment = moment.replace(hour=moment.hour + 12)
                return moment, rest
    for pattern, table in ((_NAMED, words.NAMED), (_PART, words.DAY_PARTS)):
        if named := pattern.search(text):
            hour, minute = _valued(table, named[1])
            # "tonight" and "heute Abend" also name the day: `_day` reads it from the text.
            kept = text if pattern is _PART and _names_today(named[1]) else _without(text, named)
            return time(hour, minute), kept
    return None, text


def _clock(found: re.Match[str]) -> time | None:
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    marked = found["minute"] or found["sign"] or found["am"] or found["pm"] or found["at"]
    if not marked or minute > 59:
        return None
    if found["dot"] == "." and not (found["sign"] or found["am"] or found["pm"] or found["at"]):
        return None  # a price
    if found["pm"] and 1 <= hour < 12:
        hour += 12
    elif found["am"] and hour == 12:
        hour = 0
    if hour == 24 and not minute:
        hour = 0
    return time(hour, minute) if hour < 24 else None


def _half_to(found: re.Match[str]) -> time | None:
    hour = 1 if found["of"].casefold() in ("eins", "één") else int(_number(found["of"]))
    if not 1 <= hour <= 24:
        return None
    return time(hour - 1 if hour > 1 else 12, 30)


def _unspaced(found: re.Match[str]) -> time | None:
    later = found[1] in ("午後", "下午", "晚上")
    hour = int(found[2]) + (12 if later and int(found[2]) < 12 else 0)
    minute = 30 if found[4] else int(found[3] or 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _day(text: str, today: date) -> tuple[date | None, str]:
    """Parse the day; return it and the text without it."""
    if dotted := _DOTTED.search(text):
        return _dotted(dotted, today), _without(text, dotted)
    if (day := _named_day(text, today)) is not None:
        return day, _rest_of(text, today)
    # "Friday dentist": before a noun a weekday may be part of a name, so try it alone.
    parts = text.split(" ")
    for count in range(min(_FIRST_WORDS, len(parts)), 0, -1):
        for head, rest in (
            (" ".join(parts[:count]), " ".join(parts[count:])),
            (" ".join(parts[-count:]), " ".join(parts[:-count])),
        ):
            found = time_range(head, today)
            if found and found.bare and (day := _named_day(head, today)) is not None:
                return day, rest
    return None, text


def _named_day(text: str, today: date) -> date | None:
    """Return the day that the text names; if it is ambiguous, the next one."""
    seen = time_range(text, today)
    if seen is None:
        return None
    begin, end = seen.spans[0]
    if begin <= today <= end:
        return today
    if begin > today:
        return begin
    tomorrow = time_range(text, today + timedelta(days=1))
    if tomorrow is None or tomorrow.spans[0][0] - begin == timedelta(days=1):
        return None  # "yesterday": it depends on the day from which it is seen
    for days in _AHEAD:
        later = time_range(text, today + timedelta(days=days))
        if later is not None and later.spans[0][0] >= today:
            return later.spans[0][0]
    return None


def _dotted(found: re.Match[str], today: date) -> date | None:
    """Return the day of "1.12." or "1.12.2026"; without a year, the next such day."""
    year = int(found[3]) if found[3] else today.year
    year += 2000 if year < 100 else 0
    try:
        day = date(year, int(found[2]), int(found[1]))
        return day.replace(year=year + 1) if not found[3] and day < today else day
    except ValueError:
        return None


def _rest_of(text: str, today: date) -> str:
    found = time_range(text, today)
    return found.rest if found else text


# ── reading the tables ───────────────────────────────────────────────────────────────────────


def _forms(table: Iterable[str] | str) -> list[str]:
    listed = [table] if isinstance(table, str) else table
    return [form for row in listed for form in row.split("|")]


def _any_of(table: Iterable[str] | str) -> str:
    """Return a pattern for any of the forms, longest first; it matches whole words only."""
    longest = sorted(set(_forms(table)), key=len, reverse=True)
    return "|".join(re.escape(form).replace(r"\ ", " ") for form in longest)


def _valued(table: Mapping[str, T], form: str) -> T:
    wanted = form.casefold()
    return next(value for row, value in table.items() if wanted in row.casefold().split("|"))


def _number(text: str) -> float:
    bare = text.strip().replace(",", ".")
    return float(bare) if re.fullmatch(r"[\d.]+", bare) else _valued(words.NUMBERS, bare)


def _names_today(form: str) -> bool:
    return form.casefold() in _TODAY


def _without(text: str, found: re.Match[str]) -> str:
    return " ".join(f"{text[: found.start()]} {text[found.end() :]}".split())


def bare(text: str) -> str:
    """Strip the words and punctuation that joined the text to a time."""
    while (less := _LINK.sub("", text).strip(" ,;:-–—")) != text:
        text = less
    return text


_PARTS = words.DAY_PARTS
_TODAY = {"tonight", "this evening", "this afternoon", "this morning", "heute abend", "ce soir"}
_TODAY |= {"esta noche", "esta tarde", "stasera", "esta noite", "vanavond", "vanmiddag", "今夜"}
_TODAY |= {"vanochtend", "morgen früh"}
_I = re.IGNORECASE
_WAIT = re.compile(
    rf"(?<!\w)(?:{_any_of(words.WAITS)})\s+"
    rf"(?:(?P<number>\d{{1,4}}(?:[.,]\d)?|{_any_of(words.NUMBERS)})[\s-]*)?"
    rf"(?P<unit>{_any_of(words.UNITS)})(?P<half> and a half| et demie| y media| e mezza)?(?!\w)",
    _I,
)
_WAIT_UNSPACED = re.compile(
    r"(\d{1,4})\s*(?:(分|時間|日|週間)後に?|(分钟|个?小时|天|周|个星期)(?:以后|之后|后))"
)
_CLOCK = re.compile(
    rf"(?<![\w.:/-])(?:(?P<at>{_any_of(words.AT)})\s*)?(?P<hour>\d{{1,2}})"
    rf"(?:(?P<dot>[:.h])(?P<minute>\d{{2}}))?(?![\d/-]|\.\d)"
    rf"\s*(?:(?P<sign>{_any_of(words.HOUR_SIGNS)})(?![^\W\d_]))?"
    rf"\s*(?:(?P<am>{_any_of(words.BEFORE_NOON)})|(?P<pm>{_any_of(words.AFTER_NOON)}))?(?![\w:/])",
    _I,
)
_UNSPACED = re.compile(
    r"(午前|午後|上午|早上|下午|晚上)?\s?(\d{1,2})\s?[時点](?:(\d{1,2})分|(半))?(?:に|钟)?"
)
_HOURS = _any_of([row for row, value in words.NUMBERS.items() if 2 <= value <= 12])
_HALF_TO = re.compile(
    rf"(?<!\w)(?:{words.HALF_TO})\s+(?P<of>\d{{1,2}}|eins|één|{_HOURS})(?!\w)", _I
)
_DOTTED = re.compile(
    rf"(?:(?<!\w)(?:{_any_of(words.ON)})\s+)?"
    r"(?<![\w.:])(\d{1,2})\.\s?(\d{1,2})\.(\d{4}|\d{2})?(?![\w:])",
    _I,
)
_NAMED = re.compile(rf"(?<!\w)(?:at\s+)?({_any_of(words.NAMED)})(?!\w)", _I)
_PART = re.compile(rf"(?<!\w)({_any_of(words.DAY_PARTS)})(?!\w)", _I)
_LINK = re.compile(rf"^(?:d['’](?=\w)|(?:{_any_of(words.LINKS)})(?:,?\s+|$))", _I)
