"""The tables of one generation: create, fill, delete, count.

All functions take a connection inside a transaction of `Database.write` or `Database.read`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..infra.sqlite import Connection, Row, statements, vec_version
from . import fulltext
from .passages import Passage, in_context, sentences_of

INHERITED = "inherited"
"""In `meta` while the cache has vectors of a generation of another layout."""
CACHED = "cached"
"""In `meta`: how many vectors were cached since the unused ones were dropped."""
MOST_CACHED = 20_000  # about 70 MB with the local embedder
SCHEMA = Path(__file__).with_name("schema.sql").read_text("utf-8")


def vector_store() -> str:
    """Return how vectors are stored: in sqlite-vec's table, or in a plain one that NumPy reads."""
    return "vec0" if vec_version() else "numpy"


def create(db: Connection, meta: Mapping[str, str]) -> None:
    """Create all tables except the one for vectors, whose dimension may not be known yet."""
    for statement in statements(SCHEMA):
        db.execute(statement)
    fulltext.create(db)
    for name, value in meta.items():
        set_meta(db, name, value)


def create_vectors(db: Connection, dimension: int) -> None:
    """Create the table of vectors: one for each chunk, compared by cosine distance."""
    if vector_store() == "vec0":
        db.execute(
            "CREATE VIRTUAL TABLE chunk_vec USING vec0("
            f"chunk_id INTEGER PRIMARY KEY, embedding float[{dimension}] distance_metric=cosine,"
            # Rows per block. With the default of 1,024, reading one vector touches megabytes.
            " chunk_size=8)"
        )
    else:
        db.execute("CREATE TABLE chunk_vec (chunk_id INTEGER PRIMARY KEY, embedding BLOB NOT NULL)")
    # Created with its table: otherwise chunks could not be deleted without vectors.
    db.execute(
        "CREATE TRIGGER chunk_vec_gone AFTER DELETE ON chunk"
        " BEGIN DELETE FROM chunk_vec WHERE chunk_id = old.id; END"
    )
    set_meta(db, "dimension", str(dimension))


def meta(db: Connection) -> dict[str, str]:
    """Return all of `meta`."""
    return {row["name"]: row["value"] for row in db.execute("SELECT * FROM meta").fetchall()}


def set_meta(db: Connection, name: str, value: str) -> None:
    """Set one value of `meta`."""
    db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))


@dataclass(frozen=True, slots=True)
class Source:
    """A note or a message in the index."""

    path: str
    hash: str
    size: int | None = None
    mtime_ns: int | None = None
    changed: int | None = None


_SOURCE = "SELECT path, hash, size, mtime_ns, changed FROM source"


def notes(db: Connection) -> dict[str, Source]:
    """Return the indexed notes by path."""
    rows = db.execute(f"{_SOURCE} WHERE mtime_ns IS NOT NULL").fetchall()
    return {row["path"]: Source(**dict(row)) for row in rows}


def messages(db: Connection) -> dict[int, int]:
    """Return the indexed messages: id → the log's change counter at which it was indexed."""
    rows = db.execute("SELECT path, changed FROM source WHERE changed IS NOT NULL").fetchall()
    return {int(row["path"].removeprefix("message/")): row["changed"] for row in rows}


def source(db: Connection, path: str) -> Source | None:
    """Return one source, or None."""
    row = db.execute(f"{_SOURCE} WHERE path = ?", (path,)).fetchone()
    return Source(**dict(row)) if row else None


_CONTENT = (
    *("path", "heading", "text", "lead", "before", "after", "kind", "role", "author", "chat"),
    *("date", "privacy", "expires", "superseded", "message_id", "words", "asking", "manual"),
    *("small_talk", "language", "text_hash", "priority"),
)
"""The columns of a chunk except its position in the source and derived values."""


def put(db: Connection, made: Source, passages: Sequence[Passage]) -> None:
    """Replace a source and its chunks; unchanged chunks are kept, even if they moved.

    A day's file grows one section at a time: earlier chunks keep their words and vectors. New
    chunks take their vectors from the cache if possible.
    """
    source_id = _put_source(db, made)
    age = -made.mtime_ns if made.mtime_ns else None
    known: dict[tuple[object, ...], list[Row]] = {}
    for each in db.execute(
        f"SELECT {', '.join(_CONTENT)}, id, ord, start_line, end_line, embedded FROM chunk"
        " WHERE source_id = ? ORDER BY ord DESC",
        (source_id,),
    ).fetchall():
        known.setdefault(each[: len(_CONTENT)], []).append(each)
    new: list[tuple[Passage, tuple[object, ...]]] = []
    for ord_, passage in enumerate(passages):
        content = tuple(getattr(passage, name) for name in _CONTENT)
        place = (ord_, passage.start_line, passage.end_line)
        if same := known.get(content):
            row = same.pop()
            has_moved = place != (row["ord"], row["start_line"], row["end_line"])
            if has_moved or not row["embedded"]:  # only the queue depends on the age
                db.execute(
                    "UPDATE chunk SET ord = ?, start_line = ?, end_line = ?, age = ? WHERE id = ?",
                    (*place, age, row["id"]),
                )
        else:
            new.append((passage, (source_id, *place, age, *content)))
    # Before the new ones: FTS5 flushes its buffer when an id is lower than the last one.
    gone = [(each["id"],) for left in known.values() for each in left]
    db.executemany("DELETE FROM chunk WHERE id = ?", gone)
    with_vectors = bool(new) and has_vectors(db)
    for passage, values in new:
        chunk = _add(db, passage, values)
        if with_vectors:
            text_hash = passage.text_hash
            waits = [Waiting(chunk, text_hash, ())]
            store_vectors(db, waits, cached(db, [text_hash], "document"))
            store_sentences(db, waits, cached(db, [text_hash], "sentences"))


def _put_source(db: Connection, made: Source) -> int:
    # In two statements: an upsert takes a savepoint, and FTS5 flushes its buffer at each of those.
    known = db.execute("SELECT id FROM source WHERE path = ?", (made.path,)).fetchone()
    values = (made.hash, made.size, made.mtime_ns, made.changed, made.path)
    if known is None:
        added = db.execute(
            "INSERT INTO source (hash, size, mtime_ns, changed, path) VALUES (?, ?, ?, ?, ?)",
            values,
        )
        return int(added.lastrowid or 0)
    db.execute(
        "UPDATE source SET hash = ?, size = ?, mtime_ns = ?, changed = ? WHERE path = ?", values
    )
    return int(known["id"])


def _add(db: Connection, passage: Passage, values: tuple[object, ...]) -> int:
    chunk = db.execute(
        "INSERT INTO chunk (embedded, unsplit, source_id, ord, start_line, end_line, age,"
        f" {', '.join(_CONTENT)}) VALUES (?, ?, {', '.join('?' * len(values))})",
        (passage.small_talk, passage.has_sentences, *values),
    ).lastrowid
    words = fulltext.words_of(
        passage.author, passage.text, passage.heading, passage.before, passage.after
    )
    fulltext.add(db, int(chunk or 0), words)
    return int(chunk or 0)


def touch(db: Connection, made: Source) -> None:
    """Update a source whose file or row changed without a change of content."""
    db.execute(
        "UPDATE source SET size = ?, mtime_ns = ?, changed = ? WHERE path = ?",
        (made.size, made.mtime_ns, made.changed, made.path),
    )


def drop(db: Connection, path: str) -> None:
    """Remove a source; its chunks, words and vectors go with it."""
    if source(db, path):  # else FTS5 would flush its buffer for nothing
        db.execute("DELETE FROM source WHERE path = ?", (path,))


def has_vectors(db: Connection) -> bool:
    """Return whether the table of vectors exists."""
    return db.execute("SELECT 1 FROM sqlite_master WHERE name = 'chunk_vec'").fetchone() is not None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A chunk that waits for its vector or for those of its sentences: the texts to embed."""

    id: int
    text_hash: str
    texts: Sequence[str]


def waiting(
    db: Connection, count: int, only: Callable[[Row], bool] = lambda row: True
) -> list[Waiting]:
    """Return the next chunks to embed: Sam's own and messages before the owner's notes, newest
    first. `only`: leave out others of them."""
    return [
        Waiting(r["id"], r["text_hash"], [in_context(r["lead"], r["role"], r["author"], r["text"])])
        for r in _next(db, "embedded = 0", count)
        if only(r)
    ]


def waiting_sentences(db: Connection, count: int) -> list[Waiting]:
    """Return the next chunks whose sentences to embed, in the same order."""
    return [
        Waiting(r["id"], r["text_hash"], sentences_of(r["author"], r["text"]))
        for r in _next(db, "unsplit = 1", count)
    ]


def _next(db: Connection, condition: str, count: int) -> list[Row]:
    return db.execute(
        "SELECT id, message_id, date, words, lead, role, author, text, text_hash FROM chunk"
        f" WHERE {condition}"
        " ORDER BY priority, date DESC, age, id DESC LIMIT ?",
        (count,),
    ).fetchall()


def cached(db: Connection, hashes: Iterable[str], input_type: str) -> dict[str, bytes]:
    """Return the cached vectors by the text's hash."""
    found: dict[str, bytes] = {}
    for text_hash in hashes:
        row = db.execute(
            "SELECT vector FROM embedding WHERE text_hash = ? AND input_type = ?",
            (text_hash, input_type),
        ).fetchone()
        if row:
            found[text_hash] = row["vector"]
    return found


def existing_hashes(db: Connection, hashes: Iterable[str]) -> list[str]:
    """Return those of the hashes that a chunk still has."""
    return [
        text_hash
        for text_hash in hashes
        if db.execute("SELECT 1 FROM chunk WHERE text_hash = ? LIMIT 1", (text_hash,)).fetchone()
    ]


def text_hashes(db: Connection) -> set[str]:
    """Return the hashes of the texts of all chunks."""
    return {row[0] for row in db.execute("SELECT DISTINCT text_hash FROM chunk").fetchall()}


def cache(db: Connection, vectors: Mapping[str, bytes], input_type: str) -> None:
    """Cache vectors by the text's hash."""
    db.executemany(
        "INSERT OR REPLACE INTO embedding VALUES (?, ?, ?)",
        [(text_hash, input_type, vector) for text_hash, vector in vectors.items()],
    )


def store_vectors(db: Connection, chunks: Sequence[Waiting], vectors: Mapping[str, bytes]) -> int:
    """Store the chunks' vectors, unless the chunks changed meanwhile; return how many were
    stored."""
    stored = 0
    for chunk in chunks:
        same = db.execute(
            "SELECT 1 FROM chunk WHERE id = ? AND text_hash = ? AND embedded = 0",
            (chunk.id, chunk.text_hash),
        ).fetchone()
        vector = vectors.get(chunk.text_hash)
        if same is None or vector is None:
            continue
        if any(vector):  # a zero vector has no direction, and no distance to anything
            db.execute("INSERT INTO chunk_vec VALUES (?, ?)", (chunk.id, vector))
        db.execute("UPDATE chunk SET embedded = 1 WHERE id = ?", (chunk.id,))
        stored += 1
    return stored


def store_sentences(db: Connection, chunks: Sequence[Waiting], blobs: Mapping[str, bytes]) -> None:
    """Store the vectors of the chunks' sentences, unless the chunks changed meanwhile."""
    for chunk in chunks:
        same = db.execute(
            "SELECT 1 FROM chunk WHERE id = ? AND text_hash = ? AND unsplit = 1",
            (chunk.id, chunk.text_hash),
        ).fetchone()
        if same and (blob := blobs.get(chunk.text_hash)):
            db.execute("INSERT OR REPLACE INTO sentences VALUES (?, ?)", (chunk.id, blob))
            db.execute("UPDATE chunk SET unsplit = 0 WHERE id = ?", (chunk.id,))


def drop_unused_vectors(db: Connection) -> None:
    """Delete the cached vectors of texts that are no longer passages, and of all questions."""
    db.execute("DELETE FROM embedding WHERE text_hash NOT IN (SELECT text_hash FROM chunk)")
    db.execute("DELETE FROM embedding WHERE input_type = 'query'")


def note_cached(db: Connection, count: int) -> None:
    """Add to the number of vectors that were cached since the unused ones were dropped."""
    set_meta(db, CACHED, str(_cached_since(db) + count))


def may_have_many_unused(db: Connection) -> bool:
    """Return whether so many vectors were cached that most of them may be unused.

    Each edit of a note leaves the vectors of the earlier text behind, and each question its own.
    """
    count = _cached_since(db)
    return count > MOST_CACHED and count > 4 * counts(db)["chunks"]  # at first two for each


def drop_unused_page(db: Connection, after: str, count: int) -> str | None:
    """Drop what `drop_unused_vectors` drops, of the next `count` vectors after that text's hash;
    return the hash to go on after, None at the end."""
    rows = db.execute(
        "SELECT text_hash FROM embedding WHERE text_hash > ? ORDER BY text_hash LIMIT ?",
        (after, count),
    ).fetchall()
    if not rows:
        set_meta(db, CACHED, "0")
        return None
    last = str(rows[-1]["text_hash"])
    db.execute(
        "DELETE FROM embedding WHERE text_hash > ? AND text_hash <= ?"
        " AND (input_type = 'query' OR text_hash NOT IN (SELECT text_hash FROM chunk))",
        (after, last),
    )
    return last


def _cached_since(db: Connection) -> int:
    row = db.execute("SELECT value FROM meta WHERE name = ?", (CACHED,)).fetchone()
    return int(row["value"]) if row else 0


def drop_unused_inherited(db: Connection) -> None:
    """Drop the unused vectors of those that were copied from a generation of another layout.

    Call it once all passages are indexed.
    """
    if db.execute("DELETE FROM meta WHERE name = ?", (INHERITED,)).rowcount:
        drop_unused_vectors(db)


def count_waiting(db: Connection) -> int:
    """Count the chunks that wait for a vector; fast, from a partial index of those alone."""
    return int(db.execute("SELECT count(*) FROM chunk WHERE embedded = 0").fetchone()[0])


def count_unsplit(db: Connection) -> int:
    """Count the chunks whose sentences wait for their vectors."""
    return int(db.execute("SELECT count(*) FROM chunk WHERE unsplit = 1").fetchone()[0])


def counts(db: Connection) -> dict[str, int]:
    """Count notes, messages, chunks, and chunks without a vector."""
    row = db.execute(
        "SELECT (SELECT count(*) FROM source WHERE mtime_ns IS NOT NULL) AS notes,"
        " (SELECT count(*) FROM source WHERE mtime_ns IS NULL) AS messages,"
        " (SELECT count(*) FROM chunk) AS chunks"
    ).fetchone()
    return {**dict(row), "waiting": count_waiting(db)}


def copy_cache(db: Connection, path: Path) -> None:
    """Copy the embedding cache of another generation, or of a file of vectors, so that nothing is
    embedded again.

    Must run outside a transaction, in `Database.maintain`.
    """
    db.execute("ATTACH ? AS old", (str(path),))
    try:
        db.execute(
            "INSERT OR IGNORE INTO main.embedding (text_hash, input_type, vector)"
            " SELECT text_hash, input_type, vector FROM old.embedding"
        )
        row = db.execute(
            "SELECT length(vector) / 4 FROM old.embedding WHERE input_type = 'document' LIMIT 1"
        ).fetchone()
    finally:
        with contextlib.suppress(Exception):
            db.execute("DETACH old")
    if row and not has_vectors(db):
        create_vectors(db, int(row[0]))
