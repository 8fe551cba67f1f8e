"""Nearest neighbours in milliseconds: bit codes in memory, then an exact look at the best.

Derived from the index's vectors and followed through `chunk_change`; it holds no truth and may be
dropped at any time. It knows neither words nor fusion.

A vector's coordinates are reduced to two bits around their mean: the sign, and whether it is large.
Three steps, each over fewer rows: Hamming distance of all signs; the question's own coordinates
against both bits of the nearest `_BY_BITS`; the exact cosine of the nearest of those, whose
vectors are read from sqlite-vec's table. Filters are applied before the first step, from columns
kept beside the codes. (Rescoring binary codes: Yamada et al., BPR, 2021. The four levels are
Lloyd's and Max's for a normal distribution, 1960.)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..db import Connection
from . import tables

if TYPE_CHECKING:
    from ..recall import Question

WORTH_IT = 20_000  # vectors; below, sqlite-vec's own scan takes no longer (tests.benchmarks.search)
_BY_BITS = 2_000  # rows that the second step looks at
_EXACT_PER_HIT = 5  # rows that the third step reads for each one wanted ...
_EXACT_LEAST = 120  # ... and at least
_LARGE, _LEVELS = 0.98, (0.453, 1.51)  # in standard deviations of a coordinate
_NEVER = 2**31 - 1  # an expiry that does not come; larger than any day
_PRIVACY = {"normal": 0, "sensitive": 1, "sealed": 2}

_META = (
    "SELECT id, kind, date, privacy, expires, superseded, message_id FROM chunk WHERE embedded = 1"
)


def _day(text: str | None, missing: int) -> int:
    return int(text.replace("-", "")) if text else missing


class Codes:
    """The codes of one generation. Used by its reader's thread alone."""

    def __init__(self) -> None:
        self._seq = -1
        self._size = 0
        self._row: dict[int, int] = {}
        self._kinds: dict[str, int] = {}
        self._centre: Any = None
        self._spread: Any = None
        self._signs: Any = None
        self._large: Any = None
        self._columns: Any = None

    def load(self, db: Connection) -> bool:
        """Read all vectors; False, and nothing read, where there are too few to be worth it."""
        if not tables.has_vectors(db):
            return False
        count = int(db.execute("SELECT count(*) FROM chunk WHERE embedded = 1").fetchone()[0])
        if count < WORTH_IT:
            return False
        seq = tables.last_change(db)
        rows = db.execute("SELECT chunk_id, embedding FROM chunk_vec").fetchall()
        sample = rows[:: max(1, len(rows) // 10_000)]
        known = np.stack([np.frombuffer(row[1], np.float32) for row in sample])
        self._centre, self._spread = known.mean(axis=0), known.std(axis=0)
        self._size, self._row = 0, {}
        self._grow(len(rows) * 5 // 4)
        meta = {row["id"]: row for row in db.execute(_META).fetchall()}
        for start in range(0, len(rows), 4096):
            self._add(rows[start : start + 4096], meta)
        self._seq = seq
        return True

    def follow(self, db: Connection) -> None:
        """Take in what changed since the last time."""
        changed = tables.changes(db, self._seq)
        if not changed:
            return
        ids = sorted({id_ for _, id_ in changed})
        for id_ in ids:
            row = self._row.pop(id_, None)
            if row is not None:
                self._columns["alive"][row] = False
        vectors: list[Any] = []
        meta: dict[int, Any] = {}
        for id_ in ids:
            found = db.execute(f"{_META} AND id = ?", (id_,)).fetchone()
            vector = db.execute(
                "SELECT chunk_id, embedding FROM chunk_vec WHERE chunk_id = ?", (id_,)
            ).fetchone()
            if found and vector:
                meta[id_] = found
                vectors.append(vector)
        if vectors:
            if self._size + len(vectors) > len(self._columns):
                self._grow((self._size + len(vectors)) * 5 // 4)
            self._add(vectors, meta)
        self._seq = changed[-1][0]

    def nearest(
        self, db: Connection, question: Question, vector: bytes, count: int
    ) -> dict[int, float]:
        """Chunk ids → cosine similarity; the nearest `count` that pass the question's filter."""
        self.follow(db)
        allowed = np.flatnonzero(self._mask(question))
        if not len(allowed):
            return {}
        asked = np.frombuffer(vector, np.float32)
        near = allowed
        if len(near) > _BY_BITS:
            distances = self._hamming(_pack((asked > self._centre)[None, :])[0], near)
            near = near[np.argpartition(distances, _BY_BITS)[:_BY_BITS]]
        exact = max(_EXACT_LEAST, _EXACT_PER_HIT * count)
        if len(near) > exact:
            estimate = self._estimate(near, asked)
            near = near[np.argpartition(-estimate, exact)[:exact]]
        return self._exact(db, near, asked, count)

    def _exact(self, db: Connection, near: Any, asked: Any, count: int) -> dict[int, float]:
        ids = self._columns["id"][near].tolist()
        look = "SELECT embedding FROM chunk_vec WHERE chunk_id = ?"
        found = [(id_, row[0]) for id_ in ids if (row := db.execute(look, (id_,)).fetchone())]
        if not found:
            return {}
        matrix = np.frombuffer(b"".join(blob for _, blob in found), np.float32)
        matrix = matrix.reshape(len(found), -1)
        lengths = np.linalg.norm(matrix, axis=1) * np.linalg.norm(asked)
        similar = (matrix @ asked) / np.maximum(lengths, 1e-12)
        best = np.argsort(-similar, kind="stable")[:count]
        return {found[at][0]: float(similar[at]) for at in best if similar[at] > 0.0}

    def _estimate(self, rows: Any, asked: Any) -> Any:
        """The question times what two bits tell of these vectors, up to a constant."""

        def plane(bits: Any) -> Any:
            whole = np.ascontiguousarray(bits[:, rows].T).view(np.uint8)
            return np.unpackbits(whole, axis=1, bitorder="little")[:, : len(asked)]

        small, large = _LEVELS
        sizes = np.where(plane(self._large), np.float32(large), np.float32(small))
        return np.where(plane(self._signs), sizes, -sizes) @ (asked * self._spread)

    def _hamming(self, code: Any, rows: Any) -> Any:
        distances = np.zeros(self._size, np.uint16)
        # Word by word over contiguous columns: a quarter of the time of row by row.
        for word, own in zip(self._signs, code, strict=True):
            distances += np.bitwise_count(word[: self._size] ^ own)
        return distances if len(rows) == self._size else distances[rows]

    def _mask(self, question: Question) -> Any:
        columns = self._columns[: self._size]
        today = _day(question.today.isoformat(), 0)
        mask = columns["alive"] & (columns["expires"] > today)
        mask &= columns["privacy"] <= (1 if question.private else 0)
        message = self._kinds.get("message", -1)
        if question.filter == "conversations":
            mask &= columns["kind"] == message
        elif question.filter == "knowledge":
            mask &= columns["kind"] != message
        if question.since is not None:
            mask &= columns["date"] >= _day(question.since.isoformat(), 0)
        if question.until is not None:
            mask &= (columns["date"] <= _day(question.until.isoformat(), 0)) & (columns["date"] > 0)
        if question.kinds:
            mask &= np.isin(columns["kind"], [self._kinds.get(kind, -1) for kind in question.kinds])
        if question.without_messages:
            mask &= ~np.isin(columns["message"], question.without_messages)
        return mask

    def _grow(self, capacity: int) -> None:
        planes = np.zeros((2, -(-len(self._centre) // 64), capacity), np.uint64)
        columns = np.zeros(
            capacity,
            dtype=[
                ("id", np.int64),
                ("kind", np.int16),
                ("date", np.int32),
                ("privacy", np.int8),
                ("expires", np.int32),
                ("message", np.int64),
                ("alive", np.bool_),
            ],
        )
        if self._size:
            planes[0, :, : self._size] = self._signs[:, : self._size]
            planes[1, :, : self._size] = self._large[:, : self._size]
            columns[: self._size] = self._columns[: self._size]
        self._signs, self._large = planes
        self._columns = columns

    def _add(self, vectors: Iterable[Any], meta: dict[int, Any]) -> None:
        known = [(row[0], row[1]) for row in vectors if row[0] in meta]
        if not known:
            return
        start, end = self._size, self._size + len(known)
        matrix = np.frombuffer(b"".join(blob for _, blob in known), np.float32)
        matrix = matrix.reshape(len(known), -1)
        centred = matrix - self._centre
        self._signs[:, start:end] = _pack(centred > 0).T
        self._large[:, start:end] = _pack(np.abs(centred) > _LARGE * self._spread).T
        for at, (id_, _) in enumerate(known, start):
            row = meta[id_]
            self._columns[at] = (
                id_,
                self._kinds.setdefault(row["kind"], len(self._kinds)),
                _day(row["date"], 0),
                _PRIVACY[row["privacy"]],
                _day(row["expires"], _NEVER),
                row["message_id"] or 0,
                not row["superseded"],
            )
            self._row[id_] = at
        self._size = end


def _pack(truths: Any) -> Any:
    """(n, dimension) truths → (n, words) of 64 bits."""
    packed = np.packbits(truths, axis=1, bitorder="little")
    missing = -packed.shape[1] % 8
    if missing:
        packed = np.pad(packed, ((0, 0), (0, missing)))
    return np.ascontiguousarray(packed).view(np.uint64)
