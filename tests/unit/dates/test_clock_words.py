"""The words for times of day in the files of the languages."""

from __future__ import annotations

from memory.dates import clock_words, time_of_day
from memory.dates.languages import LOCALES


def test_each_field_of_a_language_is_read() -> None:
    known = {name.lower() for name in vars(clock_words)}
    assert {field for each in LOCALES for field in each.clock} <= known


def test_what_somebody_has_is_not_at_that_hour() -> None:
    assert time_of_day("I've 2 meetings tomorrow").moment is None
