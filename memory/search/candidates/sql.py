"""Find candidates by SQL, from a question's words, vector and period.

Filters on date, kind, privacy and expiry apply before the limit, so that hidden rows do not
displace candidates. Read-only.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ...embedding.packed import best_cosines, unit_vectors
from ...infra.sqlite import Connection, Row, vec_version
from ...text.tokenize import match_query, query_words

if TYPE_CHECKING:
    from .query import Question

MOST_ROWS = 3000  # passages scored per question: takes a few milliseconds
WEIGHTS = (1.0, 0.5, 1.0, 0.3, 0.2)
"""BM25 weights of the columns: text and heading; the previous message's questions and statements;
the next message. So an answer can also be found by the words of the question before it."""
COLUMN_GROUPS = ("{text heading}", "{asked before}", "{after}")
_SAMPLE = 128  # about the minimum of passages in a sample of the index; the maximum is twice that
FEW = 8
"""Minimum number of vectors: fewer are not representative."""
TELLING = 200
"""Number of passages: in a smaller index a missing word counts proportionally less."""
LEAST_DEVIATION = 0.01


class Coverage(NamedTuple):
    """Which of a question's words occur in which passages.

    `idf`: of each word, in the question's order: log(1 + (N - n + .5) / (n + .5)), where n counts
    the passages with the word in their own text. `missing`: the share of the summed idf, from 0 to
    1, of each word that occurs nowhere; 0 for the others. `places`: passage → bit sets of the words
    in its own text, in the previous message, and in the next one.
    """

    idf: tuple[float, ...]
    missing: tuple[float, ...]
    places: Mapping[int, tuple[int, int, int]]


class Background(NamedTuple):
    """The distribution of a question's cosine similarity to unrelated passages.

    `mean` and `deviation` of the question's cosines with a sample of the index; `pairs` and
    `pairs_deviation` of the cosines between the sample's own passages, a property of the embedder.
    """

    mean: float
    deviation: float
    pairs: float
    pairs_deviation: float


@dataclass(frozen=True, slots=True)
class Candidates:
    """The functions that find candidates: by SQL (`BY_SQL`), or in the in-memory search cache."""

    keywords: Callable[[Connection, Question, int], dict[int, float]]
    nearest: Callable[[Connection, Question, bytes, int], dict[int, float]]
    coverage: Callable[[Connection, Sequence[str], Sequence[int]], Coverage]
    similar: Callable[[Connection, bytes, Sequence[int]], dict[int, float]]
    background: Callable[[Connection, bytes], Background | None]


def keywords(db: Connection, question: Question, count: int) -> dict[int, float]:
    """Map the ids of the best `count` chunks to their BM25 score; larger is better."""
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


def has_match(db: Connection, query: str) -> bool:
    """Return whether any passage matches the FTS5 query."""
    found = db.execute("SELECT 1 FROM chunk_fts WHERE chunk_fts MATCH ? LIMIT 1", (query,))
    return found.fetchone() is not None


def make_term_counts(db: Connection) -> None:
    """Make temp.chunk_counts, each term of the FTS5 index with its numbers of passages and uses."""
    db.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.chunk_counts USING fts5vocab(main, chunk_fts, row)"
    )


def indexed_terms(db: Connection, start: str) -> list[str]:
    """Return the terms of the FTS5 index, most of them stems, that begin with these letters."""
    make_term_counts(db)
    found = db.execute(
        "SELECT term FROM temp.chunk_counts WHERE term BETWEEN ? AND ?",
        (start, start + chr(0xFFFF)),
    )
    return [term for (term,) in found.fetchall()]


def embedder_of(db: Connection) -> str:
    """Return the identity of the embedder whose vectors the index has; "" for none."""
    row = db.execute("SELECT value FROM meta WHERE name = 'identity'").fetchone()
    return str(row["value"]) if row is not None else ""


def _rare(db: Connection, words: Sequence[str]) -> list[str]:
    size = db.execute("SELECT count(*) FROM (SELECT 1 FROM chunk LIMIT ?)", (MOST_ROWS,))
    if size.fetchone()[0] * len(words) <= MOST_ROWS:
        return list(words)  # an upper bound of the number of passages
    query = "SELECT count(*) FROM (SELECT 1 FROM chunk_fts WHERE chunk_fts MATCH ? LIMIT ?)"
    return rarest(
        {w: db.execute(query, (match_query([w]), MOST_ROWS)).fetchone()[0] for w in words},
        MOST_ROWS,
    )


def rarest(rows: Mapping[str, int], most: int) -> list[str]:
    """Return the rarest words that together occur in at most `most` passages.

    `rows`: the number of passages with each word. At least two words are kept, and all words in a
    small index.
    """
    rare = sorted(rows, key=lambda word: rows[word])
    totals = itertools.accumulate(rows[word] for word in rare)
    return [
        word
        for at, (word, sum_) in enumerate(zip(rare, totals, strict=True))
        if at < 2 or sum_ <= most
    ]


def coverage(db: Connection, words: Sequence[str], ids: Sequence[int]) -> Coverage:
    """Return which of the words occur in these passages, and how rare each is in the index."""
    places = {id_: [0, 0, 0] for id_ in ids}
    total = db.execute("SELECT count(*) FROM chunk").fetchone()[0]
    holders = []
    for bit, word in enumerate(words):
        for group, columns in enumerate(COLUMN_GROUPS):
            # One row instead of thousands: sqlite3 releases the GIL for each, and where other
            # threads compute, getting it back may take milliseconds.
            (holding,) = db.execute(
                "SELECT group_concat(rowid) FROM chunk_fts WHERE chunk_fts MATCH ?",
                (f"{columns} : {match_query([word])}",),
            ).fetchone()
            ids_with = holding.split(",") if holding else []
            if not group:
                holders.append(len(ids_with))
            for id_ in map(int, ids_with):
                if id_ in places:
                    places[id_][group] |= 1 << bit
    found = {id_: (a, b, c) for id_, (a, b, c) in places.items()}
    return covering(total, holders, found)


def covering(
    total: int, holders: Sequence[int], places: Mapping[int, tuple[int, int, int]]
) -> Coverage:
    """Build a Coverage. `holders`: the number of the `total` passages with each word."""
    idf = tuple(rarity(total, each) for each in holders)
    scale = min(1.0, total / TELLING) / (sum(idf) or 1.0)
    missing = (0.0 if count else each * scale for each, count in zip(idf, holders, strict=True))
    return Coverage(idf, tuple(missing), places)


def rarity(total: int, holders: int) -> float:
    """Return a word's inverse document frequency, which is above 0."""
    return math.log(1.0 + (total - holders + 0.5) / (holders + 0.5))


def nearest(db: Connection, question: Question, vector: bytes, count: int) -> dict[int, float]:
    """Map the ids of the nearest `count` chunks to their cosine similarity, if it is above 0."""
    if not any(vector):  # a zero vector has no direction, and sqlite-vec's distance is NULL
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
    rows = db.execute(
        "SELECT chunk_id, embedding FROM chunk_vec JOIN chunk ON chunk.id = chunk_id"
        f" WHERE {where}",
        tuple(given),
    ).fetchall()
    similar = _cosines([row["embedding"] for row in rows], vector)
    best = sorted(range(len(rows)), key=lambda at: -similar[at])[:count]
    return {rows[at]["chunk_id"]: similar[at] for at in best if similar[at] > 0.0}


def similar(db: Connection, vector: bytes, ids: Sequence[int]) -> dict[int, float]:
    """Map those of the passages that have a vector to their cosine similarity."""
    if not any(vector):
        return {}
    rows = _vectors(db, ids)
    found = _cosines([row["embedding"] for row in rows], vector)
    return dict(zip((row["chunk_id"] for row in rows), found, strict=True))


def sentences(db: Connection, vector: bytes, ids: Sequence[int]) -> dict[int, float]:
    """Map those of the passages whose sentences have vectors to the largest cosine of these."""
    if not any(vector):
        return {}
    rows = db.execute(
        "SELECT chunk_id, vectors FROM json_each(?) CROSS JOIN sentences ON chunk_id = value",
        (json.dumps(list(ids)),),
    ).fetchall()
    found = best_cosines(vector, [row["vectors"] for row in rows])
    return dict(zip((row["chunk_id"] for row in rows), found, strict=True))


def background(db: Connection, vector: bytes) -> Background | None:
    """Return the question's similarity to unrelated passages; None if too few are embedded."""
    if not any(vector):
        return None
    total = db.execute("SELECT count(*) FROM chunk").fetchone()[0]
    found = db.execute("SELECT id FROM chunk WHERE id % ? = 0", (sample_step(total),))
    ids = sorted(id_ for (id_,) in found.fetchall())  # in SQL the whole table would be read
    stored = [row["embedding"] for row in _vectors(db, ids)]
    if len(stored) < 2:  # no pair; and without vectors to compare NumPy is not needed
        return None
    unit = unit_vectors([vector, *stored])
    near, pairs = unit[1:] @ unit[0], (unit[2:] * unit[1:-1]).sum(axis=1)
    return background_of(near.tolist(), pairs.tolist())


def background_of(near: Sequence[float], pairs: Sequence[float]) -> Background | None:
    """Build a Background from a question's cosines with the sample, and those within the sample.

    In a small index the farthest passage is the background: most others may be answers.
    """
    if not near or not pairs:
        return None
    mean, deviation = _mean_and_deviation(near)
    if len(near) < FEW:
        mean = min(near)
    return Background(mean, deviation, *_mean_and_deviation(pairs))


def _mean_and_deviation(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the standard deviation, at least LEAST_DEVIATION."""
    # Not the statistics module, which uses exact fractions: 3 ms for 256 values.
    mean = math.fsum(values) / len(values)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))
    return mean, max(deviation, LEAST_DEVIATION)


def sample_step(total: int) -> int:
    """Return the step of a sample of so many passages: those whose ids it divides. The sample stays
    the same until the index has doubled.

    It does not depend on the newest id: with each edit of a note ids grow, but not passages.
    """
    step = 1
    while total // (2 * step) >= _SAMPLE:
        step *= 2
    return step


def vectors_of(db: Connection, ids: Sequence[int]) -> dict[int, bytes]:
    """Map those of the passages that have a vector to it."""
    return {row["chunk_id"]: row["embedding"] for row in _vectors(db, ids)}


def _vectors(db: Connection, ids: Sequence[int]) -> list[Row]:
    return db.execute(
        "SELECT chunk_id, embedding FROM json_each(?) CROSS JOIN chunk_vec ON chunk_id = value",
        (json.dumps(list(ids)),),
    ).fetchall()


def _cosines(vectors: Sequence[bytes], vector: bytes) -> list[float]:
    if not vectors:
        return []
    unit = unit_vectors([vector, *vectors])
    found: list[float] = (unit[1:] @ unit[0]).tolist()
    return found


BY_SQL = Candidates(keywords, nearest, coverage, similar, background)
