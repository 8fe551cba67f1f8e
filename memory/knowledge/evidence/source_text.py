"""The texts that support a line, and what the lines of facts and summaries are checked for alike:
their quotation, their days and their numbers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from ...text.tokenize import STOP_WORDS
from ...text.word_forms import folded, is_unspaced, squeezed, words
from . import calendar_words
from .calendar_words import CalendarWords

_ELISION = re.compile(r"…|\.\.\.|\[…\]")


@dataclass(frozen=True)
class SourceText:
    """The words of some messages, and the days of these."""

    texts: tuple[str, ...]
    days: tuple[date, ...]
    authors: tuple[str, ...] = ()

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the folded words, including the speakers' names."""
        return frozenset(w for text in (*self.texts, *self.authors) for w in words(folded(text)))

    @cached_property
    def squeezed(self) -> str:
        """Return all letters and digits without spaces, for scripts that use none."""
        return " ".join(map(squeezed, self.texts))

    @cached_property
    def calendar(self) -> CalendarWords:
        """Return the numbers and dates in the texts."""
        pairs = zip(self.texts, self.days, strict=True)
        return calendar_words.joined(calendar_words.read(text, day) for text, day in pairs)


def quotes(quote: str, said: str) -> bool:
    """Return whether the words of every part of the quotation occur in a text."""
    parts = [part for part in _ELISION.split(quote) if part.strip()]
    if not parts:
        return False
    if is_unspaced(said):
        source = squeezed(said)
        found = [squeezed(part) for part in parts]
        return all(found) and max(map(len, found)) >= 2 and all(part in source for part in found)
    source = f" {' '.join(words(folded(said)))} "
    spoken = [words(folded(part)) for part in parts]
    if not all(f" {' '.join(part)} " in source for part in spoken if part):
        return False
    every = [word for part in spoken for word in part]
    return any(word not in STOP_WORDS for word in every) or (
        bool(every) and " ".join(every) == source.strip()
    )


def unsupported_values(text: str, evidence: SourceText, *, known: Collection[str]) -> str:
    """Return which of a line's days and numbers its sources do not support: `date`, `number`, or
    "". Words in `known` are not taken as numbers."""
    if not all(evidence.calendar.names_day(day) for day in calendar_words.iso_days(text)):
        return "date"
    rest = calendar_words.ISO_DAY.sub(" ", text)
    months = [(int(y), int(m)) for y, m in calendar_words.ISO_MONTH.findall(rest)]
    if not all(evidence.calendar.names_month(*each) for each in months):
        return "date"
    rest = without_days(text)
    return _unsaid_time(rest, evidence) or (
        "number" if any(_unsaid_numbers(rest, evidence, known)) else ""
    )


def without_days(text: str) -> str:
    """Return the text without days and months in digits."""
    return calendar_words.ISO_MONTH.sub(" ", calendar_words.ISO_DAY.sub(" ", text))


def _unsaid_time(text: str, evidence: SourceText) -> str:
    """Return "date" for a month or weekday that the sources do not mention."""
    said = evidence.calendar
    for number, word in enumerate(words(text)):
        plain = folded(word)
        capital = word[:1].isupper() and number > 0
        if plain in evidence.words:
            continue
        months = calendar_words.month_of(word, has_capital=capital)
        weekdays = calendar_words.weekday_of(word, has_capital=capital)
        if (months and not months & said.months) or (
            not months and weekdays and not weekdays & said.weekdays
        ):
            return "date"
    return ""


def _unsaid_numbers(text: str, evidence: SourceText, known: Collection[str]) -> Iterator[str]:
    """Yield the numbers of a line that do not occur in its sources."""
    said = evidence.calendar
    dated = bool(said.months) and any(
        calendar_words.month_of(word, has_capital=word[:1].isupper()) for word in words(text)
    )
    for number in calendar_words.stated_numbers(text, known=known):
        if number in said.numbers:
            continue
        is_year = number.isdecimal() and len(number) == 4
        if not (is_year and dated and said.may_mean_year(int(number))):
            yield number
