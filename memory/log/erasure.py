"""Erase a session from the log, and keep tombstones of what must not be written again.

A forgotten message keeps its row, so that the ledger still counts it; its text is gone for good.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..infra.clock import Clock, parse_utc, utc_text
from ..infra.sqlite import Connection, Database
from .batches import line_hash
from .knowledge import facts
from .messages import next_change
from .models import Session, session_of


@dataclass(frozen=True, slots=True)
class SessionOverview:
    """A session with its number of messages and its first words."""

    session: Session
    messages: int
    begins: str


@dataclass(frozen=True, slots=True)
class Derived:
    """What one batch wrote from a session's messages.

    `lines`: the batch's bullets as written, and whether they came from those messages alone.
    `whole`: no other session has a message in the batch, so that its summary goes too.
    `text_hash`: of the section as last written; `ended_at`: when its last message was sent.
    """

    batch: str
    path: str
    text_hash: str | None
    ended_at: datetime
    whole: bool
    lines: tuple[tuple[str, bool], ...]

    @property
    def gone(self) -> tuple[str, ...]:
        """The bullets that came from the session alone."""
        return tuple(text for text, alone in self.lines if alone)

    @property
    def stay(self) -> tuple[str, ...]:
        """The bullets that came from other messages too."""
        return tuple(text for text, alone in self.lines if not alone)


class Forgetting:
    """Forget sessions of one profile. Callers own `batch.lock`, so that no summary is written
    meanwhile."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db, self._clock = db, clock

    async def sessions(self) -> list[SessionOverview]:
        """Return the sessions that still have messages or a transcript, oldest first."""

        def look(db: Connection) -> list[SessionOverview]:
            rows = db.execute(
                "SELECT session.*, count(message.id) AS messages,"
                " (SELECT text FROM message AS said WHERE said.session_id = session.id"
                " AND said.state != 'forgotten' AND said.text != '' ORDER BY id LIMIT 1) AS begins"
                " FROM session LEFT JOIN message"
                " ON message.session_id = session.id AND message.state != 'forgotten'"
                " GROUP BY session.id"
                " HAVING count(message.id) > 0 OR coalesce(session.path, '') != ''"
                " ORDER BY session.id"
            ).fetchall()
            return [
                SessionOverview(session_of(row), row["messages"], row["begins"] or "")
                for row in rows
            ]

        return await self._db.read(look)

    async def answering(self, session_id: int) -> bool:
        """Return whether a turn of the session is open."""

        def look(db: Connection) -> bool:
            found = db.execute(
                "SELECT 1 FROM turn WHERE session_id = ? AND state = 'open'", (session_id,)
            ).fetchone()
            return found is not None

        return await self._db.read(look)

    async def derived(self, session_id: int) -> list[Derived]:
        """Return what was written into the days' files from the session's messages."""
        return await self._db.read(lambda db: _derived(db, session_id))

    async def entomb(self, lines: Iterable[str], cause: str) -> None:
        """Store tombstones: these lines must not be written again."""
        at = utc_text(self._clock())
        rows = [(at, line_hash(line), cause) for line in lines]
        await self._db.write(
            lambda db: [
                db.execute(
                    "INSERT INTO tombstone (at, text_hash, cause) VALUES (?, ?, ?)"
                    " ON CONFLICT (text_hash) DO NOTHING",
                    row,
                )
                for row in rows
            ]
        )

    async def entombed(self, lines: Collection[str]) -> set[str]:
        """Return those of these lines that have a tombstone."""
        by_hash = {line_hash(line): line for line in lines}

        def look(db: Connection) -> set[str]:
            rows = db.execute(
                "SELECT text_hash FROM tombstone"
                " WHERE text_hash IN (SELECT value FROM json_each(?))",
                (json.dumps(list(by_hash)),),
            ).fetchall()
            return {row["text_hash"] for row in rows}

        gone = await self._db.read(look)
        return {line for line in lines if line_hash(line) in gone}

    async def forget(self, session_id: int, sections: Sequence[tuple[str, str | None]]) -> int:
        """Delete the texts of the session's messages, and of bullets made from them alone.

        `sections`: batches with the hash of the rest of their section. Returns the number of
        messages.
        """

        def change(db: Connection) -> int:
            bullets = [id_ for found in _bullets(db, session_id).values() for id_ in found.gone]
            db.execute(
                "DELETE FROM bullet WHERE id IN (SELECT value FROM json_each(?))",
                (json.dumps(bullets),),
            )
            facts.forget(db, session_id)
            for batch, text_hash in sections:
                db.execute("UPDATE batch SET text_hash = ? WHERE id = ?", (text_hash, batch))
            rows = db.execute(
                "SELECT id FROM message WHERE session_id = ? AND state != 'forgotten' ORDER BY id",
                (session_id,),
            ).fetchall()
            for row in rows:
                db.execute(
                    "UPDATE message SET text = '', author = '', state = 'forgotten',"
                    " reason = 'forgotten', changed = ? WHERE id = ?",
                    (next_change(db), row["id"]),
                )
            return len(rows)

        return await self._db.write(change)


@dataclass(slots=True)
class _Bullets:
    """A batch's bullets as rows: their ids, and the texts of all in order."""

    whole: bool
    gone: list[int]
    lines: list[tuple[str, bool]]


def _bullets(db: Connection, session_id: int) -> dict[str, _Bullets]:
    """The bullets of each batch that has a message of the session. A bullet that names no message
    came from all of its batch."""
    batches = db.execute(
        "SELECT DISTINCT batch FROM message WHERE session_id = ? AND batch IS NOT NULL",
        (session_id,),
    ).fetchall()
    found: dict[str, _Bullets] = {}
    for (batch,) in batches:
        members = db.execute(
            "SELECT id, session_id, state FROM message WHERE batch = ?", (batch,)
        ).fetchall()
        # Messages forgotten earlier protect no line: only remembered ones do.
        others = {
            row["id"]
            for row in members
            if row["session_id"] != session_id and row["state"] != "forgotten"
        }
        mine = found[batch] = _Bullets(not others, [], [])
        rows = db.execute("SELECT * FROM bullet WHERE batch = ? ORDER BY id", (batch,)).fetchall()
        own = {row["id"] for row in members if row["session_id"] == session_id}
        for row in rows:
            sources = set(json.loads(row["sources"]))
            alone = not sources & others and bool(sources & own) if sources else mine.whole
            mine.lines.append((row["text"], alone))
            if alone:
                mine.gone.append(row["id"])
    return found


def _derived(db: Connection, session_id: int) -> list[Derived]:
    made = []
    for batch, bullets in _bullets(db, session_id).items():
        row = db.execute("SELECT path, text_hash FROM batch WHERE id = ?", (batch,)).fetchone()
        if row["path"] is None:
            continue
        last = db.execute(
            "SELECT sent_at FROM message WHERE batch = ? ORDER BY id DESC LIMIT 1", (batch,)
        ).fetchone()
        made.append(
            Derived(
                batch=batch,
                path=row["path"],
                text_hash=row["text_hash"],
                ended_at=parse_utc(last["sent_at"]),
                whole=bullets.whole,
                lines=tuple(bullets.lines),
            )
        )
    return made
