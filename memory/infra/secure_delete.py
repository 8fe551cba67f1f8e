"""Secure deletion: truncate the write-ahead log and VACUUM. For `Database.maintain`.

A deleted row is overwritten in place (`PRAGMA secure_delete`); but the write-ahead log keeps it
until a checkpoint has transferred everything and truncated the log.
"""

from __future__ import annotations

from ..errors import StoreBusy
from .store import Connection

_TRIES = 6  # each waits for the connection's timeout: a minute in all


def checkpoint(connection: Connection) -> None:
    """Truncate the write-ahead log. Raises StoreBusy while a reader uses an older snapshot."""
    for _ in range(_TRIES):
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not busy:
            return
    raise StoreBusy(
        "what was deleted still stands in a write-ahead log, since somebody reads an older state"
        " of it: restart Sam"
    )


def vacuum(connection: Connection) -> None:
    """Rewrite the whole file without deleted content, then `checkpoint`."""
    connection.execute("VACUUM")
    checkpoint(connection)
