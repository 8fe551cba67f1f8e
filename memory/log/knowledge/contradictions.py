"""Contradictions: a new line replaced another one, and it is not clear which is true.

    waiting → asked → answered | lapsed (nobody answered: the newer line counts, as uncertain)

Only the ids of the two lines are stored here.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from ...infra.clock import parse_utc, utc_text
from ...infra.store import Connection, Records, Row, from_row

ContradictionState = Literal["waiting", "asked", "answered", "lapsed"]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """`fact`: the id of the line in effect; `other`: the id of the archived line; `back`: the id of
    the line that restores it, if the owner chose that."""

    fact: str
    other: str
    state: ContradictionState
    back: str | None = None


class Contradictions(Records):
    """The contradictions of one profile."""

    async def waiting(self) -> list[Contradiction]:
        """Return those that the owner has not been asked about, oldest first."""
        query = "SELECT * FROM contradiction WHERE state = 'waiting' ORDER BY rowid"
        return await self._db.all(_contradiction, query)

    async def of(self, fact: str) -> Contradiction | None:
        """Return the contradiction of that line; None if there is none."""
        query = "SELECT * FROM contradiction WHERE fact = ?"
        return await self._db.first(_contradiction, query, fact)

    async def last_asked(self) -> datetime | None:
        """Return when the owner was last asked."""

        def look(db: Connection) -> datetime | None:
            at = db.execute("SELECT max(asked_at) FROM contradiction").fetchone()[0]
            return parse_utc(at) if at else None

        return await self._db.read(look)

    async def mark_asked(self, fact: str) -> None:
        """Record that the owner was asked about it; earlier questions lapse."""
        now = utc_text(self._clock())

        def change(db: Connection) -> None:
            db.execute(
                "UPDATE contradiction SET state = 'lapsed' WHERE state = 'asked' AND fact != ?",
                (fact,),
            )
            db.execute(
                "UPDATE contradiction SET state = 'asked', asked_at = ? WHERE fact = ?", (now, fact)
            )

        await self._db.write(change)

    async def record_restored(self, fact: str, back: str) -> None:
        """Record the id of the line that restores the other one, before it is written."""
        update = "UPDATE contradiction SET back = ? WHERE fact = ? AND back IS NULL"
        await self._db.execute(update, back, fact)

    async def end(self, fact: str, state: ContradictionState) -> None:
        """Mark it as answered, or as lapsed."""
        await self._db.execute("UPDATE contradiction SET state = ? WHERE fact = ?", state, fact)


def store(db: Connection, fact: str, other: str, at: str) -> None:
    """Store a contradiction, in the caller's transaction; idempotent."""
    db.execute(
        "INSERT INTO contradiction (fact, other, state, made_at)"
        " VALUES (?, ?, 'waiting', ?) ON CONFLICT DO NOTHING",
        (fact, other, at),
    )


def _contradiction(row: Row) -> Contradiction:
    return from_row(Contradiction, row)
