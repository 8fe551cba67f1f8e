"""A time expression, and which years it means if it recurs every year."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from .calendar import Span
from .letters import FUTURE, PAST

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
