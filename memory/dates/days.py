"""Compute the days that a time expression means; weeks begin on Monday."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date

from . import parts
from .calendar import (
    MAIN_DAY,
    WINTER,
    Span,
    add,
    add_months,
    add_units,
    dated,
    name_in,
    third_of,
    week_of,
)
from .letters import FUTURE, PAST, PRESENT
from .parts import FORTNIGHT, SATURDAY, DayPhrase, day_of, distance, year_said, yearly

_MONTHS_OF_NUMBER = 14  # at most between two days with one number and weekday: Friday the 13th
_FEW_HOURS = 6  # so many are within today; people rarely ask at night


def _date(said: DayPhrase) -> list[Span]:
    if said.has("IKH"):
        code = said.get("IKH")
        year, rest = divmod(abs(code), 10_000)
        month, day = divmod(rest, 100)
        if code < 0 and month != day:
            both = -code, year * 10_000 + day * 100 + month
            exact = [replace(said, value=said.value | {"I": each}) for each in both]
            return [span for each in exact for span in _date(each)]
        if year:
            return [span] if (span := dated(year, month, day)) else []
    else:
        month, day = said.get("MN"), said.get("noO")
    spans = yearly(said, lambda year: dated(year, month, day) if day else None)
    if len(spans) > 1 and said.has("WV"):  # "Monday 16 March" fits few years
        return [span for span in spans if span[0].weekday() == said.get("WV")] or spans
    return spans


def _named(said: DayPhrase) -> list[Span]:
    """Return a month, a season or a holiday, or a third of it."""
    third, name = said.value.get("B"), said.get("MSFN")

    def in_year(year: int) -> Span | None:
        span = name_in(year, name)
        return third_of(span, third) if span else None

    spans = yearly(said, in_year)
    if name == WINTER and (year := year_said(said)):  # "winter 2024" may begin or end in 2024
        spans += [span for span in [in_year(year - 1)] if span]
    return spans


def _day(said: DayPhrase) -> list[Span]:
    day = add(said.today, said.value["D"])
    return [(day, day)]


def _night(said: DayPhrase) -> list[Span]:
    """Return last night, which may be on either side of midnight."""
    days = (0,) if said.has("T") else (-1, 0)
    return [(day, day) for day in (add(said.today, by) for by in days)]


def _of_month(said: DayPhrase) -> list[Span]:
    """Return the latest such day of any month; the next one for a question about the future."""
    number, by = said.get("on"), 1 if said.tense == FUTURE else -1
    for months in range(3):
        first = add_months(said.today.replace(day=1), by * months)
        span = dated(first.year, first.month, number) if number else None
        if span and (span[0] - said.today).days * by >= 0:
            return [span]
    return []


def _weekday(said: DayPhrase) -> list[Span]:
    weekday, today = said.get("WV"), said.today
    before = add(today, -((today.weekday() - weekday - 1) % 7 + 1))
    after = add(today, (weekday - today.weekday() - 1) % 7 + 1)
    now = [today] if today.weekday() == weekday else []
    if said.has("LR"):
        days = [add(before, 7 * (said.which + 1))]
    elif said.has("X"):
        days = [add(after, 7 * (said.which - 1))]
    elif said.has("T"):
        day = add(week_of(today)[0], weekday)
        days = [before] if said.tense == PAST and day > today else [day]
    elif said.tense == FUTURE:
        days = [*now, after]
    elif said.tense == PRESENT:
        days = sorted([*now, before, after], key=lambda day: abs((day - today).days))
    else:
        days = [before, *now]
    return [(day, day) for day in days]


def _on_weekday(said: DayPhrase) -> list[Span]:
    """Return the nearest such day of a month that is that weekday: "Friday the 16th"."""
    number, weekday, today = said.get("on"), said.get("WV"), said.today
    nearest = sorted(range(-_MONTHS_OF_NUMBER, _MONTHS_OF_NUMBER + 1), key=abs)
    first = today.replace(day=1)
    found = [span for by in nearest if (span := day_of(add_months(first, by), number))]
    days = [span for span in found if span[0].weekday() == weekday]
    if said.tense in (PAST, FUTURE):
        days = [span for span in days if (span[0] - today).days * said.tense >= 0]
    return sorted(days, key=lambda span: distance(span, today))[:1]


def _in_week(said: DayPhrase) -> list[Span]:
    """Return a weekday of another week: "Friday last week", "two weeks ago on Friday"."""
    _, least, most = counted(said) if said.has("AGP") else ("w", -said.which, -said.which)
    weeks = [week_of(add(said.today, -7 * by))[0] for by in range(least, most + 1)]
    return [(day, day) for day in (add(monday, said.get("WV")) for monday in weeks)]


def _weeks(said: DayPhrase) -> list[Span]:
    """Return the week of a day, or its weekend: "the week of 5 May", "the week of the 5th"."""
    if said.has("F") or (said.has("N") and not said.has("noO")):
        spans = _named(said)
    elif said.has("MNIKH"):
        spans = _date(said)
    else:
        spans = _on_weekday(said) if said.has("WV") else _of_month(said)
    weeks = [week_of(first) for first, _ in spans]
    if said.has("e"):
        return [(add(first, SATURDAY), last) for first, last in weeks]
    return weeks


def _feast_weekend(said: DayPhrase) -> list[Span]:
    """Return the weekend of a holiday, with the days of the holiday next to it: Thanksgiving is a
    Thursday, Labor Day a Monday."""
    if said.get("FN") <= WINTER:
        return _named(said)

    def in_year(year: int) -> Span | None:
        if not (span := name_in(year, said.get("FN"))):
            return None
        first, last = span
        saturday = add(week_of(add(first, -2))[0], SATURDAY)  # of a Monday or Tuesday, before it
        begin = first if 0 < (saturday - first).days <= 2 else saturday
        sunday = add(saturday, 1)
        return begin, last if 0 <= (last - sunday).days <= 2 else sunday

    return yearly(said, in_year)


def _next_to(said: DayPhrase) -> list[Span]:
    """Return the day before or after a date or a holiday: "the day after Christmas", "the evening
    before Halloween"."""
    if said.has("F"):
        name = said.value["F"]
        said = replace(said, value=said.value | {"F": MAIN_DAY.get(name, name)})
    spans = _named(said) if said.has("FN") and not said.has("noO") else _date(said)
    is_before = said.has("P") or said.get("<>") < 0
    days = [add(first, -1) if is_before else add(last, 1) for first, last in spans]
    return [(day, day) for day in days]


def _week_after(said: DayPhrase) -> list[Span]:
    """Return a day in one or two weeks: "Tuesday week", "mardi en quinze", "demain en huit"."""
    unit, count, _ = counted(said) if said.has("dw") else ("d", said.get("nc"), 0)
    if unit == "d":
        count = {7: 1, 8: 1, 14: 2, 15: 2}.get(count, 0)
    if said.has("D"):
        day = add(said.today, said.value["D"] + 7 * count)
        return [(day, day)]
    if not count:
        return _weekday(said)
    ahead = (said.get("WV") - said.today.weekday()) % 7
    day = add(said.today, 7 * count + ahead)
    return [(day, day)]


def _week_before(said: DayPhrase) -> list[Span]:
    """Return a day some weeks before the last one: "last Sunday week", "a week ago last Sunday"."""
    _, count, _ = counted(said)
    return [(add(day, -7 * count), add(day, -7 * count)) for day, _ in _weekday(said)]


def _unit(said: DayPhrase) -> list[Span]:
    """Return the previous, this, or the next week, month, year or weekend."""
    today, by = said.today, said.which
    if said.has("e"):
        saturdays = [add(monday, SATURDAY) for monday in _weekends(said, by)]
        return [(saturday, add(saturday, 1)) for saturday in saturdays]
    if said.value.get("w") == FORTNIGHT:
        return [(add(today, min(0, 14 * by)), add(today, max(0, 14 * by)))]
    return [third_of(parts.period(said, by), said.value.get("B"))]


def _weekends(said: DayPhrase, by: int) -> list[date]:
    """Return the Mondays of the weeks whose weekends are meant."""
    today = said.today
    is_weekend = today.weekday() >= 5
    if said.has("X") and by == 1:
        weeks = [1] if is_weekend else [0, 1]  # on a Monday, "next weekend" may be either
    elif said.has("LRX"):
        weeks = [by]
    elif said.tense == FUTURE or (said.has("T") and (is_weekend or said.tense != PAST)):
        weeks = [0]
    else:
        weeks = [-1, 0] if is_weekend and not said.has("T") else [-1]
    return [week_of(add(today, 7 * week))[0] for week in weeks]


def counted(said: DayPhrase) -> tuple[str, int, int]:
    """Return the unit, and the lowest and the highest number of them."""
    if said.has("J"):
        count = said.get("nc") if said.has("nc") else 1
        return "m", 6 * count, 6 * count
    unit = next(letter for letter in "dwmye§" if said.has(letter))
    if said.has("k"):
        return unit, 1, 3
    count = said.get("nc") if said.has("nc") else 1
    if said.has("g") and count == 1:  # "unas tres semanas" is about three
        return unit, 2, 7 if unit == "d" else 5
    count *= 2 if said.value.get("w") == FORTNIGHT else 1
    return unit, count, count


_AROUND = {"d": (0, 1), "w": (1, 3), "m": (3, 15), "y": (15, 182)}  # days
_MANY_DAYS = 7  # from this number on, people count roughly


def _distant(said: DayPhrase) -> list[Span]:
    """Return the days around some days, weeks, months or years ago or from now, nearest first."""
    unit, least, most = counted(said)
    by = -1 if said.has("AGPL") else 1
    from_day = add(said.today, said.value.get("D", 0))
    ends = [add_units(from_day, unit, by * count) for count in sorted((least, most))]
    widths = (0,) if least < most else _AROUND.get(unit, (3,))
    if said.has("D=") or (unit == "d" and least < _MANY_DAYS):  # "a year ago today"
        widths = (0,)
    return [(add(min(ends), -width), add(max(ends), width)) for width in widths]


def _weekdays_ago(said: DayPhrase) -> list[Span]:
    """Return the day of "two Fridays ago"."""
    last = add(said.today, -((said.today.weekday() - said.get("%WV") - 1) % 7 + 1))
    day = add(last, -7 * ((2 if said.has("k") else said.get("nc")) - 1))
    return [(day, day)]


def _working_day(said: DayPhrase) -> list[Span]:
    """Return the next working day, or the one in so many of them."""
    day = parts.working_day(said.today, 1 if said.has("X") else counted(said)[1])
    return [(day, day)]


def _rolling(said: DayPhrase) -> list[Span]:
    """Return the days up to today, or from today on: "the last three weeks"."""
    if said.has(":"):  # the hours up to now may begin on the day before
        hours = _FEW_HOURS if said.has("kg") else said.get("nc") if said.has("nc") else 1
        by = -(-hours // 24) if hours > _FEW_HOURS else 0
        unit, count = "d", by
    else:
        unit, _, most = counted(said)
        count = 2 if said.has("k") else most
    other = add_units(said.today, unit, count if said.has("X") else -count)
    return [(min(other, said.today), max(other, said.today))]


def _in_year(said: DayPhrase) -> list[Span]:
    year = said.value["Y"]
    return [third_of((date(year, 1, 1), date(year, 12, 31)), said.value.get("B"))]


MEANINGS: dict[str, Callable[[DayPhrase], list[Span]]] = {
    "week_after": _week_after,
    "week_before": _week_before,
    "feast_weekend": _feast_weekend,
    "week_of": _weeks,
    "next_to": _next_to,
    "nth": parts.nth,
    "nth_of_period": parts.nth_of_period,
    "in_month": parts.in_month,
    "quarter": parts.quarter,
    "half": parts.half,
    "nth_feast": parts.nth_feast,
    "calendar_week": parts.week_by_number,
    "in_week": _in_week,
    "date": _date,
    "named": _named,
    "on_weekday": _on_weekday,
    "night": _night,
    "day": _day,
    "of_month": _of_month,
    "working_day": _working_day,
    "rolling": _rolling,
    "ago": _distant,
    "weekdays_ago": _weekdays_ago,
    "later": _distant,
    "unit": _unit,
    "weekday": _weekday,
    "in_year": _in_year,
}
