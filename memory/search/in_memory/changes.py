"""What changed among the chunks since it was last asked, and their vectors. Writes nothing.

All functions take a connection inside a transaction of `Database.read`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from ...infra.sqlite import Connection


def newest(db: Connection) -> int:
    """The number of the newest change of a chunk that was there; 0 without any."""
    return int(db.execute("SELECT coalesce(max(seq), 0) FROM chunk_change").fetchone()[0])


def since(db: Connection, seq: int) -> list[int]:
    """The chunks that got their vector, or went, after that change; each once."""
    rows = db.execute("SELECT DISTINCT chunk_id FROM chunk_change WHERE seq > ?", (seq,)).fetchall()
    return [row[0] for row in rows]


def standing(db: Connection, ids: Sequence[int]) -> tuple[list[int], list[int]]:
    """Those of the chunks that are still there, and those of them that have their vector."""
    rows = db.execute(
        "SELECT chunk.id, embedded FROM json_each(?) CROSS JOIN chunk ON chunk.id = value",
        (json.dumps(ids),),
    ).fetchall()
    return [row[0] for row in rows], [row[0] for row in rows if row[1]]


def vectors(db: Connection, ids: Sequence[int]) -> tuple[list[int], list[bytes]]:
    """The vectors of these chunks, in one query; those without one are left out."""
    rows = db.execute(
        "SELECT chunk_id, embedding FROM json_each(?) CROSS JOIN chunk_vec ON chunk_id = value",
        (json.dumps(ids),),
    ).fetchall()
    return [row[0] for row in rows], [row[1] for row in rows]
