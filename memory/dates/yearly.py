"""Compute which years a time expression means that recurs every year."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from .calendar import Span
from .letters import FUTURE, PAST, DayPhrase

_SOON = timedelta(days=183)  # a date without a year may be this far in the future


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
