"""How often a task repeats, as people type it in other languages than English."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.dates import split_repetition
from memory.notes import recurrence

DAY = date(2026, 11, 23)
MONDAY = "every week on Monday"


@pytest.mark.parametrize(
    ("text", "rule", "rest"),
    [
        ("jeden Montag 18:00 Blumen gießen", MONDAY, "18:00 Blumen gießen"),
        ("Jeden Montag und Donnerstag um 9 Sport", f"{MONDAY}, Thursday", "um 9 Sport"),
        ("Müll rausbringen alle 2 Wochen", "every 2 weeks", "Müll rausbringen"),
        ("täglich 8:00 Tabletten", "every day", "8:00 Tabletten"),
        ("jeden Werktag 7:00 aufstehen", "every weekday", "7:00 aufstehen"),
        ("chaque lundi 18h arroser", MONDAY, "18h arroser"),
        ("tous les 3 jours arroser", "every 3 days", "arroser"),
        ("cada lunes 18:00 regar", MONDAY, "18:00 regar"),
        ("todos los días a las 8 pastillas", "every day", "a las 8 pastillas"),
        ("ogni lunedì e giovedì alle 18 palestra", f"{MONDAY}, Thursday", "alle 18 palestra"),
        ("tutti i giorni alle 8 pillola", "every day", "alle 8 pillola"),
        ("toda segunda-feira às 18 academia", MONDAY, "às 18 academia"),
        ("a cada 2 meses revisão", "every 2 months", "revisão"),
        ("elke maandag 18:00 planten", MONDAY, "18:00 planten"),
        ("elk jaar belasting", "every year", "belasting"),
        ("w każdy piątek o 9 raport", "every week on Friday", "o 9 raport"),
        ("co 2 dni kwiaty", "every 2 days", "kwiaty"),
        ("каждый понедельник в 18:00 полить", MONDAY, "в 18:00 полить"),
        ("каждые 2 недели уборка", "every 2 weeks", "уборка"),
        ("по будням в 7 зарядка", "every weekday", "в 7 зарядка"),
        ("毎週月曜日18:00 水やり", MONDAY, "18:00 水やり"),
        ("毎週月曜と木曜 9時 ヨガ", f"{MONDAY}, Thursday", "9時 ヨガ"),
        ("毎日8時 薬", "every day", "8時 薬"),
        ("每周一和周四 18:00 浇花", f"{MONDAY}, Thursday", "18:00 浇花"),
        ("每天8点 吃药", "every day", "8点 吃药"),
        ("每月 交房租", "every month", "交房租"),
    ],
)
def test_nine_languages_become_a_rule_of_the_plugin(text: str, rule: str, rest: str) -> None:
    assert split_repetition(text) == (rule, rest)
    assert recurrence.after(rule, DAY, DAY) is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "call Ana",
        "Ana alle Fotos schicken",
        "monatlicher Bericht",
        "cadaver",
        "alle 0 Tage",
        "jeden Vormittag",
        "x" * 501 + " jeden Tag",
    ],
)
def test_what_names_no_repetition_stays_as_it_is(text: str) -> None:
    assert split_repetition(text) == ("", text)


@given(st.text(alphabet=st.sampled_from("jedn Motag alle2chquundi毎週月日,"), max_size=60))
def test_what_is_found_is_always_a_rule(text: str) -> None:
    rule, _ = split_repetition(text)
    assert not rule or recurrence.after(rule, DAY, DAY) is not None
