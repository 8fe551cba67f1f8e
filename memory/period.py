"""The days that a question speaks of: "in May 2023", "last week", "on Monday". Knows no clock.

English, and dates as 2023-05-07. What it does not understand it leaves alone: the period is a hint
for the ranking, never a filter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

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
    return [*_absolute(question, today), *_relative(question, today)]


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
