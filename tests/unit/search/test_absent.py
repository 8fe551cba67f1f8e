"""What an index has instead of a word that it lacks: in a real full-text index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.index.fulltext import COLUMNS
from memory.infra.sqlite import Connection, connect
from memory.search.candidates.absent import in_indexed_words
from memory.text.tokenize import TOKENIZER, content_words, indexed

TOLD = """Der Kessel ist hin. Jana wohnt in Kiel und hat ein Wohnmobil. Der Antrag auf den
Pflegegrad ist durch. Termin in der Gedaechtnisambulanz. Papa mag Äpfel. Der Baum ist schief, die
Lampe in der Tasche."""


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    db = connect(tmp_path / "words.db", synchronous="NORMAL")
    db.execute(
        f'CREATE VIRTUAL TABLE chunk_fts USING fts5({", ".join(COLUMNS)}, tokenize = "{TOKENIZER}")'
    )
    db.execute("INSERT INTO chunk_fts (text) VALUES (?)", (indexed(TOLD),))
    yield db
    db.close()


@pytest.mark.parametrize(
    ("word", "instead"),
    [
        ("Kessel", ["kessel"]),
        ("Gedächtnisambulanz", ["gedaechtnisambulanz"]),  # another spelling
        ("aepfel", ["apfel"]),
        ("wohne", ["wohnt"]),  # another form
        ("wohnlich", ["wohnlich"]),  # another word
        ("Termik", ["termik"]),  # with an ending that is none
        ("Heizkessel", ["heiz", "kessel"]),  # a part
        ("Pflegegradantrag", ["pflegegrad", "antrag"]),  # both parts
        ("Taschenlampe", ["tasche", "lampe"]),  # with a letter between them
        ("Purzelbaum", ["purzelbaum"]),  # a short end of a word that has no such part
        ("Nordpol", ["nordpol"]),
        ("E119", ["e119"]),
    ],
)
def test_a_word_that_the_index_lacks(db: Connection, word: str, instead: list[str]) -> None:
    assert in_indexed_words(db, word, content_words(word)) == instead


def test_what_is_too_long_for_a_question_costs_no_lookup(db: Connection) -> None:
    asked: list[str] = []
    db.set_trace_callback(asked.append)
    word, words = "heizkessel" * 5, ["heizkessel"] * 13
    assert in_indexed_words(db, word, [word]) == [word]
    assert in_indexed_words(db, " ".join(words), words) == words
    assert asked == []


def test_other_words_stay(db: Connection) -> None:
    question = "Wo wohne ich?"
    assert in_indexed_words(db, question, ["wo", "wohne"]) == ["wo", "wohnt"]
