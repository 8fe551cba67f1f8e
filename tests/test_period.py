"""Periods: which days a question speaks of, as seen from a Thursday."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.period import spans

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


def test_a_month_without_a_year_is_any_years() -> None:
    found = spans("What did Ana buy in May?", TODAY)
    assert (date(2023, 5, 1), date(2023, 5, 31)) in found
    assert (date(2025, 5, 1), date(2025, 5, 31)) in found


@pytest.mark.parametrize(
    "question",
    ["", "May I go?", "they march on", "room 2023", "31 February 2024", "2024-13-45"],
)
def test_what_is_no_period_is_left_alone(question: str) -> None:
    assert spans(question, TODAY) == []


@given(st.text(max_size=80))
def test_no_text_breaks_it(text: str) -> None:
    assert all(first <= last for first, last in spans(text, TODAY))
