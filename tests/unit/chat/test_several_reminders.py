"""One command that sets several reminders: several times of day, several days."""

from __future__ import annotations

from datetime import datetime, time
from zoneinfo import ZoneInfo

import pytest

from bot.chat.tasks.reading import each_reminder, read_due
from memory.tools import Due

SATURDAY = datetime(2026, 11, 28, 7, tzinfo=ZoneInfo("Europe/Berlin"))


def reminders(words: str) -> list[str]:
    """Return each reminder's day, time, text and rule."""
    found = []
    for each in each_reminder(words, SATURDAY):
        rule, _, due = read_due(each, SATURDAY, rings=time(9))
        assert isinstance(due, Due)
        found.append(f"{due.day:%m-%d} {due.time or time(9):%H:%M} {due.rest} {rule}".strip())
    return found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("on Monday and Thursday at 9 Ana", ["11-30 09:00 Ana", "12-03 09:00 Ana"]),
        (
            "Ana Monday, Wednesday & Friday",
            [f"{day} 09:00 Ana" for day in ("11-30", "12-02", "12-04")],
        ),
        ("today and tomorrow at 18:00 x", ["11-28 18:00 x", "11-29 18:00 x"]),
        ("morgen und am Freitag um 9 x", ["11-29 09:00 x", "12-04 09:00 x"]),
        ("lundi et jeudi à 9h x", ["11-30 09:00 x", "12-03 09:00 x"]),
        ("on the 10th and 11th at 9 x", ["12-10 09:00 x", "12-11 09:00 x"]),
        (
            "tomorrow and Monday at 8 and 20:00 x",
            [
                *("11-29 08:00 x", "11-30 08:00 x", "11-29 20:00 x", "11-30 20:00 x"),
            ],
        ),
        ("at 9, 12:30 and 15:00 x", ["11-28 09:00 x", "11-28 12:30 x", "11-28 15:00 x"]),
    ],
)
def test_several_days_and_times(words: str, found: list[str]) -> None:
    assert reminders(words) == found


@pytest.mark.parametrize(
    "words",
    [
        "three times a day at 8, 14 and 20 x",
        "x 3 times a day at 8, 14:00 and 20:00",
        "3x täglich um 8, 14 und 20 Uhr x",
        "3 fois par jour à 8h, 14h et 20h x",
        "tres veces al día a las 8, 14 y 20 x",
        "tre volte al giorno alle 8, 14 e 20 x",
        "três vezes ao dia às 8, 14 e 20 x",
        "drie keer per dag om 8, 14 en 20 uur x",
        "trzy razy dziennie o 8, 14 i 20 x",
        "три раза в день в 8, 14 и 20 x",
    ],
)
def test_so_many_times_a_day(words: str) -> None:
    assert reminders(words) == [f"11-28 {at}:00 x every day" for at in ("08", "14", "20")]


def test_so_many_times_a_day_without_the_times_is_asked_for() -> None:
    assert read_due("three times a day x", SATURDAY, rings=time(9))[-1] is None


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("every day at 8 x for 3 days", "11-28 08:00 x every day until November 30, 2026"),
        ("every Monday x for 2 weeks", "11-30 09:00 x every Monday until December 13, 2026"),
        ("every Monday order food for a week", "11-30 09:00 order food for a week every Monday"),
        ("every Sunday cook for 5 days", "11-29 09:00 cook for 5 days every Sunday"),
        ("jeden Montag für eine Woche x", "11-30 09:00 für eine Woche x every week on Monday"),
    ],
)
def test_a_length_ends_a_series_of_two_or_more(words: str, found: str) -> None:
    assert reminders(words) == [found]


@pytest.mark.parametrize(
    "words",
    [
        "tomorrow at 9 ask whether Monday and Tuesday suit",
        "tomorrow at 9 book Monday and Tuesday in Rome",
        "buy 2, 3 and 4 mm screws tomorrow at 9",
        "every Monday and Thursday at 9 gym",
        "tomorrow, Sunday, at 9 x",
    ],
)
def test_other_days_and_numbers_are_part_of_one_reminder(words: str) -> None:
    assert each_reminder(words, SATURDAY) == [words]
