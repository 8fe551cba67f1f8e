"""What was deleted leaves no byte in a database's files. Works on a connection, for
`Database.maintain`.

A deleted row is overwritten where it stood (`PRAGMA secure_delete`); but the write-ahead log has it
until all of that is carried over and the log is cut off.
"""

from __future__ import annotations

from ..errors import StoreBusy
from .sqlite import Connection

_TRIES = 6  # each waits for as long as the connection does: a minute in all


def checkpoint(connection: Connection) -> None:
    """Empty the write-ahead log. StoreBusy where somebody reads an older state all the while."""
    for _ in range(_TRIES):
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not busy:
            return
    raise StoreBusy(
        "what was deleted still stands in a write-ahead log, since somebody reads an older state"
        " of it: restart Sam"
    )


def vacuum(connection: Connection) -> None:
    """Rewrite the whole file, without what was deleted; then as `checkpoint`."""
    connection.execute("VACUUM")
    checkpoint(connection)
