"""Build an index from scratch, and read an index's content, to compare the two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memory.core import Memory
from memory.index import Index
from memory.infra.sqlite import Connection
from memory.profile import DataDir


async def content(index: Index) -> dict[str, set[tuple[Any, ...]]]:
    """Return everything the index holds, without row ids."""

    def look(db: Connection) -> dict[str, set[tuple[Any, ...]]]:
        chunks = db.execute(
            "SELECT source.path AS source, source.hash, ord, chunk.path, heading, start_line,"
            " end_line, text, before, after, kind, role, author, chat, date, privacy, expires,"
            " superseded, message_id, text_hash, priority, embedded"
            " FROM chunk JOIN source ON source.id = source_id"
        ).fetchall()
        words = db.execute(
            "SELECT text_hash, ord FROM chunk WHERE id IN"
            " (SELECT rowid FROM chunk_fts WHERE chunk_fts MATCH 'tea OR cat OR kitchen')"
        ).fetchall()
        scores = db.execute(
            "SELECT text_hash, ord, bm25(chunk_fts) FROM chunk_fts"
            " JOIN chunk ON id = chunk_fts.rowid WHERE chunk_fts MATCH 'tea OR cat OR kitchen'"
        ).fetchall()
        stray = db.execute(
            "SELECT (SELECT count(*) FROM chunk_vec) AS vectors,"
            " (SELECT count(*) FROM chunk_fts) AS rows, (SELECT count(*) FROM chunk) AS chunks"
        ).fetchone()
        return {
            "chunks": {tuple(row) for row in chunks},
            "words": {tuple(row) for row in words},
            "scores": {tuple(row) for row in scores},
            "counts": {tuple(stray)},
        }

    return await (await index.db()).read(look)


async def fresh(memory: Memory, folder: Path) -> Index:
    """Build a new index from the memory's vault and log."""
    made = await Index.open(
        DataDir(folder),
        memory.vault,
        memory.log,
        memory.index.shape,
        memory.zone,
        memory.clock,
        sole=False,
    )
    await made.reconcile()
    return made


async def embed_all(memory: Memory, index: Index) -> None:
    from memory.index.vectorizer import embed_some

    assert memory.embedder is not None
    while await embed_some(await index.db(), memory.embedder, 64):
        pass


async def chunks(index: Index) -> set[tuple[str, str]]:
    def look(db: Connection) -> set[tuple[str, str]]:
        return {(r["path"], r["text"]) for r in db.execute("SELECT path, text FROM chunk")}

    return await (await index.db()).read(look)
