"""Reminders some time before what a text dates: "the day before the exam on Friday"."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memory.dates import NotDue, due_time
from tests.support.due_times import day_time_rest

WEDNESDAY = datetime(2026, 11, 4, 14, 30, tzinfo=UTC)


def due(text: str, now: datetime = WEDNESDAY) -> tuple[str, str, str] | None:
    return day_time_rest(text, now)


@pytest.mark.parametrize(
    ("text", "day", "at", "rest"),
    [
        ("the day before the dentist on friday at 3pm", "11-05", "15:00", "the dentist"),
        ("two days before the exam on 20 november", "11-18", "", "the exam"),
        ("a month before the exam on 20 december", "11-20", "", "the exam"),
        ("the evening before the dentist on friday", "11-05", "19:00", "the dentist"),
        ("the night before my flight on friday at 7am", "11-05", "19:00", "my flight"),
        ("the day before the exam tomorrow", "11-04", "", "the exam"),
        ("the day before the exam in three days", "11-06", "", "the exam"),
        ("an hour before the call in 2 hours", "11-04", "15:30", "the call (16:30)"),
        ("the call in 2 hours an hour before", "11-04", "15:30", "the call (16:30)"),
        ("le dentiste dans trois heures une heure avant", "11-04", "16:30", "le dentiste (17:30)"),
        (
            "der Arzt in drei Stunden, eine Stunde vorher",
            "11-04",
            "16:30",
            "der Arzt (17:30)",
        ),
        ("el dentista en tres horas una hora antes", "11-04", "16:30", "el dentista (17:30)"),
        (
            "in an hour call Bob an hour before dinner",
            "11-04",
            "15:30",
            "call Bob an hour before dinner",
        ),
        ("in an hour before lunch eat", "11-04", "15:30", "before lunch eat"),
        ("am Vortag an den Zahnarzt am Freitag um 15 Uhr", "11-05", "15:00", "Zahnarzt"),
        ("einen Tag vor der Prüfung am 20.11.", "11-19", "", "der Prüfung"),
        ("la veille du dentiste vendredi à 15h", "11-05", "15:00", "du dentiste"),
        ("un día antes del examen el 20 de noviembre", "11-19", "", "examen"),
        ("за день до экзамена 20 ноября", "11-19", "", "экзамена"),
        ("of my exam on 20 november 9am the evening before", "11-19", "19:00", "my exam"),
        ("Prüfung am Freitag einen Tag vorher", "11-05", "", "Prüfung"),
        ("el examen el viernes el día antes", "11-05", "", "el examen"),
    ],
)
def test_days_before_an_event_are_earlier(text: str, day: str, at: str, rest: str) -> None:
    found = due(text)

    assert found is not None
    assert (*found[:2], found[2].partition(" (2026-")[0]) == (day, at, rest)


def test_the_event_is_named_with_its_day_and_time() -> None:
    found = due("the day before the dentist on friday at 3pm")

    assert found is not None
    assert found[2] == "the dentist (2026-11-06 15:00)"


@pytest.mark.parametrize(
    ("text", "day", "rest"),
    [
        ("on friday send it a day before she comes", "11-06", "send it a day before she comes"),
        ("tell Ana the day before the trip on friday", "11-06", "tell Ana the day before the trip"),
        ("a week before Christmas gifts", "12-18", "gifts"),
        (
            "on friday pack what I bought the day before",
            "11-06",
            "pack what I bought the day before",
        ),
    ],
)
def test_days_before_within_the_task_are_part_of_it(text: str, day: str, rest: str) -> None:
    assert due(text) == (day, "", rest)


def test_the_day_before_may_be_past() -> None:
    assert due_time("two days before the exam tomorrow", WEDNESDAY) is NotDue.PAST


@pytest.mark.parametrize(
    ("month", "day", "hour", "at"),
    [
        # In March the clock goes from 2:00 to 3:00, in October from 3:00 back to 2:00.
        (3, 28, "03:30", "01:30"),
        (10, 25, "03:30", "02:30"),
        (10, 25, "04:30", "03:30"),
    ],
)
def test_an_hour_before_is_an_hour_when_the_clock_changes(
    month: int, day: int, hour: str, at: str
) -> None:
    now = datetime(2027 - month // 10, month, day - 1, 12, tzinfo=ZoneInfo("Europe/Rome"))

    found = due(f"an hour before the train tomorrow at {hour}", now)

    assert found == (f"{month:02}-{day}", at, f"the train ({hour})")
