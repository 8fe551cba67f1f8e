"""The patterns of a language are compiled when a text may be in it, and not before."""

from __future__ import annotations

import pytest

from memory.dates import repeats, split_repetition

REPEATED = """
every other Monday at 9 x / x everyday / weekdays at 9 x / x mon-fri 9:00 / x twice daily at 8 and 9
the last day of each month x / x on alternate Fridays / sunday nights at 8 x / fortnightly x
jede Nacht um 2 x / jeden Mo x / Mo-Fr 9:00 x / x 3x am Tag um 8, 9 und 10 / montags um 9 x
quartalsweise x / am 5. im Monat x / jeden letzten Freitag im Monat x / werktags x
un jour sur deux x / en semaine x / le 5 du mois x / les lundis à 9h x / un lundi sur deux x
día por medio x / el 5 de cada mes x / entre semana x / los miércoles a las 9 x
a giorni alterni x / il 5 di ogni mese x / di lunedì alle 9 x / tutti i giorni x
dia sim, dia não x / todo dia 5 x / às segundas às 9 x / todo dia útil x
om de dag x / elke 5e x / op maandagen om 9 x / ieder weekend x
co poniedziałek x / codziennie x / w środy o 9 x / każdego 5. x
по будням x / каждое 5 число x / 5 числа каждого месяца x / каждую среду x
隔日 x / 毎月5日 x / 平日 x / 每月5号 x / 每隔一天 x / 工作日 x
"""
TEXTS = [each.strip() for each in REPEATED.replace("\n", "/").split("/") if each.strip()]


@pytest.mark.parametrize("text", TEXTS)
def test_no_repetition_is_overlooked(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = split_repetition(text)
    monkeypatch.setattr(repeats, "_may_be_in", lambda *_: True)
    assert found == split_repetition(text) and found[0]


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        ("tomorrow at 9 call Ana", 0),
        ("in 20 minutes tea", 0),
        ("morgen um 9 Ana anrufen", 0),
        ("demain à 9h appeler Ana", 0),
        ("every Tuesday at 9 bins", 1),
        ("jeden Montag um 9 Müll", 1),
    ],
)
def test_the_patterns_of_other_languages_are_not_compiled(text: str, languages: int) -> None:
    repeats._patterns.cache_clear()
    split_repetition(text)
    assert repeats._patterns.cache_info().misses == languages
