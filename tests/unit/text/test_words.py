"""Tokenization: indexed and queried words match in FTS5, in any script."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.infra.sqlite import driver
from memory.text.tokenize import (
    TOKENIZER,
    content_words,
    flat,
    indexed,
    match_query,
    query_words,
    questions,
    quotation,
    terms,
)

TEXTS = [
    "我想去东京塔看看",
    "東京タワーに行きたい",
    "ฉันอยากไปกรุงเทพมหานคร",
    "أُحِبُّ القَهْوَة",
    "Café für Ömer",
    "handleWebSocketReconnect failed with ECONNREFUSED",
    "great🎉party",
    "मुझे हिन्दी पसंद है",
    "서울에서 만나요",
    "v1.2.3 released",
    "IBAN DE89 3704 0044 0532 0130 00",
    "Я люблю чай",
    "שָׁלוֹם עולם",
    "Die Schloßstraße ist gesperrt",
    "l'œil et le cœur",
    "Remont łazienki w Łodzi",
    "rødgrød på Ærø",
]


@pytest.fixture(scope="module")
def fts() -> Iterator[sqlite3.Connection]:
    connection = driver().connect(":memory:")
    connection.execute(f'CREATE VIRTUAL TABLE fts USING fts5(text, tokenize = "{TOKENIZER}")')
    for number, text in enumerate(TEXTS):
        connection.execute("INSERT INTO fts (rowid, text) VALUES (?, ?)", (number, indexed(text)))
    yield connection
    connection.close()


def found(fts: sqlite3.Connection, question: str) -> list[int]:
    match = match_query(query_words(question))
    if not match:
        return []
    rows = fts.execute(
        "SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY bm25(fts)", (match,)
    ).fetchall()
    return [row[0] for row in rows]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("东京", 0),
        ("タワー", 1),
        ("กรุงเทพ", 2),
        ("أحب القهوة", 3),
        ("cafe omer", 4),
        ("CAFÉ", 4),
        ("econnrefused?", 5),
        ("handleWebSocketReconnect", 5),
        ("🎉", 6),
        ("हिन्दी", 7),
        ("서울", 8),
        ("what about v1.2.3?", 9),
        ("DE89 3704", 10),
        ("люблю", 11),
        ("שלום", 12),
        ("Schloßstraße", 13),
        ("SCHLOSSSTRASSE", 13),
        ("oeil", 14),
        ("CŒUR", 14),
        ("lazienki lodzi", 15),
        ("rodgrod", 16),
        ("Aero", 16),
    ],
)
def test_each_script_and_each_exact_token_is_found_first(
    fts: sqlite3.Connection, question: str, expected: int
) -> None:
    assert found(fts, question)[:1] == [expected]


def test_stop_words_count_only_when_nothing_else_is_asked() -> None:
    assert query_words("where is the cat") == ["cat", "where is the cat"]
    assert query_words("cat") == ["cat"] and query_words("?!") == []
    assert query_words("who is it") == ["who", "is", "it", "who is it"]
    assert query_words("it's Nate's") == ["nate", "it s nate s"]


def test_the_content_words_of_a_chinese_question_are_those_of_its_answer() -> None:
    assert content_words("我的自行车在哪里？") == ["自 行", "行 车"]
    assert content_words("你是谁？") == terms("你是谁"), "all, if there are no others"
    assert "有 名" in content_words("有名な店はどこ"), "in Japanese 有 is part of a word"


def test_only_an_ending_of_a_word_is_left_out() -> None:
    assert terms("Nate's, (I'm) you\u2019re!") == ["nate", "i", "you"]
    assert "m" in terms("What does 'm' mean?") and terms("'d") == ["d"]
    assert "x7 d q" in terms("The code is x7'd-q.")


@pytest.mark.parametrize("mark", ["'", "\u2019"])
def test_an_ending_is_left_out_only_where_it_is_english(mark: str) -> None:
    for word in ("so'm", "o't", "o'z", "bo'ldi"):  # Uzbek
        parts = word.split("'")
        assert terms(word.replace("'", mark)) == [*parts, " ".join(parts)]
    assert "so m" in query_words(f"500 so{mark}m?")
    assert terms(f"_I{mark}m don{mark}t she{mark}d") == ["i", "don", "she"]


def test_a_query_is_quoted() -> None:
    assert match_query(["the cat", 'a"b']) == '"the cat" OR "a""b"'


def test_what_punctuation_holds_together_is_a_phrase_too() -> None:
    assert "v1 2 3" in terms("V1.2.3")


@pytest.mark.parametrize("text", [text for text in TEXTS if len(text.split()) < 9])
def test_a_quotation_is_found_as_a_phrase(fts: sqlite3.Connection, text: str) -> None:
    phrase = quotation(text.upper())
    assert len(phrase.split()) > 1
    rows = fts.execute("SELECT rowid FROM fts WHERE fts MATCH ?", (f'"{phrase}"',)).fetchall()
    assert rows == [(TEXTS.index(text),)]


def test_only_a_text_of_two_to_forty_words_is_searched_as_a_quotation() -> None:
    words = [f"word{number}" for number in range(41)]
    assert quotation(" ".join(words[:40])) == " ".join(words[:40])
    assert quotation(" ".join(words)) == quotation(words[0]) == ""


def test_sentences_that_ask_are_told_from_those_that_tell() -> None:
    assert questions("I ran. Did you? No?\nGood") == ["Did you?", "No?"]
    assert questions("昨日走りました。あなたは？いいえ。") == ["あなたは？"]
    assert questions("v1.2?x") == [] and questions("") == []


@given(st.text(max_size=60))
def test_no_text_is_a_syntax_error(fts_text: str) -> None:
    connection = driver().connect(":memory:")
    connection.execute(f'CREATE VIRTUAL TABLE fts USING fts5(text, tokenize = "{TOKENIZER}")')
    connection.execute("INSERT INTO fts VALUES (?)", (indexed(fts_text).replace("\0", " "),))
    found(connection, fts_text)
    connection.close()


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_text_is_flattened_as_any_other(text: str) -> None:
    assert flat(text + " é").split() == [*flat(text).split(), "é"]
    assert flat(text) == f" {' '.join(flat(text).split())} "
