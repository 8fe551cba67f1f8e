"""The days that a question speaks of: "in May 2023", "last week", "on Monday". Knows no clock.

English, six other languages (memory/time_words.py), and dates as 2023-05-07. What it does not
understand it leaves alone: the period is a hint for the ranking, never a filter.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from datetime import date, timedelta

from .time_words import TONGUES, Tongue
from .words import STOP_WORDS

Span = tuple[date, date]
"""The first and the last day."""

_MONTHS = "january february march april may june july august september october november december"
_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_NUMBER = {name: at for at, name in enumerate(_MONTHS.split(), 1)}
_NUMBER |= {name[:3]: at for name, at in _NUMBER.items()}
_MONTH = "|".join(sorted(_NUMBER, key=len, reverse=True))
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_NAMED = re.compile(
    r"(?:\b(in|of|during|since|until|till|by|before|after|last|this|early|mid|late) )?"
    rf"(?:\b{_DAY}(?: of)? )?\b({_MONTH})\b\.?(?: {_DAY}\b(?!\d))?"
    r"(?:,? (?:of )?((?:19|20)\d\d)\b)?",
    re.IGNORECASE,
)
_ISO = re.compile(r"\b((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?\b")
_YEAR = re.compile(r"\b(?:in|of|during|since|year) ((?:19|20)\d\d)\b", re.IGNORECASE)
_AGO = re.compile(
    r"\b(\d{1,3}|an?|one|two|three|four|five|six) (day|week|month|year)s? ago\b", re.I
)
_LAST = re.compile(
    rf"\b(last|past|previous|this|on) (week|month|year|{'|'.join(_WEEKDAYS)})\b", re.IGNORECASE
)
_RECENT = re.compile(r"\b(today|yesterday)\b", re.IGNORECASE)
_COUNT = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_LENGTH = {"day": 1, "week": 7, "month": 30, "year": 365}
_YEARS = 12  # a month without a year is any of the last so many


def spans(question: str, today: date) -> list[Span]:
    """The periods that the question names, as seen from `today`; none if it names none."""
    found = [*_absolute(question, today), *_relative(question, today)]
    if tongue := _tongue(question):
        found += [*_elsewhere(tongue, question, today)]
    return list(dict.fromkeys(found))


def _absolute(question: str, today: date) -> Iterator[Span]:
    named: set[str] = set()
    for found in _NAMED.finditer(question):
        lead, before, name, after, year = found.groups()
        if not (lead or before or after or year):
            continue  # "May I", "the march"
        years = [int(year)] if year else range(today.year - _YEARS, today.year + 2)
        named.update([year] if year else ())
        for each in years:
            yield from _span(each, _NUMBER[name.casefold()], int(before or after or 0))
    for found in _ISO.finditer(question):
        named.add(found[1])
        yield from _span(int(found[1]), int(found[2]), int(found[3] or 0))
    for found in _YEAR.finditer(question):
        if found[1] not in named:
            yield date(int(found[1]), 1, 1), date(int(found[1]), 12, 31)


def _span(year: int, month: int, day: int) -> Iterator[Span]:
    """That day, or without one that month; nothing where the calendar has no such day."""
    try:
        first = date(year, month, day or 1)
    except ValueError:
        return
    yield first, first if day else (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def _relative(question: str, today: date) -> Iterator[Span]:
    for found in _RECENT.finditer(question):
        day = today - timedelta(days=found[1].casefold() == "yesterday")
        yield day, day
    for found in _AGO.finditer(question):
        length = _LENGTH[found[2].casefold()]
        count = _COUNT.get(found[1].casefold()) or int(found[1])
        around = today - timedelta(days=length * count)
        yield around - timedelta(days=length // 2), around + timedelta(days=length // 2)
    for found in _LAST.finditer(question):
        which, what = found[1].casefold(), found[2].casefold()
        if what in _WEEKDAYS:
            back = (today.weekday() - _WEEKDAYS.index(what)) % 7 or 7
            yield today - timedelta(days=back), today - timedelta(days=back)
        elif which == "this":
            yield today - timedelta(days=_LENGTH[what]), today
        elif which != "on":
            yield today - timedelta(days=2 * _LENGTH[what]), today


# ── other languages than English ─────────────────────────────────────────────────────────────────


def _tongue(question: str) -> Tongue | None:
    """The language whose small words the question has most of; None: English, or not known."""
    words = re.findall(r"\w+", question.casefold())
    known = [sum(word in small for word in words) for small in _small()]
    if max(known) > sum(word in STOP_WORDS for word in words):
        return TONGUES[known.index(max(known))]
    return None


@functools.cache
def _small() -> tuple[frozenset[str], ...]:
    # Alone, "hier" is French for yesterday, German and Dutch for here.
    return tuple(
        frozenset(f"{t.small} {' '.join({*t.recent} - {'hier'})}".split()) for t in TONGUES
    )


@functools.cache
def _patterns(at: int) -> dict[str, re.Pattern[str]]:
    tongue = TONGUES[at]
    names = tongue.months.replace(" ", "|")
    days = tongue.weekdays.replace(" ", "|")
    units = "|".join(f"(?:{unit})" for unit in tongue.units)
    count = rf"(\d{{1,3}}|{tongue.counts.replace(' ', '|')})"
    every = {
        "month": rf"(?:\b({tongue.lead}) ?)?(?:\b(\d{{1,2}}){tongue.joint} )?\b({names})\b"
        r"(?: (?:de |del )?((?:19|20)\d\d)\b)?",
        "year": rf"\b(?:{tongue.lead}) ((?:19|20)\d\d)\b",
        "recent": rf"(?<![\w'-])({'|'.join(sorted(tongue.recent, key=len, reverse=True))})\b",
        "ago": r"\b" + tongue.ago.format(n=count, unit=f"({units})") + r"\b",
        "last": rf"\b(?:{tongue.past} ({units})|({units}) {tongue.gone})\b",
        "this": rf"\b{tongue.this} ?({units})\b",
        "weekday": rf"\b({days})\b",
    }
    return {name: re.compile(text, re.IGNORECASE) for name, text in every.items()}


def _elsewhere(tongue: Tongue, question: str, today: date) -> Iterator[Span]:
    patterns, named = _patterns(TONGUES.index(tongue)), set()
    for found in patterns["month"].finditer(question):
        lead, day, name, year = found.groups()
        if lead or day or year:
            named.add(year)
            month = _place(tongue.months, name)
            years = [int(year)] if year else range(today.year - _YEARS, today.year + 2)
            for each in years:
                yield from _span(each, month, int(day or 0))
    for found in patterns["year"].finditer(question):
        if found[1] not in named:
            yield date(int(found[1]), 1, 1), date(int(found[1]), 12, 31)
    for found in patterns["recent"].finditer(question):
        then = today - timedelta(days=tongue.recent[found[1].casefold()])
        yield then, then
    for found in patterns["ago"].finditer(question):
        length = _length(tongue, found[2])
        count = int(found[1]) if found[1].isdigit() else _place(tongue.counts, found[1])
        around = today - timedelta(days=length * count)
        yield around - timedelta(days=length // 2), around + timedelta(days=length // 2)
    for found in patterns["last"].finditer(question):
        yield today - timedelta(days=2 * _length(tongue, found[1] or found[2])), today
    for found in patterns["this"].finditer(question):
        yield today - timedelta(days=_length(tongue, found[1])), today
    for found in patterns["weekday"].finditer(question):
        back = (today.weekday() + 1 - _place(tongue.weekdays, found[1])) % 7 or 7
        yield today - timedelta(days=back), today - timedelta(days=back)


def _place(names: str, name: str) -> int:
    """Which of the names, from 1, that is."""
    each = enumerate(names.split(), 1)
    return next(at for at, forms in each if re.fullmatch(forms, name, re.IGNORECASE))


def _length(tongue: Tongue, name: str) -> int:
    """The days of a unit."""
    forms = "|".join(f"(?P<u{at}>{unit})" for at, unit in enumerate(tongue.units))
    found = re.fullmatch(forms, name, re.IGNORECASE)
    assert found is not None and found.lastgroup is not None
    return [*_LENGTH.values()][int(found.lastgroup[1:])]
