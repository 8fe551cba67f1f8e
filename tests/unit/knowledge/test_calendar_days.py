"""Which day something falls on, according to a statement."""

from __future__ import annotations

from datetime import date

import pytest

from memory.knowledge.evidence.calendar_words import falls_on

SAID_ON = date(2026, 6, 10)
DAY = date(2026, 11, 29)


@pytest.mark.parametrize(
    "text",
    [
        "Ana's birthday is on 29 November",
        "Ana's birthday: Nov 29",
        "Ana was born on 29 November 1990",
        "Ana, born 1990-11-29, likes tea",
        "Anas Geburtstag ist am 29. November",
        "Ana ist am 29.11.1990 geboren",
        "El cumpleaños de Ana es el 29 de noviembre",
        "L'anniversaire d'Ana est le 29 novembre",
        "Il compleanno di Ana è il 29 novembre",
        "O aniversário da Ana é em 29 de novembro",
        "Ana is op 29 november jarig",
        "Urodziny Ani są 29 listopada",
        "День рождения Ани 29 ноября",
        "安娜的生日是11月29日",
        "アナの誕生日は11月29日",
        "Their wedding anniversary is 29 November",
    ],
)
def test_a_birthday_returns_each_year(text: str) -> None:
    assert falls_on(text, SAID_ON, DAY)
    assert falls_on(text, SAID_ON, DAY.replace(year=2031))
    assert not falls_on(text, SAID_ON, DAY.replace(day=28))


@pytest.mark.parametrize(
    "text",
    [
        "Flight to Porto on 29 November at 9:40",
        "The passport expires on 29 Nov 2026",
        "Der TÜV ist am 29.11. fällig",
        "Renueva el contrato el 29 de noviembre",
    ],
)
def test_anything_else_falls_on_its_date_once(text: str) -> None:
    assert falls_on(text, SAID_ON, DAY)
    assert not falls_on(text, SAID_ON, DAY.replace(year=2027))
    assert not falls_on(text, SAID_ON, DAY.replace(month=12))


@pytest.mark.parametrize(
    "text",
    [
        "Weighs 29.11 kg",
        "Paid 29.11 euros",
        "Moved in on 29 Nov 2024",
        "Ran the marathon on Sunday",
        "Works at the bakery since 2020",
        "Ana's birthday is in November",
        "Drinks 2-3 coffees a day",
    ],
)
def test_what_names_no_such_date_falls_on_no_day(text: str) -> None:
    assert not falls_on(text, SAID_ON, DAY)


def test_a_date_without_a_year_is_the_nearest_to_the_day_on_which_it_was_said() -> None:
    text = "Ran the marathon on 29 November"
    assert not falls_on(text, date(2025, 11, 30), DAY), "it was yesterday's"
    assert falls_on(text, date(2025, 11, 20), date(2025, 11, 29))


def test_a_day_that_is_named_from_the_day_of_the_text() -> None:
    assert falls_on("Sees the dentist tomorrow", date(2026, 11, 28), DAY)
    assert not falls_on("Sees the dentist tomorrow", date(2026, 11, 29), DAY)


@pytest.mark.parametrize(("day", "is_it"), [((2027, 2, 28), True), ((2028, 2, 28), False)])
def test_a_birthday_on_29_february(day: tuple[int, int, int], *, is_it: bool) -> None:
    assert falls_on("Bo's birthday is on 29 February", SAID_ON, date(*day)) == is_it
    assert falls_on("Bo's birthday is on 29 February", SAID_ON, date(2028, 2, 29))
