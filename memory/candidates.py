"""Candidates: what a question's words and its vector find in the index, by SQL. Writes nothing.

Knows no ranking. A filter on date, kind, privacy and life is applied before a list is cut, so that
no candidate is lost to rows that may not be shown.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .db import Connection, vec_version
from .words import match_query, query_words

if TYPE_CHECKING:
    from .recall import Question

MOST_ROWS = 3000  # passages that are weighed for one question: a few milliseconds
WEIGHTS = (1.0, 0.5, 1.0, 0.3, 0.2)
"""Of a word in each column: text and heading; what the message before asks and what it tells; the
message after. An answer is found by its question's words as well as by its own."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Where candidates come from: SQL (`BY_SQL`), or what a process holds in memory."""

    keywords: Callable[[Connection, Question, int], dict[int, float]]
    nearest: Callable[[Connection, Question, bytes, int], dict[int, float]]


def keywords(db: Connection, question: Question, count: int) -> dict[int, float]:
    """Chunk ids → BM25, larger is better; the best `count`."""
    words = _rare(db, query_words(question.text))
    if not words:
        return {}
    where, given = question.where()
    rows = db.execute(
        f"SELECT chunk.id, -bm25(chunk_fts, {', '.join(map(str, WEIGHTS))}) AS score"
        " FROM chunk_fts JOIN chunk ON chunk.id = chunk_fts.rowid"
        f" WHERE chunk_fts MATCH ? AND {where} ORDER BY score DESC, chunk.id DESC LIMIT ?",
        (match_query(words), *given, count),
    ).fetchall()
    return {row["id"]: row["score"] for row in rows}


def _rare(db: Connection, words: Sequence[str]) -> list[str]:
    size = db.execute("SELECT count(*) FROM (SELECT 1 FROM chunk LIMIT ?)", (MOST_ROWS,))
    if size.fetchone()[0] * len(words) <= MOST_ROWS:
        return list(words)  # they cannot be in more
    held = "SELECT count(*) FROM (SELECT 1 FROM chunk_fts WHERE chunk_fts MATCH ? LIMIT ?)"
    return rarest(
        {w: db.execute(held, (match_query([w]), MOST_ROWS)).fetchone()[0] for w in words},
        MOST_ROWS,
    )


def rarest(rows: Mapping[str, int], most: int) -> list[str]:
    """The rarest words that together are in few enough passages to be weighed one by one.

    `rows`: in how many each is. Two are always left; in a small index that is all of them.
    """
    rare = sorted(rows, key=lambda word: rows[word])
    totals = itertools.accumulate(rows[word] for word in rare)
    return [
        word
        for at, (word, sum_) in enumerate(zip(rare, totals, strict=True))
        if at < 2 or sum_ <= most
    ]


def nearest(db: Connection, question: Question, vector: bytes, count: int) -> dict[int, float]:
    """Chunk ids → cosine similarity, 1 − distance; the nearest `count` that point the same way."""
    if not any(vector):  # no direction: it is near to nothing, and sqlite-vec's distance is NULL
        return {}
    where, given = question.where()
    if vec_version() is None:
        return _nearest_by_numpy(db, where, given, vector, count)
    rows = db.execute(
        "SELECT chunk_id, distance FROM chunk_vec WHERE embedding MATCH ? AND k = ?"
        f" AND chunk_id IN (SELECT id FROM chunk WHERE {where})",
        (vector, count, *given),
    ).fetchall()
    return {row["chunk_id"]: 1.0 - row["distance"] for row in rows if row["distance"] < 1.0}


def _nearest_by_numpy(
    db: Connection, where: str, given: Sequence[object], vector: bytes, count: int
) -> dict[int, float]:
    import numpy as np

    rows = db.execute(
        "SELECT chunk_id, embedding FROM chunk_vec JOIN chunk ON chunk.id = chunk_id"
        f" WHERE {where}",
        tuple(given),
    ).fetchall()
    if not rows:
        return {}
    matrix = np.frombuffer(b"".join(row["embedding"] for row in rows), dtype=np.float32)
    matrix = matrix.reshape(len(rows), -1)
    asked = np.frombuffer(vector, dtype=np.float32)
    # Ours are of length one; who stored others gets cosine all the same, as from sqlite-vec.
    lengths = np.linalg.norm(matrix, axis=1) * np.linalg.norm(asked)
    similar = (matrix @ asked) / np.maximum(lengths, 1e-12)
    best = np.argsort(-similar, kind="stable")[:count]
    return {rows[at]["chunk_id"]: float(similar[at]) for at in best if similar[at] > 0.0}


BY_SQL = Candidates(keywords, nearest)
