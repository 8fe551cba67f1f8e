"""The updates that Telegram sent, each kept until all that it caused is stored elsewhere.

    received → done | set_aside(reason)        tries are counted before handling

It does not know what an update holds: the payload is text to it.
"""

from __future__ import annotations

from dataclasses import dataclass

from memory.clock import Clock, utc_text
from memory.db import Connection, Database


@dataclass(frozen=True, slots=True)
class Received:
    """An update that is not finished."""

    update_id: int
    chat: str | None
    tries: int
    payload: str


class Updates:
    """The table `incoming`."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db, self._clock = db, clock

    async def receive(self, update_id: int, chat: str | None, payload: str) -> bool:
        """Store an update; False if it is known already (Telegram delivers again)."""
        values = (update_id, chat, utc_text(self._clock()), payload)

        def change(db: Connection) -> bool:
            added = db.execute(
                "INSERT OR IGNORE INTO incoming (update_id, chat, received_at, state, payload)"
                " VALUES (?, ?, ?, 'received', ?)",
                values,
            )
            return added.rowcount == 1

        return await self._db.write(change)

    async def received(self) -> list[Received]:
        """Those that are not finished, in the order they came."""

        def look(db: Connection) -> list[Received]:
            rows = db.execute(
                "SELECT update_id, chat, tries, payload FROM incoming WHERE state = 'received'"
                " ORDER BY received_at, update_id"
            ).fetchall()
            return [Received(*row) for row in rows]

        return await self._db.read(look)

    async def begin(self, update_id: int) -> int | None:
        """Count one more try; its number, or None when the update is finished already."""

        def change(db: Connection) -> int | None:
            db.execute(
                "UPDATE incoming SET tries = tries + 1 WHERE update_id = ? AND state = 'received'",
                (update_id,),
            )
            row = db.execute(
                "SELECT tries FROM incoming WHERE update_id = ? AND state = 'received'",
                (update_id,),
            ).fetchone()
            return int(row["tries"]) if row else None

        return await self._db.write(change)

    async def uncount(self, update_id: int) -> None:
        """Take the last try back: it was broken off by a shutdown, not by the update."""
        await self._db.write(
            lambda db: db.execute(
                "UPDATE incoming SET tries = max(0, tries - 1)"
                " WHERE update_id = ? AND state = 'received'",
                (update_id,),
            )
        )

    async def done(self, update_id: int) -> None:
        """All that it caused is stored elsewhere: its text goes."""
        await self._db.write(
            lambda db: db.execute(
                "UPDATE incoming SET state = 'done', payload = NULL"
                " WHERE update_id = ? AND state = 'received'",
                (update_id,),
            )
        )

    async def set_aside(self, update_id: int, reason: str) -> None:
        """It cannot be handled; its text is kept, so that it can be looked into."""
        await self._db.write(
            lambda db: db.execute(
                "UPDATE incoming SET state = 'set_aside', reason = ?"
                " WHERE update_id = ? AND state = 'received'",
                (reason, update_id),
            )
        )
