"""The writes to the vault, with hashes of the note before and after."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ...infra.clock import parse_utc, utc_text
from ...infra.store import Records, Row, from_row


@dataclass(frozen=True, slots=True)
class Edit:
    """One write to the vault: hashes before and after, None for no note."""

    at: datetime
    path: str
    before: str | None
    after: str | None
    cause: str


class Journal(Records):
    """The edits that Sam made to the vault."""

    async def record(self, path: str, before: str | None, after: str | None, cause: str) -> None:
        """Record an edit; called by the vault after each write."""
        insert = "INSERT INTO journal (at, path, before, after, cause) VALUES (?, ?, ?, ?, ?)"
        await self._db.execute(insert, utc_text(self._clock()), path, before, after, cause)

    async def forget(self, path: str) -> None:
        """Forget the name of a note that is gone: it may have the words of what it contained."""
        await self._db.execute("UPDATE journal SET path = '' WHERE path = ?", path)

    async def recent(self, count: int, path: str | None = None) -> list[Edit]:
        """Return the last edits, newest first."""
        query = "SELECT * FROM journal WHERE path = coalesce(?, path) ORDER BY id DESC LIMIT ?"
        return await self._db.all(_edit, query, path, count)


def _edit(row: Row) -> Edit:
    return from_row(Edit, row, at=parse_utc(row["at"]))
