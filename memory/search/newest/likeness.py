"""Compare the best hits with each other, by their vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...embedding.packed import unit_vectors
from ...infra.sqlite import Connection
from ..candidates.query import Hit
from ..candidates.sql import Background, vectors_of

Likeness = Mapping[int, Mapping[int, float]]
"""How similar two hits are, by their `chunk_id`s: the cosine of the passages, in standard
deviations above the mean cosine between passages of the index. Hits without a vector are missing.
"""


def likeness_of(db: Connection, hits: Sequence[Hit], background: Background | None) -> Likeness:
    """Compare the hits that have a day and a vector; none without a background."""
    ids = [hit.chunk_id for hit in hits if hit.date]
    vectors = vectors_of(db, ids) if background is not None else {}
    if background is None or not vectors:
        return {}
    unit = unit_vectors([*vectors.values()])
    deviations = (unit @ unit.T - background.pairs) / background.pairs_deviation
    rows = [dict(zip(vectors, row, strict=True)) for row in deviations.tolist()]
    return dict(zip(vectors, rows, strict=True))
