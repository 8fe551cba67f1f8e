"""Working days: the last one of a month, the next one, and some of them later."""

from __future__ import annotations

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from bot.chat.tasks.reading import read_due
from memory.dates import time_range
from memory.tools import Due

MAY = datetime(2026, 5, 21, 12, 0, tzinfo=ZoneInfo("Europe/Berlin"))  # a Thursday


def read(words: str) -> tuple[str, str, str]:
    """Return the day, the text and the rule of a reminder."""
    rule, _, due = read_due(words, MAY, rings=time(9))
    assert isinstance(due, Due)
    return f"{due.day:%m-%d}", due.rest, rule


@pytest.mark.parametrize(
    "words",
    [
        *("the last working day of the month Ana", "last working day Ana"),
        *("Ana on the last business day of May", "am letzten Arbeitstag des Monats Ana"),
        *("am letzten Werktag im Monat Ana", "le dernier jour ouvré du mois Ana"),
        *("el último día hábil del mes Ana", "l'ultimo giorno lavorativo del mese Ana"),
        *("o último dia útil do mês Ana", "de laatste werkdag van de maand Ana"),
        *("w ostatni dzień roboczy miesiąca Ana", "в последний рабочий день месяца Ana"),
        *("今月の最終営業日に Ana", "最終営業日に Ana", "本月最后一个工作日 Ana"),
    ],
)
def test_the_last_working_day_of_a_month_is_no_sunday(words: str) -> None:
    assert read(words) == ("05-29", "Ana", "")


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("first working day Ana", "06-01"),
        ("the first working day of August Ana", "08-03"),
        ("来月の最初の営業日に Ana", "06-01"),
        ("next working day Ana", "05-22"),
        ("am nächsten Werktag Ana", "05-22"),
        ("in 3 working days Ana", "05-26"),
        ("in 3 Werktagen Ana", "05-26"),
        ("dans 3 jours ouvrés Ana", "05-26"),
        ("en 3 días hábiles Ana", "05-26"),
        ("tra 3 giorni lavorativi Ana", "05-26"),
        ("em 3 dias úteis Ana", "05-26"),
        ("over 3 werkdagen Ana", "05-26"),
        ("za 3 dni robocze Ana", "05-26"),
        ("через 3 рабочих дня Ana", "05-26"),
        ("3営業日後に Ana", "05-26"),
        ("3个工作日后 Ana", "05-26"),
    ],
)
def test_working_days_are_counted_without_weekends(words: str, day: str) -> None:
    assert read(words) == (day, "Ana", "")


@pytest.mark.parametrize(
    "words",
    [
        *("every last working day of the month Ana", "the last business day of every month Ana"),
        *("every month on the last working day Ana", "am letzten Arbeitstag jedes Monats Ana"),
        *("jeden letzten Werktag im Monat Ana", "le dernier jour ouvré de chaque mois Ana"),
        *("el último día hábil de cada mes Ana", "l'ultimo giorno lavorativo di ogni mese Ana"),
        *("o último dia útil de cada mês Ana", "de laatste werkdag van elke maand Ana"),
        *("w ostatni dzień roboczy każdego miesiąca Ana", "毎月の最終営業日に Ana"),
        *("в последний рабочий день каждого месяца Ana", "每月最后一个工作日 Ana"),
    ],
)
def test_the_last_working_day_of_each_month_is_a_rule(words: str) -> None:
    assert read(words) == ("05-29", "Ana", "every month on the last weekday")


@pytest.mark.parametrize(
    "words",
    [
        *("the last working day of the week Ana", "am letzten Arbeitstag der Woche Ana"),
        *("le dernier jour ouvré de la semaine Ana", "el último día hábil de la semana Ana"),
        *("l'ultimo giorno lavorativo della settimana Ana", "o último dia útil da semana Ana"),
        *("de laatste werkdag van de week Ana", "w ostatni dzień roboczy tygodnia Ana"),
        *("в последний рабочий день недели Ana", "今週の最終営業日に Ana"),
        "本周最后一个工作日 Ana",
    ],
)
def test_the_last_working_day_of_a_week_is_not_that_of_the_month(words: str) -> None:
    assert read(words) == ("05-22", "Ana", "")


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("the first working day of next week Ana", "05-25"),
        ("le premier jour ouvré de la semaine prochaine Ana", "05-25"),
        ("the last working day of the quarter Ana", "06-30"),
        ("am letzten Werktag des Jahres Ana", "12-31"),
        ("the first working day of next year Ana", "01-01"),
        ("the last working day before Christmas Ana", "12-24"),
        ("zwei Werktage vor Weihnachten Ana", "12-23"),
        ("two working days before the 15th Ana", "06-11"),
        ("the first working day after Easter Ana", "03-29"),
    ],
)
def test_working_days_of_other_periods_and_beside_a_day(words: str, day: str) -> None:
    assert read(words) == (day, "Ana", "")


@pytest.mark.parametrize(
    "words", ["every last working day of the week Ana", "jeden letzten Werktag im Quartal Ana"]
)
def test_no_rule_of_a_month_is_made_of_the_last_working_day_of_each_week(words: str) -> None:
    assert read_due(words, MAY, rings=time(9))[0] == ""


def test_the_last_working_day_of_a_question_is_past() -> None:
    found = time_range("what did I do on my last working day?", date(2026, 5, 18))
    assert found and found.spans == ((date(2026, 5, 15),) * 2,)
