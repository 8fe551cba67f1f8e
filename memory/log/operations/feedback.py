"""Answers that the owner marked as bad."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ...infra.clock import parse_utc, utc_text
from ...infra.store import Records, Row


@dataclass(frozen=True, slots=True)
class Disliked:
    """An answer that the owner marked as bad. `sources`: the paths of its passages."""

    message: int
    at: datetime
    sources: tuple[str, ...]


class Feedback(Records):
    """The owner's feedback on answers."""

    async def dislike(self, message: int, at: datetime, sources: Sequence[str]) -> None:
        """Mark an answer as bad; a second time changes nothing."""
        insert = "INSERT INTO feedback VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        await self._db.execute(insert, message, utc_text(at), json.dumps(list(sources)))

    async def remove_dislike(self, message: int) -> None:
        """Remove the mark of an answer."""
        await self._db.execute("DELETE FROM feedback WHERE message = ?", message)

    async def disliked(self, since: datetime) -> list[Disliked]:
        """Return the answers marked since then, oldest first."""
        query = "SELECT * FROM feedback WHERE at >= ? ORDER BY at, message"
        return await self._db.all(_disliked, query, utc_text(since))

    async def of(self, message: int) -> Disliked | None:
        """Return the mark of an answer; None if it has none."""
        return await self._db.first(_disliked, "SELECT * FROM feedback WHERE message = ?", message)


def _disliked(row: Row) -> Disliked:
    return Disliked(row["message"], parse_utc(row["at"]), tuple(json.loads(row["sources"])))
