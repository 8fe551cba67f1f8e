"""How counts are told."""

from __future__ import annotations

import pytest

from memory.plural import plural


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
