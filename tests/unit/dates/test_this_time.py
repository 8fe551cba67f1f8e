"""The time of day at which a reminder is asked for: "this time tomorrow"."""

from __future__ import annotations

from datetime import datetime, time
from zoneinfo import ZoneInfo

import pytest

from bot.chat.tasks.reading import read_due
from memory.tools import Due

SATURDAY = datetime(2026, 11, 28, 12, 34, tzinfo=ZoneInfo("Europe/Berlin"))


def due(words: str) -> str:
    """Return the day, the time and the text of a reminder."""
    _, _, found = read_due(words, SATURDAY, rings=time(9))
    assert isinstance(found, Due)
    return f"{found.day:%m-%d} {found.time or ''} {found.rest}".strip()


@pytest.mark.parametrize(
    "words",
    [
        "this time tomorrow Ana",
        "tomorrow at the same time Ana",
        "Ana tomorrow around this time",
        "um diese Zeit morgen Ana",
        "morgen zur gleichen Zeit Ana",
        "demain à la même heure Ana",
        "demain à cette heure-ci Ana",
        "mañana a esta hora Ana",
        "mañana a la misma hora Ana",
        "domani a quest'ora Ana",
        "domani alla stessa ora Ana",
        "amanhã a esta hora Ana",
        "amanhã à mesma hora Ana",
        "morgen rond deze tijd Ana",
        "morgen om dezelfde tijd Ana",
        "jutro o tej porze Ana",
        "jutro o tej samej porze Ana",
        "завтра в это время Ana",
        "завтра в то же время Ana",
        "明日の今頃 Ana",
        "明日の同じ時間に Ana",
        "明天这个时候 Ana",
        "明天同一时间 Ana",
        "every day at this time Ana",
    ],
)
def test_this_time_is_that_of_the_message(words: str) -> None:
    assert due(words) == "11-29 12:34:00 Ana"


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("same time next week Ana", "12-05"),
        ("Ana this time next month", "12-28"),
        ("am 3.12. um diese Zeit Ana", "12-03"),
        ("in 3 days same time Ana", "12-01"),
    ],
)
def test_this_time_may_be_on_another_day(words: str, day: str) -> None:
    assert due(words) == f"{day} 12:34:00 Ana"


def test_this_time_that_is_beside_no_day_is_part_of_the_task() -> None:
    assert due("tomorrow do it well this time") == "11-29  do it well this time"
