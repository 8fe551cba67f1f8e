"""The full-text (FTS5) table of one generation.

All functions take a connection inside a transaction of `Database.write`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..infra.sqlite import Connection, driver
from ..text.tokenize import TOKENIZER, indexed, questions, sentences

COLUMNS = ("text", "heading", "asked", "before", "after")
_CONTENTLESS_DELETE = (
    3,
    43,
)  # since this SQLite version, FTS5 need not store a second copy of the text

_SEGMENTS = 8  # segments of one level to merge at once; fewer cost more writes than they save


def create(db: Connection) -> None:
    """Create the table, and the trigger that removes the words of deleted passages."""
    fresh = tuple(int(p) for p in driver().sqlite_version.split(".")[:2]) >= _CONTENTLESS_DELETE
    content = "content = '', contentless_delete = 1, " if fresh else ""
    db.execute(
        f"CREATE VIRTUAL TABLE chunk_fts USING fts5({', '.join(COLUMNS)},"
        f' {content} tokenize = "{TOKENIZER}")'
    )
    # By default every twentieth write merges for all: about 30 ms in the middle of a turn.
    for option, value in (("automerge", 0), ("usermerge", _SEGMENTS)):
        db.execute("INSERT INTO chunk_fts (chunk_fts, rank) VALUES (?, ?)", (option, value))
    db.execute(
        "CREATE TRIGGER chunk_fts_gone AFTER DELETE ON chunk"
        " BEGIN DELETE FROM chunk_fts WHERE rowid = old.id; END"
    )


def add(db: Connection, chunk: int, words: Sequence[str]) -> None:
    """Insert a passage's words, in the order of COLUMNS."""
    db.execute(
        f"INSERT INTO chunk_fts (rowid, {', '.join(COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?)",
        (chunk, *words),
    )


def words_of(author: str, text: str, heading: str, before: str, after: str) -> list[str]:
    """Return a passage's words, in the order of COLUMNS."""
    stated, asking = sentences(before), questions(before)
    return [
        indexed(f"{author} {text}" if author else text),
        indexed(heading),
        indexed(" ".join(asking)),
        indexed(" ".join(part for part in stated if part not in asking)),
        indexed(after),
    ]


def merge(db: Connection, pages: int) -> bool:
    """Merge about `pages` pages of FTS5's segments; return whether more are left to merge."""
    before = db.total_changes
    db.execute("INSERT INTO chunk_fts (chunk_fts, rank) VALUES ('merge', ?)", (pages,))
    return db.total_changes - before >= 2  # see "merge" in FTS5's documentation


def drop_unused(db: Connection) -> None:
    """Rewrite the index: FTS5 keeps the words of deleted passages until their segments are
    merged."""
    db.execute("INSERT INTO chunk_fts (chunk_fts) VALUES ('optimize')")
