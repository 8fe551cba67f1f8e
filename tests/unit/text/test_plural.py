"""Counts with singular and plural."""

from __future__ import annotations

import pytest

from memory.text import speaking
from memory.text.humanize import counted, plural, size


@pytest.mark.parametrize(
    ("count", "told"), [(0, "0 notes"), (1, "1 note"), (2, "2 notes"), (12_345, "12,345 notes")]
)
def test_a_count_stands_before_its_noun(count: int, told: str) -> None:
    assert plural(count, "note") == told


def test_a_noun_may_have_a_plural_of_its_own() -> None:
    assert [plural(count, "note is", "notes are") for count in (1, 2)] == [
        "1 note is",
        "2 notes are",
    ]


@pytest.mark.parametrize(
    ("count", "told"),
    [(3, "1 kB"), (17_600, "18 kB"), (1_000_000, "1.0 MB"), (2_345_678_901, "2,345.7 MB")],
)
def test_a_size_is_told_in_what_suits_it(count: int, told: str) -> None:
    assert size(count) == told


def test_states_are_named_in_the_language_and_other_labels_as_they_are() -> None:
    assert counted({"set_aside": 1, "done": 12}) == "12 done, 1 set aside"
    assert counted({"notes/my_note.md": 2}) == "2 notes/my_note.md"
    with speaking("de"):
        assert counted({"set_aside": 1, "done": 12}) == "12 erledigt, 1 zurückgestellt"
