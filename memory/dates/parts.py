"""A time expression, which years it means if it recurs every year, and the parts of a month or a
year that have a number: "the second week of May", "Q3"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, date, timedelta

from .calendar import (
    Span,
    add,
    add_months,
    calendar_week,
    dated,
    month_of,
    nth_of_feast,
    quarter_of,
    week_of,
)
from .letters import FUTURE, PAST

SATURDAY = 5  # the weekday
FORTNIGHT = 5  # the slot of two weeks among the units of a locale
_HALF = 15  # the last day of the first half of a month
_SOON = timedelta(days=183)  # a date without a year may be this far in the future


@dataclass(frozen=True, slots=True)
class DayPhrase:
    """A time expression as letters, each with its first value."""

    value: dict[str, int]
    today: date
    tense: int

    @classmethod
    def of(cls, letters: str, values: Sequence[int], today: date, tense: int) -> DayPhrase:
        """Build it from the letters and their values; of a repeated letter, the first counts."""
        return cls(dict(zip(letters[::-1], values[::-1], strict=True)), today, tense)

    def has(self, letters: str) -> bool:
        return any(letter in self.value for letter in letters)

    def get(self, letters: str) -> int:
        """Return the value of the first of these letters that occurs."""
        return next(self.value[letter] for letter in letters if letter in self.value)

    @property
    def which(self) -> int:
        """The offset: 0 for "this" or if unsaid, -1 for "last", -2 for the one before last."""
        value = self.get("LRTX") if self.has("LRTX") else 0
        return 2 * value if self.has(">") else value


def year_said(said: DayPhrase) -> int | None:
    """Return the year that an expression names; None if it names none."""
    if said.has("Y"):
        return said.value["Y"]
    return said.today.year + said.which if said.has("y") and said.has("LRTX") else None


def yearly(said: DayPhrase, in_year: Callable[[int], Span | None]) -> list[Span]:
    """Return the spans meant by an expression that recurs every year, the likeliest first."""
    today, year = said.today, year_said(said)
    if year is not None:
        return [span] if (span := in_year(year)) else []
    reach = 3 if in_year(2023) else 9  # years; 29 February may be eight years away
    every = [span for by in range(-reach, reach + 1) if (span := in_year(today.year + by))]
    begun = [span for span in every if span[0] <= today]
    coming = [span for span in every if span[0] > today]
    if said.has("LR"):
        ended = [span for span in begun if span[1] < today]
        return ended[said.which :][:1]
    if said.has("X"):
        return coming[said.which - 1 :][:1]
    present = [span for span in begun[-1:] if span[1] >= today]
    if said.has("T"):
        this = present or [span for span in every if span[0].year == today.year]
        return begun[-1:] if said.tense == PAST and this[:1] == coming[:1] else this
    if said.tense == PAST:
        return begun[-1:]
    if said.tense == FUTURE:
        return present or coming[:1]
    near = [span for span in coming[:1] if not present and span[0] - today < _SOON]
    return sorted(begun[-1:] + near, key=lambda span: distance(span, today))


def distance(span: Span, today: date) -> int:
    """Return how many days a span is from today."""
    return max((span[0] - today).days, (today - span[1]).days, 0)


def nth_feast(said: DayPhrase) -> list[Span]:
    """Return the second Sunday of Advent, or the second day of Christmas."""
    name, number = said.get("F"), said.get("Oon")
    return yearly(said, lambda year: nth_of_feast(year, name, number))


def week_by_number(said: DayPhrase) -> list[Span]:
    """Return the week of a year with that number."""
    number = said.get("no")
    return yearly(said, lambda year: calendar_week(year, number))


def nth(said: DayPhrase) -> list[Span]:
    """Return the second week of May, or its last Friday, weekend or day."""
    if said.has("m"):  # "the last Friday of last month"
        by = said.value["X"] if said.has("X") else 0 if said.has("T") else -1
        span = _nth_in(said, month_of(add_months(said.today.replace(day=1), by)))
        return [span] if span else []

    if said.tense == FUTURE and not said.has("Oo"):  # "last" is not of the month's year
        said = replace(said, value={key: n for key, n in said.value.items() if key not in "LR"})

    def in_year(year: int) -> Span | None:
        month = dated(year, said.get("MN"), 0)
        return _nth_in(said, month) if month else None

    return yearly(said, in_year)


def nth_of_period(said: DayPhrase) -> list[Span]:
    """Return the next first Monday of a month, or the latest one if the tense is not the future:
    "the first Monday of the month", "the last day of the month". Working days may also be of a
    week, a quarter or a year."""
    by = 1 if said.tense == FUTURE else -1
    if said.has("TX") or (said.has("¶") and said.has("L")):  # "本月最后一个工作日"
        which = said.which if said.has("¶") else said.value.get("X", 0)
        return [span] if (span := _nth_in(said, period(said, which))) else []
    if by < 0 and said.has("L") and not said.has("dewWVmUy"):  # "on my last working day"
        day = working_day(said.today, -1)
        return [(day, day)]
    spans = [_nth_in(said, period(said, by * count)) for count in (0, 1)]
    found = [span for span in spans if span]
    if by > 0:
        return [span for span in found if span[1] >= said.today][:1]
    return [span for span in found if span[0] <= said.today][:1]


def period(said: DayPhrase, by: int) -> Span:
    """Return the month, or the week, quarter or year that is named, so many of them from now."""
    today = said.today
    if said.has("m") or not said.has("wUy"):
        return month_of(add_months(today.replace(day=1), by))
    if said.has("w"):
        return week_of(add(today, 7 * by))
    if said.has("U"):
        day = add_months(today, 3 * by)
        return quarter_of(day.year, (day.month + 2) // 3)
    year = add_months(today, 12 * by)
    return year.replace(month=1, day=1), year.replace(month=12, day=31)


def _nth_in(said: DayPhrase, month: Span) -> Span | None:
    """Return the week, weekend or day of a month that an ordinal names."""
    first, last = month
    count = said.get("Oo") if said.has("Oo") else None
    if said.has("§¶"):
        count = said.value.get("¶", count or -1)
        day = working_day(add(first, -1) if count > 0 else add(last, 1), count)
        return (day, day) if first <= day <= last else None
    if said.value.get("w") == FORTNIGHT:  # "la première quinzaine d'octobre"
        half = first.replace(day=_HALF)
        return (first, half) if count == 1 else (add(half, 1), last)
    length, step = (6 if said.has("w@") else 0), 1 if said.has("d") else 7
    if not said.has("dw@"):  # that weekday in the first or the last week of the month
        weekday = SATURDAY if said.has("e") else said.get("WV")
        first = add(first, (weekday - first.weekday()) % 7)
        last = add(last, -((last.weekday() - weekday) % 7))
    begin = add(last, -length) if count is None else add(first, step * (count - 1))
    if begin > last:
        return None
    return begin, add(begin, 1) if said.has("e") else min(add(begin, length), last)


def working_day(day: date, count: int) -> date:
    """Return the day so many working days later, or earlier if `count` is negative."""
    for _ in range(abs(count)):
        day = add(day, 1 if count > 0 else -1)
        while day.weekday() >= SATURDAY:
            day = add(day, 1 if count > 0 else -1)
    return day


def quarter(said: DayPhrase) -> list[Span]:
    """Return a quarter of a year by its number; "the last quarter of 2025" is the fourth."""
    number = said.get("EOonc") if said.has("EOonc") else 4

    def in_year(year: int) -> Span | None:
        return quarter_of(year, number) if MINYEAR <= year <= MAXYEAR else None

    return yearly(said, in_year) if 1 <= number <= 4 else []


def half(said: DayPhrase) -> list[Span]:
    """Return the first or the second half of a month or a year."""
    is_first = said.get("!½") == 1

    def of_month(month: Span) -> Span:
        middle = month[0].replace(day=_HALF)
        return (month[0], middle) if is_first else (add(middle, 1), month[1])

    def in_year(year: int) -> Span | None:
        month = dated(year, said.get("MN"), 0)
        return of_month(month) if month else None

    if said.has("MN"):
        return yearly(said, in_year)
    if said.has("m"):
        return [of_month(month_of(add_months(said.today.replace(day=1), said.which)))]
    year = said.value["Y"] if said.has("Y") else said.today.year + said.which
    begin, end = dated(year, 1 if is_first else 7, 0), dated(year, 6 if is_first else 12, 0)
    return [(begin[0], end[1])] if begin and end else []


def in_month(said: DayPhrase) -> list[Span]:
    """Return a day of the previous, this, or the next month: "the 3rd of last month"."""
    month = add_months(said.today.replace(day=1), said.which)
    return [span] if (span := day_of(month, said.get("oOn"))) else []


def day_of(month: date, number: int) -> Span | None:
    """Return a day of a month; None if the month does not have it."""
    return dated(month.year, month.month, number) if number else None
