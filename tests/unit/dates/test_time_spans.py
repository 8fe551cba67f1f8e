"""Times with a beginning and an end: due when they begin."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.dates import Due, due_time

MONDAY = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "at", "rest"),
    [
        ("morgen zwischen 9 und 10 Uhr an Ana", "09:00", "Ana"),
        ("morgen zwischen 9 Uhr und 10 Uhr an Ana", "09:00", "Ana"),
        ("tomorrow between 2 and 3pm to read", "14:00", "read"),
        ("tomorrow between 9am and 10pm to read", "09:00", "read"),
        ("tomorrow between 9:30 and 10:15 to read", "09:30", "read"),
        ("tomorrow between 5 and 6 call Ana", "17:00", "call Ana"),
        ("demain entre 9 et 10 heures d'appeler Ana", "09:00", "appeler Ana"),
        ("mañana entre las 9 y las 10 llamar a Ana", "09:00", "llamar a Ana"),
        ("завтра между 9 и 10 позвонить Ане", "09:00", "позвонить Ане"),
        ("明天9点到10点之间给安娜打电话", "09:00", "给安娜打电话"),
        # The end of what is no window for it stays in the text.
        ("tomorrow from 2 to 3pm yoga", "14:00", "from 2 to 3pm yoga"),
        ("tomorrow 11am-1pm yoga", "11:00", "11am-1pm yoga"),
        ("tomorrow 11-1pm yoga", "11:00", "11-1pm yoga"),
        ("morgen 9-10 Uhr Yoga", "09:00", "9-10 Uhr Yoga"),
        ("tomorrow 9:00-10:00 yoga", "09:00", "9:00-10:00 yoga"),
    ],
)
def test_what_has_a_beginning_and_an_end_is_due_at_its_beginning(
    text: str, at: str, rest: str
) -> None:
    due = due_time(text, MONDAY)

    assert isinstance(due, Due)
    assert (f"{due.time:%H:%M}", due.rest) == (at, rest)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("tomorrow buy between 9 and 10 eggs", None),
        ("tomorrow at 9 prepare the 2-3pm meeting", "09:00"),
        ("tomorrow at 9 invite 2 to 3 friends", "09:00"),
        ("tomorrow at 9 of the rent", "09:00"),
        ("tomorrow at one of the shops", None),
        ("tomorrow log 3h of work", None),
    ],
)
def test_other_numbers_beside_a_time_or_without_one(text: str, at: str | None) -> None:
    due = due_time(text, MONDAY)

    assert isinstance(due, Due)
    assert (f"{due.time:%H:%M}" if due.time else None) == at
