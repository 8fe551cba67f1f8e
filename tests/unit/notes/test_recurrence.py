"""The next date of a recurring task."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.notes.recurrence import after

FRIDAY = date(2026, 11, 20)
TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("rule", "next_day"),
    [
        ("every day", "2026-11-21"),
        ("Every  Day", "2026-11-21"),
        ("every 10 days", "2026-11-30"),
        ("every week", "2026-11-27"),
        ("every 2 weeks", "2026-12-04"),
        ("every weekday", "2026-11-23"),
        ("every monday", "2026-11-23"),
        ("every Friday", "2026-11-27"),
        ("every week on Monday, Saturday", "2026-11-21"),
        ("every week on Mondays and Thursdays", "2026-11-23"),
        ("every 2 weeks on Monday", "2026-11-30"),
        ("every month", "2026-12-20"),
        ("every 3 months", "2027-02-20"),
        ("every month on the 15th", "2026-12-15"),
        ("every month on the 25th", "2026-11-25"),
        ("every month on the last", "2026-11-30"),
        ("every year", "2027-11-20"),
        ("every day when done", "2026-11-22"),
        ("every month when done", "2026-12-21"),
    ],
)
def test_rules(rule: str, next_day: str) -> None:
    assert after(rule, FRIDAY, TODAY) == date.fromisoformat(next_day)


@pytest.mark.parametrize(
    "rule",
    [
        "",
        "every",
        "daily",
        "every 0 days",
        "every blue moon",
        "every week on the 3rd",
        "every month on the 2nd Friday",
        "every month on the 40th",
        "every January",
        "every day on Monday",
        "every 999 years on",
        "jeden Tag",
    ],
)
def test_other_rules_are_not_guessed(rule: str) -> None:
    assert after(rule, FRIDAY, TODAY) is None


def test_months_end_on_their_last_day() -> None:
    assert after("every month", date(2027, 1, 31), TODAY) == date(2027, 2, 28)
    assert after("every year", date(2028, 2, 29), TODAY) == date(2029, 2, 28)
    assert after("every month on the last", date(2027, 1, 31), TODAY) == date(2027, 2, 28)
    assert after("every year", date(9999, 1, 1), TODAY) is None


RULES = [
    "every day",
    "every 3 weeks",
    "every weekday",
    "every tuesday",
    "every month",
    "every year",
]


@given(st.sampled_from(RULES), st.dates(max_value=date(9990, 1, 1)))
def test_the_next_day_is_later(rule: str, day: date) -> None:
    following = after(rule, day, TODAY)
    assert following is not None and following > day
