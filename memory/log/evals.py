"""Self-exams in the log: the bullets that they may ask about, and the result of each run."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from ..infra.clock import parse_utc, utc_text
from ..infra.store import Connection, Records, Row, from_row, insert

KEPT = 400  # runs: more than a year of nights


@dataclass(frozen=True, slots=True)
class SourcedBullet:
    """A bullet as it was written, and the ids of the messages it came from."""

    id: int
    text: str
    messages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Exam:
    """One run. `found`: bullet id → the rank, from 1, of the first of its messages; 0: not found.

    `near`: the same by vectors alone; empty where there are none. `degraded` and `alarm` are
    sentences, or empty.
    """

    at: datetime
    version: str
    identity: str
    degraded: str
    found: dict[int, int]
    near: dict[int, int]
    alarm: str = ""


class Exams(Records):
    """The exams of one profile."""

    async def sources(self) -> list[SourcedBullet]:
        """Return bullets whose messages are all searchable: none forgotten, private or not yet
        closed."""
        return await self._db.all(
            lambda row: SourcedBullet(row["id"], row["text"], tuple(json.loads(row["sources"]))),
            "SELECT bullet.id, bullet.text, bullet.sources FROM bullet"
            " JOIN batch ON batch.id = bullet.batch"
            " WHERE batch.state = 'closed' AND bullet.privacy = 'normal'"
            " AND bullet.sources != '[]' AND NOT EXISTS ("
            "   SELECT 1 FROM json_each(bullet.sources) AS source"
            "   LEFT JOIN message ON message.id = source.value"
            "   WHERE message.id IS NULL OR message.privacy != 'normal'"
            "   OR message.state = 'forgotten') ORDER BY bullet.id",
        )

    async def add(self, exam: Exam) -> None:
        """Store a run; delete the oldest."""
        ranks = {id_: [rank, exam.near.get(id_)] for id_, rank in exam.found.items()}

        def change(db: Connection) -> None:
            insert(
                db,
                "exam",
                at=utc_text(exam.at),
                version=exam.version,
                identity=exam.identity,
                degraded=exam.degraded,
                ranks=json.dumps(ranks),
                alarm=exam.alarm,
            )
            db.execute(
                "DELETE FROM exam WHERE id NOT IN (SELECT id FROM exam ORDER BY id DESC LIMIT ?)",
                (KEPT,),
            )

        await self._db.write(change)

    async def recent(self, count: int) -> list[Exam]:
        """Return the last runs, newest first."""
        return await self._db.all(_exam, "SELECT * FROM exam ORDER BY id DESC LIMIT ?", count)


def _exam(row: Row) -> Exam:
    ranks = {int(id_): pair for id_, pair in json.loads(row["ranks"]).items()}
    found = {id_: pair[0] for id_, pair in ranks.items()}
    near = {id_: pair[1] for id_, pair in ranks.items() if pair[1] is not None}
    return from_row(Exam, row, at=parse_utc(row["at"]), found=found, near=near)
