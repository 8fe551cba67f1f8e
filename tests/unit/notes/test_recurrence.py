"""The next date of a recurring task."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.notes.recurrence import (
    after,
    ending,
    first_on,
    is_supported,
    shifted_reminder,
    split_rule,
)

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
        ("every month on the last Friday", "2026-11-27"),
        ("every month on the last weekday", "2026-11-30"),
        ("every month on the 1st weekday", "2026-12-01"),
        ("every month on the 2nd last Friday", "2026-12-18"),
        ("every month on the 2nd Friday", "2026-12-11"),
        ("every month on the 1st and 24th", "2026-11-24"),
        ("every 6 months on the 2nd Wednesday", "2027-05-12"),
        ("every 2 months on the last", "2026-11-30"),
        ("every January on the 15th", "2027-01-15"),
        ("every February on the last", "2027-02-28"),
        ("every November on the 20th", "2027-11-20"),
        ("every April and December on the 1st and 24th", "2026-12-01"),
        ("every January", "2027-01-20"),
        ("every January when done", "2027-01-21"),
        ("every year", "2027-11-20"),
        ("every day when done", "2026-11-22"),
        ("every month when done", "2026-12-21"),
    ],
)
def test_the_next_day_of_a_recurrence_rule(rule: str, next_day: str) -> None:
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
        "every month on the 40th",
        "every month on the 6th Friday",
        "every month on the 0th",
        "every month on the 2nd someday",
        "every month on Friday",
        "every January on Friday",
        "every January and then",
        "every February on the 30th",
        "every day on Monday",
        "every 999 years on",
        "jeden Tag",
        "every day until",
        "every day until Friday",
        "every day until February 30, 2027",
        "every day until December 4",
        "until December 4, 2026",
    ],
)
def test_other_rules_are_not_guessed(rule: str) -> None:
    assert not is_supported(rule)
    assert after(rule, FRIDAY, TODAY) is None
    assert first_on(rule, TODAY, or_today=True) is None
    assert shifted_reminder(rule, FRIDAY, TODAY) == FRIDAY


@pytest.mark.parametrize(
    ("rule", "last", "ends"),
    [
        ("every day", "2026-11-22", "every day until November 22, 2026"),
        ("every  2 days when done", "2026-12-01", "every 2 days until December 1, 2026 when done"),
        ("every day until November 22, 2026", "2026-12-01", "every day until November 22, 2026"),
    ],
)
def test_a_rule_may_end(rule: str, last: str, ends: str) -> None:
    found = ending(rule, date.fromisoformat(last))
    assert found == ends and is_supported(found)


def test_after_its_end_nothing_follows() -> None:
    rule = "every 2 days until November 24th, 2026"
    assert after(rule, FRIDAY, TODAY) == date(2026, 11, 22)
    assert after(rule, date(2026, 11, 22), TODAY) == date(2026, 11, 24)
    assert after(rule, date(2026, 11, 23), TODAY) is None
    assert after(f"{rule} when done", FRIDAY, date(2026, 11, 23)) is None
    assert first_on(rule, date(2026, 11, 24), or_today=True) == date(2026, 11, 24)
    assert first_on(rule, date(2026, 11, 24), or_today=False) is None
    assert shifted_reminder(rule, FRIDAY, date(2026, 11, 24)) == date(2026, 11, 24)


def test_months_end_on_their_last_day() -> None:
    assert after("every month", date(2027, 1, 31), TODAY) == date(2027, 2, 28)
    assert after("every year", date(2028, 2, 29), TODAY) == date(2029, 2, 28)
    assert after("every month on the last", date(2027, 1, 31), TODAY) == date(2027, 2, 28)
    assert after("every February", date(2027, 1, 31), TODAY) == date(2027, 2, 28)
    assert after("every year", date(9999, 1, 1), TODAY) is None


def test_a_day_that_the_rule_names_is_not_moved() -> None:
    assert after("every month on the 31st", date(2027, 1, 31), TODAY) == date(2027, 3, 31)
    assert after("every February on the 29th", date(2096, 2, 29), TODAY) == date(2104, 2, 29)
    assert after("every month on the 5th Sunday", date(2026, 11, 29), TODAY) == date(2027, 1, 31)


@pytest.mark.parametrize(
    ("rule", "from_today", "later"),
    [
        ("every day", "2026-11-21", "2026-11-22"),
        ("every Saturday", "2026-11-21", "2026-11-28"),
        ("every month on the 21st", "2026-11-21", "2026-12-21"),
        ("every month on the 21st when done", "2026-11-21", "2026-12-21"),
        ("every November", "2026-11-21", "2027-11-21"),
        ("every March", "2027-03-21", "2027-03-21"),
        ("every March on the 1st", "2027-03-01", "2027-03-01"),
        ("every May and November on the 21st", "2026-11-21", "2027-05-21"),
        ("every 2 weeks on Saturday", "2026-11-21", "2026-11-28"),
        ("every 3 months on the 1st", "2026-12-01", "2026-12-01"),
    ],
)
def test_the_first_day_may_be_today(rule: str, from_today: str, later: str) -> None:
    assert first_on(rule, TODAY, or_today=True) == date.fromisoformat(from_today)
    assert first_on(rule, TODAY, or_today=False) == date.fromisoformat(later)
    assert first_on("every blue moon", TODAY, or_today=True) is None


@pytest.mark.parametrize(
    ("text", "rule", "rest"),
    [
        ("every Monday call Ana", "every Monday", "call Ana"),
        ("pay rent every month on the last Friday 9:00", "every month on the last Friday", None),
        (
            "every April and December on the 1st and 24th when done: tax",
            "every April and December on the 1st and 24th when done",
            "tax",
        ),
        ("every now and then", "", "every now and then"),
        ("every day until May 4, 2027 pills", "every day until May 4, 2027", "pills"),
    ],
)
def test_a_rule_is_split_from_its_task(text: str, rule: str, rest: str | None) -> None:
    assert split_rule(text) == (rule, "pay rent 9:00" if rest is None else rest)


RULES = [
    "every day",
    "every 3 weeks",
    "every weekday",
    "every tuesday",
    "every month",
    "every month on the 31st",
    "every month on the 5th Monday",
    "every February on the last",
    "every May and June",
    "every year",
]


@given(st.sampled_from(RULES), st.dates(max_value=date(9990, 1, 1)))
def test_the_next_day_is_later(rule: str, day: date) -> None:
    following = after(rule, day, TODAY)
    assert following is not None and following > day


@pytest.mark.parametrize(
    ("rule", "day", "due", "moved"),
    [
        ("every week", "2026-02-12", "2026-02-26", "2026-02-26"),
        ("every month", "2026-02-13", "2026-02-15", "2026-02-13"),
        ("every month", "2026-02-13", "2026-03-15", "2026-03-13"),
        ("every month when done", "2026-02-13", "2026-03-20", "2026-03-20"),
        ("every week on Monday", "2026-02-13", "2026-02-16", "2026-02-13"),
        ("every week on Monday", "2026-02-13", "2026-02-23", "2026-02-20"),
        ("every 2 weeks on Monday", "2026-02-16", "2026-03-02", "2026-03-02"),
        ("every month on the 15th", "2026-01-12", "2026-02-15", "2026-02-12"),
        ("jeden Monat", "2026-02-13", "2026-03-15", "2026-02-13"),
    ],
)
def test_a_reminder_moves_along_with_its_task(rule: str, day: str, due: str, moved: str) -> None:
    found = shifted_reminder(rule, date.fromisoformat(day), date.fromisoformat(due))
    assert found == date.fromisoformat(moved)
