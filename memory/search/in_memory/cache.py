"""In-memory search cache of one index generation: columns, postings, quantized vectors.

It is derived from the index, follows changes through ids and `chunk_change`, and may be dropped at
any time. It returns the candidates that `candidates.keywords` and `candidates.nearest` find by SQL.
Filters are applied before either list is cut.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...embedding.packed import unit_vectors
from ...index import tables
from ...infra.sqlite import Connection, connect, errors
from ...text.tokenize import query_words
from ..candidates.sql import (
    BY_SQL,
    MOST_ROWS,
    WEIGHTS,
    Background,
    Candidates,
    Coverage,
    background_of,
    covering,
    sample_step,
)
from . import changes
from .columns import Rows
from .posting_list import AFTER, BEFORE, OWN
from .postings import Postings
from .vector_codes import Codes

if TYPE_CHECKING:
    from ..candidates.query import Question

WORTH_IT = 2_000  # minimum number of passages; below, SQL is as fast (tests.benchmarks.search)
_SAMPLE = 10_000  # vectors from which the codes' mean and deviation are computed
_PAGE = 4_096  # vectors read at a time
_EXACT = 32  # vectors compared exactly; in real data, the nearest 24 are among the first 28
_STALE = 2_000  # changed passages (or half of all) after which the cache is rebuilt


class SearchCache:
    """Build it with `read` in any thread; afterwards use it only in the reader's thread."""

    def __init__(self) -> None:
        self.rows = Rows()
        self.codes: Codes | None = None
        self.postings: Postings
        self.is_sound = True
        """False after an update failed half-way: the cache must be dropped."""
        self._seq = 0
        self._scored: tuple[object, Any] = (None, None)
        self._changes = self._embedded = 0
        self._known: dict[int, bytes] = {}
        self._sample: tuple[int, Any, Any] = (-1, None, None)
        self._reader: Connection | None = None

    @classmethod
    def read(cls, path: Path, wanted: Callable[[], bool] = lambda: True) -> SearchCache | None:
        """Read a generation through a separate connection.

        Return None if it is too small to pay off, or no longer `wanted`. Raises StoreError.
        """
        opened = connect(path, synchronous="NORMAL", extension=True)
        with closing(opened) as db, errors(path):
            db.execute("BEGIN")
            if db.execute("SELECT count(*) FROM chunk").fetchone()[0] < WORTH_IT:
                return None
            cache = cls()
            return cache if cache._load(db, wanted) else None

    @property
    def is_stale(self) -> bool:
        """Return whether so much changed, or so many vectors came to a cache without codes, that it
        should be rebuilt."""
        if self.codes is None and self._embedded >= WORTH_IT:
            return True
        return self._changes > max(_STALE, self.rows.size // 2)

    def _load(self, db: Connection, wanted: Callable[[], bool]) -> bool:
        self._seq = changes.newest(db)
        self.rows.extend(db)
        self.postings = Postings(self.rows, WEIGHTS)
        self.postings.load(db, wanted)
        embedded = self.rows["id"][self.rows["embedded"]]
        if not tables.has_vectors(db) or len(embedded) < WORTH_IT:
            self._embedded = len(embedded)
            return True
        step = max(1, len(embedded) // _SAMPLE)
        _, sample = changes.vectors(db, embedded[::step].tolist())
        if not sample:  # all sampled vectors are zero: leave the others to SQL
            return True
        self.codes = Codes(_matrix(sample))
        self.codes.grow(self.rows.size * 5 // 4)
        self.rows.change("embedded", slice(None), False)
        for start in range(0, len(embedded), _PAGE):
            if not wanted():
                return False
            ids, vectors = changes.vectors(db, embedded[start : start + _PAGE].tolist())
            self._put(ids, vectors)
        return True

    def _put(self, ids: list[int], vectors: list[bytes]) -> None:
        if self.codes is None or not ids:
            return
        places = self.rows.places(ids)
        self.codes.put(places, _matrix(vectors))
        # Only vectors with codes: zero vectors count as embedded in the index, but are not stored.
        self.rows.change("embedded", places, True)

    def follow(self, db: Connection) -> bool:
        """Apply the changes since the last call; return whether the cache can be used."""
        if not self.is_sound:
            return False
        try:
            if self._reader is not db:
                self.postings.attach(db)
                self._reader = db
            self._take_in(db)
        except BaseException:
            self.is_sound = False
            raise
        return True

    def _take_in(self, db: Connection) -> None:
        came = self.rows.extend(db)
        if came:
            self.rows.change("embedded", self.rows.places(came), False)
            self.postings.extend(db, came)
            self._changes += len(came)
        if self.codes is not None and self.codes.room < self.rows.size:
            self.codes.grow(self.rows.size * 5 // 4)
        seq = changes.newest(db)
        if seq == self._seq:
            return
        changed = changes.since(db, self._seq)
        self._seq = seq
        places = self.rows.places(changed)
        there, embedded = changes.standing(db, changed)
        self._embedded += len(embedded)
        self._changes += len(changed) - len(there)  # excluding passages that only got their vector
        self.rows.change("alive", places, False)
        self.rows.change("alive", self.rows.places(there), True)
        if self.codes is not None:
            self._put(*changes.vectors(db, embedded))

    def candidates(self) -> Candidates:
        """Return the candidate functions that use this cache."""
        return Candidates(self.keywords, self.nearest, self.coverage, self.similar, self.background)

    def keywords(self, db: Connection, question: Question, count: int) -> dict[int, float]:
        """Like `candidates.sql.keywords`."""
        if not self.follow(db):
            return BY_SQL.keywords(db, question, count)
        asked = (self.rows.version, question.text)
        if self._scored[0] != asked:  # one turn asks the same question for several kinds
            words = query_words(question.text)
            self._scored = asked, self.postings.scores(db, words, MOST_ROWS) if words else None
        scores = self._scored[1]
        if scores is None:
            return {}
        found = np.flatnonzero(scores > 0)
        found = found[self.rows.mask(question)[found]]
        if len(found) > count:
            found = found[np.argpartition(-scores[found], count)[:count]]
        ids = self.rows["id"][found].tolist()
        return dict(zip(ids, scores[found].tolist(), strict=True))

    def nearest(
        self, db: Connection, question: Question, vector: bytes, count: int
    ) -> dict[int, float]:
        """Like `candidates.sql.nearest`: choose by the codes, then compare the nearest exactly."""
        if not self.follow(db) or self.codes is None:
            return BY_SQL.nearest(db, question, vector, count)
        asked = np.frombuffer(vector, np.float32)
        length = float(np.linalg.norm(asked))
        mask = self.rows.mask(question) & self.rows["embedded"]
        if not length or not mask.any():  # a zero vector has no direction
            return {}
        places, products = self.codes.nearest(asked, mask, max(count, _EXACT))
        order = np.argsort(-products)
        found = self.rows["id"][places[order]].tolist()
        near = dict(zip(found, (products[order] / length).tolist(), strict=True))
        ids, vectors = changes.vectors(db, sorted(found[:_EXACT]))
        if ids:
            similar = unit_vectors(vectors) @ (asked / length)
            near.update(zip(ids, similar.tolist(), strict=True))
        best = sorted(near, key=lambda id_: -near[id_])[:count]
        return {id_: near[id_] for id_ in best if near[id_] > 0.0}

    def coverage(self, db: Connection, words: Sequence[str], ids: Sequence[int]) -> Coverage:
        """Like `candidates.sql.coverage`."""
        if not self.follow(db):
            return BY_SQL.coverage(db, words, ids)
        places = self.rows.places(ids)
        holders, found = self.postings.coverage(db, words, places)
        total = int(np.count_nonzero(self.rows["alive"]))
        bits = np.left_shift(np.int64(1), np.arange(len(words)))[:, None]
        groups = [
            (((found & columns) > 0) * bits).sum(axis=0).tolist() if len(words) else [0] * len(ids)
            for columns in (OWN, BEFORE, AFTER)
        ]
        return covering(
            total,
            holders.tolist(),
            dict(zip(self.rows["id"][places].tolist(), zip(*groups, strict=True), strict=True)),
        )

    def similar(self, db: Connection, vector: bytes, ids: Sequence[int]) -> dict[int, float]:
        """Like `candidates.sql.similar`, to within about 0.001."""
        if not self.follow(db) or self.codes is None:
            return BY_SQL.similar(db, vector, ids)
        asked = np.frombuffer(vector, np.float32)
        length = float(np.linalg.norm(asked))
        places = self.rows.places(ids)
        places = places[self.rows["embedded"][places]]
        if not length or not len(places):
            return {}
        cosines = (self.codes.products(asked, places) / length).tolist()
        return dict(zip(self.rows["id"][places].tolist(), cosines, strict=True))

    def background(self, db: Connection, vector: bytes) -> Background | None:
        """Like `candidates.sql.background`, from the same sample."""
        if not self.follow(db) or self.codes is None:
            return BY_SQL.background(db, vector)
        asked = np.frombuffer(vector, np.float32)
        length = float(np.linalg.norm(asked))
        stored, pairs = self._sampled(db)
        if not length or not len(stored):
            return None
        return background_of((stored @ asked / length).tolist(), pairs.tolist())

    def _sampled(self, db: Connection) -> tuple[Any, Any]:
        """Return the sample's vectors, and the cosines of neighbours in it."""
        if self._sample[0] != self.rows.version:
            alive, all_ids = self.rows["alive"], self.rows["id"]
            drawn = all_ids % sample_step(int(np.count_nonzero(alive))) == 0
            ids = all_ids[alive & self.rows["embedded"] & drawn].tolist()
            known = self._known
            missing = [id_ for id_ in ids if id_ not in known]
            known |= zip(*changes.vectors(db, missing), strict=True)
            self._known = {id_: known[id_] for id_ in ids if id_ in known}
            unit = unit_vectors([*self._known.values()]) if self._known else np.zeros((0, 1))
            pairs = (unit[1:] * unit[:-1]).sum(axis=1)
            self._sample = self.rows.version, unit, pairs
        return self._sample[1:]


def _matrix(vectors: list[bytes]) -> Any:
    return np.frombuffer(b"".join(vectors), np.float32).reshape(len(vectors), -1)
