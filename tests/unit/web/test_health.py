"""The curve of the self-exam."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from bot.web.costs_and_health import curve
from memory.log import Exam


def test_a_night_of_the_curve_has_the_owners_day() -> None:
    exam = Exam(datetime(2026, 11, 20, 18, 30, tzinfo=UTC), "0.1.0", "", "", {1: 1}, {})
    [point] = curve([exam], ZoneInfo("Asia/Tokyo"))
    assert point.day == date(2026, 11, 21)
