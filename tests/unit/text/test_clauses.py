"""Clauses: the phrases that mark them, and what is said of their subject."""

from __future__ import annotations

import pytest

from memory.text.clause_words import PhraseSet
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
