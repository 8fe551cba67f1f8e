"""The full-text (FTS5) table of one generation.

All functions take a connection inside a transaction of `Database.write`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..infra.sqlite import Connection, driver
from ..text.tokenize import TOKENIZER, indexed, questions, sentences

COLUMNS = ("text", "heading", "asked", "before", "after")
# Since this SQLite version, FTS5 need not store a second copy of the text.
_CONTENTLESS_DELETE = (3, 43)
# FTS5's row of totals in its `_data` table: https://sqlite.org/fts5.html#the_data_table_format
_TOTALS = 1

_STAMP = re.compile(r"(?<!\S)(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d)(?!\S)")
"""The date or time of a heading, which the date of the passage says: "What's 23 * 17?" is about no
summary of 23:17:05."""
_SEGMENTS = 8  # segments of one level to merge at once; fewer cost more writes than they save


def create(db: Connection) -> None:
    """Create the table, and the trigger that removes the words of deleted passages."""
    contentless = _may_be_contentless(db)
    content = "content = '', contentless_delete = 1, " if contentless else ""
    db.execute(
        f"CREATE VIRTUAL TABLE chunk_fts USING fts5({', '.join(COLUMNS)},"
        f' {content} tokenize = "{TOKENIZER}")'
    )
    # By default every twentieth write merges for all: about 30 ms in the middle of a turn.
    for option, value in (("automerge", 0), ("usermerge", _SEGMENTS)):
        db.execute("INSERT INTO chunk_fts (chunk_fts, rank) VALUES (?, ?)", (option, value))
    # With stored text, FTS5 corrects its totals itself.
    noted = "INSERT INTO removed SELECT sz FROM chunk_fts_docsize WHERE id = old.id;"
    db.execute(
        "CREATE TRIGGER chunk_fts_gone AFTER DELETE ON chunk BEGIN"
        f" {noted if contentless else ''} DELETE FROM chunk_fts WHERE rowid = old.id; END"
    )


def _may_be_contentless(db: Connection) -> bool:
    """Return whether FTS5 can delete without the text, and lets us correct its totals: SQLite's
    defensive mode, the default of macOS, does not."""
    if tuple(int(part) for part in driver().sqlite_version.split(".")[:2]) < _CONTENTLESS_DELETE:
        return False
    db.execute("CREATE VIRTUAL TABLE chunk_fts USING fts5(text)")
    try:
        db.execute("UPDATE chunk_fts_data SET block = block WHERE id = ?", (_TOTALS,))
    except driver().Error:
        return False
    finally:
        db.execute("DROP TABLE chunk_fts")
    return True


def add(db: Connection, chunk: int, words: Sequence[str]) -> None:
    """Insert a passage's words, in the order of COLUMNS."""
    db.execute(
        f"INSERT INTO chunk_fts (rowid, {', '.join(COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?)",
        (chunk, *words),
    )


def correct_totals(db: Connection) -> None:
    """Subtract the deleted passages from FTS5's totals; call this at the end of a transaction.

    bm25() uses the number of rows and their average length. FTS5 does not update them when a row
    is deleted from a table without text, so scores would depend on what was there before.
    """
    removed = db.execute("SELECT sz FROM removed").fetchall()
    if not removed:
        return
    # FTS5 holds the totals in memory, and writes them when a savepoint begins.
    db.execute("SAVEPOINT totals")
    db.execute("RELEASE totals")
    block = db.execute("SELECT block FROM chunk_fts_data WHERE id = ?", (_TOTALS,)).fetchone()[0]
    totals = varints(block)
    for row in removed:
        gone = (1, *varints(row["sz"]))
        totals = [max(0, total - each) for total, each in zip(totals, gone, strict=True)]
    block = b"".join(map(_varint, totals))
    db.execute("UPDATE chunk_fts_data SET block = ? WHERE id = ?", (block, _TOTALS))
    db.execute("DELETE FROM removed")


def varints(blob: bytes) -> list[int]:
    """Return the numbers of one of FTS5's records: seven bits a byte, the highest first."""
    numbers, value = list[int](), 0
    for byte in blob:
        value = value << 7 | byte & 127
        if byte < 128:
            numbers.append(value)
            value = 0
    return numbers


def _varint(number: int) -> bytes:
    rest = [number & 127]
    while number := number >> 7:
        rest.append(number & 127 | 128)
    return bytes(reversed(rest))


def words_of(author: str, text: str, heading: str, before: str, after: str) -> list[str]:
    """Return a passage's words, in the order of COLUMNS."""
    stated, asking = sentences(before), questions(before)
    return [
        indexed(f"{author} {text}" if author else text),
        indexed(_STAMP.sub(" ", heading)),
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
