"""Changes of chunks and vectors since the last look. Read-only.

All functions take a connection inside a transaction of `Database.read`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from ...infra.sqlite import Connection
from ..candidates.sql import vectors_of


def newest(db: Connection) -> int:
    """Return the sequence number of the newest change of an existing chunk; 0 without any."""
    return int(db.execute("SELECT coalesce(max(seq), 0) FROM chunk_change").fetchone()[0])


def since(db: Connection, seq: int) -> list[int]:
    """Return the chunks that got their vector or were deleted after that change, each once."""
    rows = db.execute("SELECT DISTINCT chunk_id FROM chunk_change WHERE seq > ?", (seq,)).fetchall()
    return [row[0] for row in rows]


def standing(db: Connection, ids: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return those of the chunks that still exist, and those of them that have their vector."""
    rows = db.execute(
        "SELECT chunk.id, embedded FROM json_each(?) CROSS JOIN chunk ON chunk.id = value",
        (json.dumps(ids),),
    ).fetchall()
    return [row[0] for row in rows], [row[0] for row in rows if row[1]]


def vectors(db: Connection, ids: Sequence[int]) -> tuple[list[int], list[bytes]]:
    """Return the vectors of these chunks, in one query; chunks without one are left out."""
    found = vectors_of(db, ids)
    return [*found], [*found.values()]
