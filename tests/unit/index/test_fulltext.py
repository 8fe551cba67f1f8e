"""The full-text table: FTS5's totals after deletions, and a SQLite that protects them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import hypothesis.strategies as st
from hypothesis import given

from memory.index import fulltext
from memory.infra.sqlite import Connection, connect
from memory.text.tokenize import terms

TEXTS = st.lists(st.text("ab ", max_size=400), min_size=1, max_size=4)


def made(db: Connection) -> None:
    for statement in (
        "CREATE TABLE chunk (id INTEGER PRIMARY KEY)",
        "CREATE TABLE removed (sz BLOB NOT NULL)",
    ):
        db.execute(statement)
    fulltext.create(db)


def add(db: Connection, number: int, text: str) -> None:
    db.execute("INSERT INTO chunk VALUES (?)", (number,))
    fulltext.add(db, number, fulltext.words_of("", text, "", "", ""))


def totals(db: Connection) -> list[int]:
    block = db.execute("SELECT block FROM chunk_fts_data WHERE id = 1").fetchone()[0]
    return fulltext.varints(block)


@given(kept=TEXTS, steps=st.lists(TEXTS, max_size=4))
def test_what_came_and_went_leaves_the_totals_as_they_were(
    kept: list[str], steps: list[list[str]]
) -> None:
    with closing(connect(Path(":memory:"))) as db:
        made(db)
        for number, text in enumerate(kept):
            add(db, number, text)
        before = totals(db)
        for texts in steps:
            db.execute("BEGIN")
            for number, text in enumerate(texts, 100):
                add(db, number, text)
            db.execute("COMMIT")
            db.execute("BEGIN")
            add(db, 200, "in the same transaction")
            db.execute("DELETE FROM chunk WHERE id >= 100")
            fulltext.correct_totals(db)
            db.execute("COMMIT")
            assert totals(db) == before
        assert before[0] == len(kept)


def test_a_heading_is_found_by_its_words_and_not_by_its_date_or_time() -> None:
    for heading, words in (
        ("Memories — 2026-11-27 > 23:17:05", ["memories"]),
        ("2026-09-30 Compost", ["compost"]),
        ("Room 17, 10:30", ["room", "17", "10", "30", "10 30"]),
    ):
        assert terms(fulltext.words_of("", "x", heading, "", "")[1]) == words


def test_of_a_rolled_back_deletion_nothing_is_subtracted() -> None:
    with closing(connect(Path(":memory:"))) as db:
        made(db)
        add(db, 1, "tea and cake")
        before = totals(db)
        db.execute("BEGIN")
        db.execute("DELETE FROM chunk")
        fulltext.correct_totals(db)
        assert totals(db) != before
        db.execute("ROLLBACK")
        assert totals(db) == before


def test_where_sqlite_protects_the_totals_the_text_is_stored() -> None:
    def protect(action: int, table: str | None, *_: str | None) -> int:
        is_ours = action == sqlite3.SQLITE_UPDATE and table == "chunk_fts_data"
        return sqlite3.SQLITE_DENY if is_ours else sqlite3.SQLITE_OK

    with closing(connect(Path(":memory:"))) as db:
        db.set_authorizer(protect)
        made(db)
        add(db, 1, "tea")
        before = totals(db)
        add(db, 2, "tea and cake")
        db.execute("DELETE FROM chunk WHERE id = 2")
        fulltext.correct_totals(db)
        assert totals(db) == before
        found = db.execute("SELECT rowid FROM chunk_fts WHERE chunk_fts MATCH 'tea'").fetchall()
        assert [row[0] for row in found] == [1]
