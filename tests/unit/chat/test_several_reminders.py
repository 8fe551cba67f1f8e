"""One command that sets several reminders: several times of day, several days."""

from __future__ import annotations

from datetime import datetime, time
from time import process_time
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
        (
            "dentist on Monday at 9 and on Thursday at 10",
            ["11-30 09:00 dentist", "12-03 10:00 dentist"],
        ),
        ("am 3.12. um 9 und am 5.12. um 10 x", ["12-03 09:00 x", "12-05 10:00 x"]),
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
        ("lunes a las 9 y media y jueves a las 10 x", ["11-30 09:30 x", "12-03 10:00 x"]),
        ("lunedì alle 9 e mezza e giovedì alle 10 x", ["11-30 09:30 x", "12-03 10:00 x"]),
        ("segunda às 9 e meia e quinta às 10 x", ["11-30 09:30 x", "12-03 10:00 x"]),
        ("am 1. und 15. x", ["12-01 09:00 x", "12-15 09:00 x"]),
        ("on the 1st and 15th x", ["12-01 09:00 x", "12-15 09:00 x"]),
        ("le 1er et le 15 x", ["12-01 09:00 x", "12-15 09:00 x"]),
        ("el 1 y el 15 x", ["12-01 09:00 x", "12-15 09:00 x"]),
        ("am 1. und 15 Euro zahlen", ["12-01 09:00 Euro zahlen"]),
        (
            "at 8 in the morning and 9 in the evening pills",
            ["11-28 08:00 pills", "11-28 21:00 pills"],
        ),
        ("at 9 and at 17 pills", ["11-28 09:00 pills", "11-28 17:00 pills"]),
        ("a las 9 y a las 17 pastillas", ["11-28 09:00 pastillas", "11-28 17:00 pastillas"]),
        ("entre 9h et 10h appeler Ana", ["11-28 09:00 appeler Ana"]),
        ("at 6 and 17 call Ana", ["11-29 06:00 call Ana", "11-28 17:00 call Ana"]),
    ],
)
def test_several_days_and_times(words: str, found: list[str]) -> None:
    assert reminders(words) == found


@pytest.mark.parametrize(
    ("words", "rest"),
    [
        ("at 9 and 10 eggs", "10 eggs"),
        ("um 9 und 10 Eier kaufen", "10 Eier kaufen"),
        ("à 9h et 10 œufs", "10 œufs"),
        ("a las 9 y 10 huevos", "10 huevos"),
        ("alle 9 e 10 uova", "10 uova"),
        ("às 9 e 10 ovos", "10 ovos"),
        ("om 9 en 10 eieren kopen", "10 eieren kopen"),
        ("o 9 i 10 jajek", "10 jajek"),
        ("в 9 и 10 яиц", "10 яиц"),
        ("buy milk at 9 and 2 dozen eggs", "buy milk and 2 dozen eggs"),
    ],
)
def test_the_number_of_things_is_no_time(words: str, rest: str) -> None:
    assert reminders(words) == [f"11-28 09:00 {rest}"]


@pytest.mark.parametrize(
    "words",
    [
        *("at 9 and 17 call Ana", "um 9 und 17 Ana anrufen", "à 9h et 17h appeler Ana"),
        *(
            "alle 9 e 17 chiamare Ana",
            "om 9 en 17 bellen",
            "o 9 i 17 zadzwonić",
            "в 9 и 17 звонить",
        ),
        "every day at 9 and 17 pills",
    ],
)
def test_two_hours_are_two_reminders(words: str) -> None:
    assert [each[6:11] for each in reminders(words)] == ["09:00", "17:00"]


@pytest.mark.parametrize(
    "words",
    [
        *("am 3.12. und 5.12. Ana", "Ana am 3.12. und am 5.12.", "am 3.12 und 5.12 Ana"),
        *(
            "am 3. und 5.12. Ana",
            "am Do, 3.12. und Sa, 5.12. Ana",
            "am 3.12.2026 und 5.12.2026 Ana",
        ),
        *("on 3/12 and 5/12 Ana", "Ana on 3/12 and on 5/12", "les 3/12 et 5/12 Ana"),
        *("los 3/12 y 5/12 Ana", "il 3/12 e il 5/12 Ana", "nos dias 3/12 e 5/12 Ana"),
        *("op 3/12 en 5/12 Ana", "3.12. i 5.12. Ana", "3.12. и 5.12. Ana"),
        *("12月3日と12月5日 Ana", "12月3日和5日 Ana"),
    ],
)
def test_two_dates_in_numbers_are_two_days(words: str) -> None:
    assert reminders(words) == ["12-03 09:00 Ana", "12-05 09:00 Ana"]


def test_in_the_united_states_the_month_of_two_dates_comes_first() -> None:
    now = SATURDAY.astimezone(ZoneInfo("America/New_York"))
    found = [read_due(each, now)[-1] for each in each_reminder("on 12/3 and 12/5 Ana", now)]
    assert [each.day.isoformat() for each in found if isinstance(each, Due)] == [
        *("2026-12-03", "2026-12-05"),
    ]


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
        "at 9 mix 1/2 and 3/4 cups",
        "tomorrow at 9 tell Ana about Friday at 8 and Monday at 9",
    ],
)
def test_other_days_and_numbers_are_part_of_one_reminder(words: str) -> None:
    assert each_reminder(words, SATURDAY) == [words]


@pytest.mark.parametrize(
    "words",
    [
        *("every Monday at 9 and Thursday at 10 x", "x every Monday at 9 and every Thursday at 10"),
        *("jeden Montag um 9 und Donnerstag um 10 x", "chaque lundi à 9h et jeudi à 10h x"),
        *(
            "todos los lunes a las 9 y los jueves a las 10 x",
            "ogni lunedì alle 9 e giovedì alle 10 x",
        ),
        "каждый понедельник в 9 и четверг в 10 x",
    ],
)
def test_two_repetitions_with_a_time_of_their_own_are_two_reminders(words: str) -> None:
    first, second = reminders(words)
    assert first.startswith("11-30 09:00 x every") and first.endswith("Monday")
    assert second.startswith("12-03 10:00 x every") and second.endswith("Thursday")


@pytest.mark.parametrize(
    "words",
    [
        "at 8 every morning and 9 every evening x",
        "x at 8 every morning and 9 every evening",
        "at 8 every morning and at 9 every evening x",
        "um 8 jeden Morgen und 9 jeden Abend x",
    ],
)
def test_the_word_before_a_time_is_needed_in_the_first_repetition_only(words: str) -> None:
    assert reminders(words) == ["11-28 08:00 x every day", "11-28 21:00 x every day"]


def test_a_time_in_the_evening_of_every_day() -> None:
    assert reminders("every day at 9 in the evening x") == ["11-28 21:00 x every day"]


@pytest.mark.parametrize(
    "words",
    [
        *("at 8 to call Ana and at 9 to call Bob", "call Ana at 8, call Bob at 9"),
        *(
            "at 8 to call Ana and remind me at 9 to call Bob",
            "um 8 Ana und um 9 Bob",
        ),
        *(
            "à 8h d'appeler Ana et à 9h d'appeler Bob",
            "a las 8 llamar Ana y a las 9 Bob",
        ),
        *("alle 8 di chiamare Ana e alle 9 di chiamare Bob", "às 8 ligar Ana e às 9 ligar Bob"),
        *("om 8 uur Ana bellen en om 9 uur Bob bellen", "o 8 zadzwonić do Ani i o 9 do Boba"),
        *("в 8 позвонить Ане и в 9 позвонить Бобу", "8点给安娜打电话，9点给鲍勃打电话"),
        "8時にアナに電話、9時にボブに電話",
    ],
)
def test_two_things_with_a_time_each_are_two_reminders(words: str) -> None:
    first, second = reminders(words)
    assert first.startswith("11-28 08:00 ") and second.startswith("11-28 09:00 ")
    assert not any(each in first for each in ("Bob", "Боб", "ボブ", "鲍勃"))
    assert not any(each in second for each in ("An", "Ан", "アナ", "安娜"))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("tomorrow at 8 Ana and at 9 Bob", ["11-29 08:00 Ana", "11-29 09:00 Bob"]),
        ("tomorrow Ana and on Friday Bob", ["11-29 09:00 Ana", "12-04 09:00 Bob"]),
        ("at 20:00 Ana and at 9 Bob", ["11-28 20:00 Ana", "11-28 21:00 Bob"]),
        ("in 20 minutes Ana and in an hour Bob", ["11-28 07:20 Ana", "11-28 08:00 Bob"]),
        (
            "every day at 8 pills and at 9 vitamins",
            ["11-28 08:00 pills every day", "11-28 09:00 vitamins every day"],
        ),
        (
            "every Monday at 9 call Ana and every Thursday at 10 call Bob",
            ["11-30 09:00 call Ana every Monday", "12-03 10:00 call Bob every Thursday"],
        ),
        (
            "at 8 Ana and Cleo, at 9 milk and bread and at 10:30 x",
            ["11-28 08:00 Ana and Cleo", "11-28 09:00 milk and bread", "11-28 10:30 x"],
        ),
        (
            "the exam on Friday at 15:00 and an hour before",
            ["12-04 15:00 the exam", "12-04 14:00 the exam (15:00)"],
        ),
        (
            "Prüfung am Freitag und am Tag davor",
            ["12-04 09:00 Prüfung", "12-03 09:00 Prüfung (2026-12-04)"],
        ),
        ("Ana à 9h et quart et Bob à 10h", ["11-28 09:15 Ana", "11-28 10:00 Bob"]),
    ],
)
def test_a_later_one_is_on_the_day_of_the_one_before(words: str, found: list[str]) -> None:
    assert reminders(words) == found


@pytest.mark.parametrize(
    "words",
    [
        "at 9 check that Ana and Bob are home by 10",
        "tomorrow at 9 ask Ana and Ben to come at 10 to the office",
        "tomorrow at 9 call Ana and Bob",
    ],
)
def test_a_time_at_another_place_is_part_of_the_task(words: str) -> None:
    assert each_reminder(words, SATURDAY) == [words]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("tomorrow at 18:00 to call Ana and at 9:00 x", ["11-29 18:00 call Ana", "11-29 09:00 x"]),
        ("morgen um 18 Uhr Anna und um 9 Uhr Bob", ["11-29 18:00 Anna", "11-29 09:00 Bob"]),
        (
            "tonight at 8 call Ana and at 9 call Bob",
            ["11-28 20:00 call Ana", "11-28 21:00 call Bob"],
        ),
        ("a las 8 a Ana y a las 9 a Bob", ["11-28 08:00 a Ana", "11-28 09:00 a Bob"]),
        ("at 8 a run and at 9 a swim", ["11-28 08:00 a run", "11-28 09:00 a swim"]),
        ("à 8h à la gare et à 9h à l'école", ["11-28 08:00 à la gare", "11-28 09:00 à l'école"]),
        ("в 8 в школу и в 9 в офис", ["11-28 08:00 в школу", "11-28 09:00 в офис"]),
    ],
)
def test_a_part_may_begin_like_its_time_and_be_before_the_first(
    words: str, found: list[str]
) -> None:
    assert reminders(words) == found


def test_of_a_long_list_no_division_is_tried() -> None:
    week = "Monday gym, Tuesday swim, Wednesday run, Thursday yoga, Friday walk, Saturday bike"
    assert len(each_reminder(week, SATURDAY)) == 6
    began = process_time()
    assert each_reminder(f"{week}, {week}, {week}", SATURDAY) == [f"{week}, {week}, {week}"]
    assert process_time() - began < 5  # it took hours
