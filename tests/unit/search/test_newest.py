"""The newest statement of a subject leads; what it replaces stands behind it."""

from __future__ import annotations

from datetime import date

import pytest

from memory.search import Hit
from memory.search.newest import WORTH, Alike, alike_by_words, newest_first

OLD, NEW = date(2026, 2, 1), date(2026, 3, 1)


def hit(id_: int, text: str, day: date | None, score: float, role: str | None = "user") -> Hit:
    return Hit("log/x", 1, 1, "", text, day, "message", role, score, id_, (id_,))


def always(new: Hit, old: Hit, changed: bool) -> bool:
    return True


def only_changes(new: Hit, old: Hit, changed: bool) -> bool:
    return changed


def order(hits: list[Hit], alike: Alike = always) -> list[int]:
    return [each.chunk_id for each in newest_first(hits, alike)]


def test_the_newer_value_leads_and_the_older_one_says_until_when() -> None:
    old = hit(1, "the dentist is on 4 May", OLD, 0.7)
    new = hit(2, "the dentist moved to 11 May", NEW, 0.3)
    first, second = newest_first([old, new], always)
    assert (first.chunk_id, first.score, first.until) == (2, 0.7, None)
    assert (second.chunk_id, second.until) == (1, NEW)


def test_of_three_the_newest_leads() -> None:
    hits = [hit(n, f"it costs {n}", date(2026, n, 1), 1 - n / 10) for n in (1, 2, 3)]
    assert order(hits) == [3, 2, 1]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("the dentist is on 4 May", "the same value"),
        ("the dentist was kind", "no value where the older one has one"),
    ],
)
def test_what_states_no_other_value_stays_behind(text: str, why: str) -> None:
    assert order([hit(1, "the dentist is on 4 May", OLD, 0.7), hit(2, text, NEW, 0.6)]) == [1, 2], (
        why
    )


def test_sam_and_undated_notes_replace_nothing_nor_does_what_fits_far_less() -> None:
    old = hit(1, "it costs 5", OLD, 0.9)
    for other in (
        hit(2, "it costs 6", NEW, 0.8, "assistant"),
        hit(2, "it costs 6", None, 0.8, None),
        hit(2, "it costs 6", NEW, 0.9 * WORTH / 2),
        hit(2, "it costs 6", OLD, 0.8),
    ):
        assert order([old, other]) == [1, 2]


def test_what_tells_a_change_need_be_less_alike() -> None:
    old = hit(1, "swimming is on Mondays", OLD, 0.7)
    told = hit(2, "from this week on swimming is on Fridays", NEW, 0.5)
    plain = hit(2, "swimming on Fridays was fun", NEW, 0.5)
    assert order([old, told], only_changes) == [2, 1]
    assert order([old, plain], only_changes) == [1, 2]


def test_without_vectors_shared_words_tell_the_subject() -> None:
    old = hit(1, "the door code of the practice is 4471", OLD, 0.7)
    same = hit(2, "door code of the practice is 8820", NEW, 0.5)
    other = hit(2, "parking space is 31", NEW, 0.5)
    assert order([old, same], alike_by_words) == [2, 1]
    assert order([old, other], alike_by_words) == [1, 2]


def test_what_leads_already_stays_and_what_it_replaces_says_so() -> None:
    found = newest_first([hit(2, "it costs 6", NEW, 0.9), hit(1, "it costs 5", OLD, 0.5)], always)
    assert [(each.chunk_id, each.until) for each in found] == [(2, None), (1, NEW)]
    assert newest_first([], always) == []
