"""The writes to the vault, with hashes of the note before and after."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ...infra.clock import Clock, parse_utc, utc_text
from ...infra.store import Connection, Store


@dataclass(frozen=True, slots=True)
class Edit:
    """One write to the vault: hashes before and after, None for no note."""

    at: datetime
    path: str
    before: str | None
    after: str | None
    cause: str


class Journal:
    """The edits that Sam made to the vault."""

    def __init__(self, db: Store, clock: Clock) -> None:
        self._db, self._clock = db, clock

    async def record(self, path: str, before: str | None, after: str | None, cause: str) -> None:
        """Record an edit; called by the vault after each write."""
        values = (utc_text(self._clock()), path, before, after, cause)
        await self._db.write(
            lambda db: db.execute(
                "INSERT INTO journal (at, path, before, after, cause) VALUES (?, ?, ?, ?, ?)",
                values,
            )
        )

    async def forget(self, path: str) -> None:
        """Forget the name of a note that is gone: it may have the words of what it contained."""
        await self._db.write(
            lambda db: db.execute("UPDATE journal SET path = '' WHERE path = ?", (path,))
        )

    async def recent(self, count: int, path: str | None = None) -> list[Edit]:
        """Return the last edits, newest first."""

        def look(db: Connection) -> list[Edit]:
            rows = db.execute(
                "SELECT * FROM journal WHERE path = coalesce(?, path) ORDER BY id DESC LIMIT ?",
                (path, count),
            ).fetchall()
            return [
                Edit(parse_utc(r["at"]), r["path"], r["before"], r["after"], r["cause"])
                for r in rows
            ]

        return await self._db.read(look)
