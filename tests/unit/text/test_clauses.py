"""Clauses: the phrases that mark them, and what is said of their subject."""

from __future__ import annotations

import pytest

from memory.text.clause_words import PhraseSet, without_opening
from memory.text.clauses import clauses


def test_a_phrase_with_a_gap_ends_after_its_last_word() -> None:
    words = ["je", "ne", "le", "sais", "pas", "encore"]
    assert [*PhraseSet.of("ne * pas").spans(words)] == [(1, 5)]
    assert not PhraseSet.of("ne * pas").occur(words[:4])


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("He says hello to Ana.", ("says", "hello", "to")),
        ("Tom says he moved to Rome.", ("moved", "to", "rome")),
    ],
)
def test_a_report_is_skipped_only_if_it_is_about_what_somebody_does(
    text: str, verb: tuple[str, ...]
) -> None:
    assert clauses(text)[0].subject.verb == verb


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("What do I know about Desirée?", "Desirée?"),
        ("tell me everything about the boiler", "the boiler"),
        ("What do you know?", "What do you know?"),
        ("find notes", "find notes"),
        ("When is the concert?", "When is the concert?"),
    ],
)
def test_the_words_that_ask_for_what_is_known_can_be_left_out(question: str, left: str) -> None:
    assert without_opening(question) == left
