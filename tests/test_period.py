"""Periods: which days a question speaks of, as seen from a Thursday."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.period import spans
from memory.time_words import TONGUES

TODAY = date(2026, 2, 12)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("What did Ana do on 7 May 2023?", "2023-05-07", "2023-05-07"),
        ("on the 21st of October, 2022", "2022-10-21", "2022-10-21"),
        ("since May 7th, 2023", "2023-05-07", "2023-05-07"),
        ("What happened in August 2023?", "2023-08-01", "2023-08-31"),
        ("in december 2024", "2024-12-01", "2024-12-31"),
        ("on 2025-11-03", "2025-11-03", "2025-11-03"),
        ("the plan of 2025-11", "2025-11-01", "2025-11-30"),
        ("Where was I in 2024?", "2024-01-01", "2024-12-31"),
        ("What did I eat yesterday?", "2026-02-11", "2026-02-11"),
        ("what did you say today", "2026-02-12", "2026-02-12"),
        ("what was said on Monday", "2026-02-09", "2026-02-09"),
        ("last thursday", "2026-02-05", "2026-02-05"),
        ("three days ago", "2026-02-09", "2026-02-09"),
        ("two weeks ago", "2026-01-26", "2026-02-01"),
        ("what did we do last week", "2026-01-29", "2026-02-12"),
        ("this month", "2026-01-13", "2026-02-12"),
    ],
)
def test_a_period_is_understood(question: str, first: str, last: str) -> None:
    assert spans(question, TODAY) == [(date.fromisoformat(first), date.fromisoformat(last))]


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("Was habe ich gestern gegessen?", "2026-02-11", "2026-02-11"),
        ("gestern Zahnarzt", "2026-02-11", "2026-02-11"),
        ("Wo war ich vorgestern?", "2026-02-10", "2026-02-10"),
        ("Was haben wir letzte Woche gemacht?", "2026-01-29", "2026-02-12"),
        ("Wer war diesen Monat da?", "2026-01-13", "2026-02-12"),
        ("Was war am Montag?", "2026-02-09", "2026-02-09"),
        ("Wo war ich im Mai 2023?", "2023-05-01", "2023-05-31"),
        ("Was war am 7. März 2024?", "2024-03-07", "2024-03-07"),
        ("Was habe ich vor drei Tagen gesagt?", "2026-02-09", "2026-02-09"),
        ("Wo war ich im Jahr 2024?", "2024-01-01", "2024-12-31"),
        ("Qu'est-ce que j'ai mangé hier ?", "2026-02-11", "2026-02-11"),
        ("Où étions nous la semaine dernière ?", "2026-01-29", "2026-02-12"),
        ("Que s'est-il passé l'an dernier ?", "2024-02-13", "2026-02-12"),
        ("Qui est venu lundi ?", "2026-02-09", "2026-02-09"),
        ("Où est-ce que je vivais en août 2023 ?", "2023-08-01", "2023-08-31"),
        ("le 7 mai 2023", "2023-05-07", "2023-05-07"),
        ("Que m'as tu dit il y a deux semaines ?", "2026-01-26", "2026-02-01"),
        ("¿Qué comí ayer?", "2026-02-11", "2026-02-11"),
        ("¿Qué hicimos la semana pasada?", "2026-01-29", "2026-02-12"),
        ("¿Quién vino el lunes?", "2026-02-09", "2026-02-09"),
        ("¿Dónde vivía yo en mayo de 2023?", "2023-05-01", "2023-05-31"),
        ("¿Qué me dijiste hace tres días?", "2026-02-09", "2026-02-09"),
        ("Che cosa ho mangiato ieri?", "2026-02-11", "2026-02-11"),
        ("Dove eravamo la settimana scorsa?", "2026-01-29", "2026-02-12"),
        ("Chi è venuto lunedì?", "2026-02-09", "2026-02-09"),
        ("Che cosa ho fatto nel maggio 2023?", "2023-05-01", "2023-05-31"),
        ("Che cosa ho detto tre giorni fa?", "2026-02-09", "2026-02-09"),
        ("O que eu comi ontem?", "2026-02-11", "2026-02-11"),
        ("Onde fui na semana passada?", "2026-01-29", "2026-02-12"),
        ("Quem veio na segunda-feira?", "2026-02-09", "2026-02-09"),
        ("O que fiz em maio de 2023?", "2023-05-01", "2023-05-31"),
        ("O que eu disse há três dias?", "2026-02-09", "2026-02-09"),
        ("Wat heb ik gisteren gegeten?", "2026-02-11", "2026-02-11"),
        ("Waar was ik vorige week?", "2026-01-29", "2026-02-12"),
        ("Wie was er op maandag?", "2026-02-09", "2026-02-09"),
        ("Waar was ik in mei 2023?", "2023-05-01", "2023-05-31"),
        ("Wat heb ik drie dagen geleden gezegd?", "2026-02-09", "2026-02-09"),
    ],
)
def test_a_period_in_another_language_is_understood(question: str, first: str, last: str) -> None:
    assert spans(question, TODAY) == [(date.fromisoformat(first), date.fromisoformat(last))]


def test_each_month_and_weekday_of_each_language() -> None:
    for tongue in TONGUES:
        words = tongue.small
        assert len(tongue.months.split()) == 12 and len(tongue.weekdays.split()) == 7
        for number, forms in enumerate(tongue.months.split(), 1):
            for name in forms.split("|"):
                found = spans(f"{words} 3 {name} 2024", TODAY)
                assert (date(2024, number, 3), date(2024, number, 3)) in found, name
        for at, forms in enumerate(tongue.weekdays.split()):
            name = forms.split("|")[0].replace("(?:-feira)?", "")
            assert [day.weekday() for day, _ in spans(f"{words} {name}", TODAY)] == [at], name


def test_a_month_without_a_year_is_any_years() -> None:
    found = spans("What did Ana buy in May?", TODAY)
    assert (date(2023, 5, 1), date(2023, 5, 31)) in found
    assert (date(2025, 5, 1), date(2025, 5, 31)) in found


@pytest.mark.parametrize(
    "question",
    [
        "",
        "May I go?",
        "they march on",
        "room 2023",
        "31 February 2024",
        "2024-13-45",
        "Wer war hier?",
        "Wie is hier geweest?",
    ],
)
def test_what_is_no_period_is_left_alone(question: str) -> None:
    assert spans(question, TODAY) == []


@given(st.text(max_size=80))
def test_no_text_breaks_it(text: str) -> None:
    assert all(first <= last for first, last in spans(text, TODAY))
