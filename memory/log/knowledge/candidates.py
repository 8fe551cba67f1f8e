"""Candidates: facts proposed by a batch, until they become lines of knowledge/.

    stored with the plan of their batch → waiting, once its section is written → decided → gone

A decision is stored before any note is changed, so that an interrupted consolidation is repeated
with the same ids and the same result.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from operator import itemgetter
from typing import Literal

from ...infra.clock import parse_utc
from ...infra.store import Connection, Records, Row, from_row, insert

Action = Literal["add", "update", "delete", "keep", "drop"]


@dataclass(frozen=True, slots=True)
class FactCandidate:
    """A grounded statement that may become a fact. `sources`: ids of the owner's messages.

    `day`: the local day on which it was said; `expires`: the first day on which it is no longer
    true.
    """

    category: str
    text: str
    sources: tuple[int, ...]
    day: date
    expires: date | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class StoredCandidate:
    """A stored candidate. `batch`: its source; `section`: the note with the batch's section.

    `action`: the decision, None before it; `fact`: the id of the line that it becomes; `target`:
    the id of the line that it updates, deletes or keeps. `since`: when its batch ended. `doubtful`:
    it contradicts the line that it updates.
    """

    id: int
    batch: str
    section: str | None
    found: FactCandidate
    since: datetime
    action: Action | None = None
    fact: str | None = None
    target: str | None = None
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class CandidateDecision:
    """The decision on the waiting candidate with that id."""

    id: int
    action: Action
    fact: str | None = None
    target: str | None = None
    doubtful: bool = False


_ENDED = "batch.state IN ('written', 'closed')"


def store(db: Connection, batch: str, found: Sequence[FactCandidate]) -> None:
    """Replace a batch's candidates; runs in the batch's transaction."""
    drop(db, batch)
    for each in found:
        insert(
            db,
            "candidate",
            batch=batch,
            category=each.category,
            text=each.text,
            sources=json.dumps(each.sources),
            day=each.day.isoformat(),
            expires=each.expires.isoformat() if each.expires else None,
            confidence=each.confidence,
        )


def drop(db: Connection, batch: str) -> None:
    """Drop the candidates of a released batch."""
    db.execute("DELETE FROM candidate WHERE batch = ?", (batch,))


class FactCandidates(Records):
    """The candidates of one profile. Callers own `batch.lock` to decide and to finish."""

    async def count(self) -> int:
        """Count the candidates that are not written yet."""
        joined = "candidate JOIN batch ON batch.id = candidate.batch"
        query = f"SELECT count(*) FROM {joined} WHERE {_ENDED}"
        return await self._db.first(itemgetter(0), query) or 0

    async def waiting(self, without: Collection[int] = ()) -> list[StoredCandidate]:
        """Return the candidates of the oldest written batch that still has some, leaving out those
        with these ids."""
        others = "candidate.id NOT IN (SELECT value FROM json_each(?1))"
        return await self._db.all(
            _waiting,
            "SELECT candidate.*, batch.path, coalesce(batch.closed_at, batch.claimed_at)"
            " AS since FROM candidate JOIN batch ON batch.id = candidate.batch"
            " WHERE candidate.batch = (SELECT batch.id FROM candidate"
            f" JOIN batch ON batch.id = candidate.batch WHERE {_ENDED} AND {others}"
            f" ORDER BY candidate.id LIMIT 1) AND {others} ORDER BY candidate.id",
            json.dumps(list(without)),
        )

    async def decide(self, choices: Iterable[CandidateDecision]) -> None:
        """Store decisions on candidates, all in one transaction."""
        rows = [(e.action, e.fact, e.target, e.doubtful, e.id) for e in choices]
        update = "UPDATE candidate SET action = ?, fact = ?, target = ?, doubtful = ? WHERE id = ?"
        await self._db.write(lambda db: db.executemany(update, rows))

    async def decided(self) -> set[str]:
        """Return the ids of the lines that decided candidates will create or change."""
        query = (
            "SELECT fact AS name FROM candidate WHERE action IS NOT NULL"
            " UNION SELECT target FROM candidate WHERE action IS NOT NULL"
        )
        return set(filter(None, await self._db.all(itemgetter("name"), query)))


def _waiting(row: Row) -> StoredCandidate:
    found = from_row(
        FactCandidate,
        row,
        sources=tuple(json.loads(row["sources"])),
        day=date.fromisoformat(row["day"]),
        expires=date.fromisoformat(row["expires"]) if row["expires"] else None,
    )
    return from_row(
        StoredCandidate,
        row,
        section=row["path"],
        found=found,
        since=parse_utc(row["since"]),
        doubtful=bool(row["doubtful"]),
    )
