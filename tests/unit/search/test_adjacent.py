"""Of two adjacent messages that were both found, the better one comes first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest

from memory.search import Hit
from memory.search.adjacent import ADDS, better_adjacent_first
from memory.search.candidates.sql import Background
from memory.search.evidence import FEATURES, Evidence, QuestionFeatures

DAY = date(2026, 2, 1)
ASKED = QuestionFeatures("", background=Background(0.0, 0.1, 0.0, 0.1))


def hit(id_: int, score: float, role: str = "user", day: date = DAY) -> Hit:
    return Hit("log/x", 1, 1, "", "words", day, "message", role, score, id_, (id_,))


def evidence(id_: int, **features: float) -> Evidence:
    values = tuple(features.get(name, 0.0) for name in FEATURES)
    return Evidence(id_, id_, ("", DAY.isoformat()), values, 0.0)


def order(
    hits: Sequence[Hit], found: Sequence[Evidence], asked: QuestionFeatures = ASKED
) -> list[int]:
    return [each.chunk_id for each in better_adjacent_first(hits, found, asked)]


SAID = evidence(1, cover=0.4, vector=1.0)
"""The van passed its inspection, until August."""
ADDS_NOTHING = evidence(2, vector=1.0 + ADDS - 0.01)
"""We leave on 3 October."""


def test_a_message_that_only_continues_another_comes_behind_it() -> None:
    hits = [hit(2, 0.6), hit(3, 0.5), hit(1, 0.3)]
    found = [SAID, ADDS_NOTHING, evidence(3, vector=1.0)]
    assert order(hits, found) == [1, 2, 3]
    assert better_adjacent_first(hits, found, ASKED)[0].score == 0.6


@pytest.mark.parametrize(
    ("said", "continues", "asked"),
    [
        (hit(1, 0.3), evidence(2, vector=1.0 + ADDS + 0.01), ASKED),  # more similar
        (hit(1, 0.3), evidence(2, cover=0.4, vector=1.0), ASKED),  # as many words
        (hit(1, 0.29), ADDS_NOTHING, ASKED),  # much less likely
        (hit(1, 0.3, day=date(2026, 1, 1)), ADDS_NOTHING, ASKED),
        (hit(1, 0.3)._replace(author="Rui"), ADDS_NOTHING, ASKED),
        (hit(1, 0.3, "assistant"), ADDS_NOTHING, ASKED),
        (hit(1, 0.3), ADDS_NOTHING, replace(ASKED, background=None)),  # without vectors
    ],
)
def test_otherwise_it_stays(said: Hit, continues: Evidence, asked: QuestionFeatures) -> None:
    assert order([hit(2, 0.6), said], [SAID, continues], asked) == [2, 1]


def test_the_answer_comes_before_the_question_that_was_asked_before() -> None:
    hits = [hit(1, 0.9), hit(7, 0.5), hit(2, 0.4, "assistant")]
    found = [evidence(1, asks=0.5), evidence(2), evidence(7)]
    assert order(hits, found) == [2, 1, 7]


def test_the_answer_comes_first_where_sams_words_are_asked_for() -> None:
    hits, found = [hit(1, 0.9), hit(2, 0.4, "assistant")], [evidence(1), evidence(2)]
    assert order(hits, found, replace(ASKED, sams_words=1.0)) == [2, 1]
    assert order(hits, found, replace(ASKED, sams_words=0.4)) == [1, 2]


def test_the_next_message_of_the_owners_is_no_answer() -> None:
    hits, found = [hit(1, 0.9), hit(2, 0.4)], [evidence(1, asks=1.0), evidence(2, vector=1.0)]
    assert order(hits, found) == [1, 2]


def test_each_of_the_best_three_may_get_one_before_it() -> None:
    hits = [hit(9, 0.9), hit(7, 0.8), hit(2, 0.6), hit(5, 0.5), hit(1, 0.3), hit(4, 0.2)]
    found = [SAID, ADDS_NOTHING, *(evidence(id_, cover=0.5) for id_ in (7, 9))]
    found += [evidence(4, cover=0.4, vector=1.0), evidence(5, vector=1.0)]
    assert order(hits, found) == [9, 7, 1, 2, 5, 4]


def test_what_comes_first_already_stays() -> None:
    hits, found = [hit(2, 0.9, "assistant"), hit(1, 0.4)], [evidence(1, asks=1.0), evidence(2)]
    assert better_adjacent_first(hits, found, ASKED) == hits


def test_notes_are_not_adjacent() -> None:
    note = hit(2, 0.9)._replace(kind="note", message_ids=(), role=None)
    assert order([note, hit(1, 0.5)], [SAID, ADDS_NOTHING]) == [2, 1]
