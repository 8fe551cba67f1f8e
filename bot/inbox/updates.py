"""Received updates, each kept until everything that it caused is stored elsewhere.

received → done | set_aside(reason)        tries are counted before handling
set_aside → received | done(dropped)       by the owner's choice

An update that is set aside keeps its text for a while, so that it can be inspected and retried.
Its content is opaque to this module, apart from the ids of its message.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.infra import Connection, Records, parse_utc, utc_text

from ..errors import ERROR_IN_SAM
from .pairing_codes import KnownPeople, known

KEPT = timedelta(days=30)  # the text of updates that are set aside
_FORGOTTEN = "forgotten"  # the reason of an unfinished update whose text must not stay


@dataclass(frozen=True, slots=True)
class Received:
    """An update that is not finished."""

    update_id: int
    chat: str | None
    tries: int
    payload: str


@dataclass(frozen=True, slots=True)
class SetAside:
    """An update that is set aside. `payload` is None once its text is cleared."""

    update_id: int
    chat: str | None
    received_at: datetime
    reason: str
    payload: str | None

    @property
    def why(self) -> str:
        """Return the reason for people; `reason` may be the class of an error."""
        return ERROR_IN_SAM if self.reason.isidentifier() else self.reason


def unfinished(db: Connection, numbers: Collection[int] | None = None) -> list[Received]:
    """Return the unfinished updates, in the order of arrival: those of these numbers, or all."""
    among = " AND update_id IN (SELECT value FROM json_each(?))" if numbers is not None else ""
    given = (json.dumps(list(numbers)),) if numbers is not None else ()
    rows = db.execute(
        "SELECT update_id, chat, tries, payload FROM incoming WHERE state = 'received'"
        f"{among} ORDER BY received_at, update_id",
        given,
    ).fetchall()
    return [Received(*row) for row in rows]


class Updates(Records):
    """The table `incoming`."""

    async def receive(self, update_id: int, chat: str | None, payload: str) -> bool:
        """Store an update, and wake the workers; return False if it is known already (Telegram
        redelivers)."""
        values = (update_id, chat, utc_text(self._clock()), payload)

        def change(db: Connection) -> bool:
            added = db.execute(
                "INSERT INTO incoming (update_id, chat, received_at, state, payload)"
                " VALUES (?, ?, ?, 'received', ?) ON CONFLICT DO NOTHING",
                values,
            )
            return added.rowcount == 1

        return await self._db.write(change, wake=True)

    async def received(self) -> list[Received]:
        """Return the unfinished updates, in the order of arrival."""
        return await self._db.read(unfinished)

    async def begin(self, update_id: int) -> tuple[int | None, KnownPeople]:
        """Count one more try; return its number, or None when the update is finished, and who may
        write now."""

        def change(db: Connection) -> tuple[int | None, KnownPeople]:
            db.execute(
                "UPDATE incoming SET tries = tries + 1 WHERE update_id = ? AND state = 'received'",
                (update_id,),
            )
            row = db.execute(
                "SELECT tries FROM incoming WHERE update_id = ? AND state = 'received'",
                (update_id,),
            ).fetchone()
            return int(row["tries"]) if row else None, known(db)

        return await self._db.write(change)

    async def undo_try(self, update_id: int) -> None:
        """Undo the last count: a shutdown interrupted the try, not the update."""
        await self._db.write(
            lambda db: db.execute(
                "UPDATE incoming SET tries = tries - 1"
                " WHERE update_id = ? AND state = 'received' AND tries > 0",
                (update_id,),
            )
        )

    async def done(self, *update_ids: int) -> bool:
        """Mark the updates done and clear their texts, all at once; return whether one of the texts
        was forgotten meanwhile."""
        given = (json.dumps(update_ids),)
        among = "state = 'received' AND update_id IN (SELECT value FROM json_each(?))"

        def change(db: Connection) -> bool:
            rows = db.execute(f"SELECT reason FROM incoming WHERE {among}", given).fetchall()
            db.execute(
                f"UPDATE incoming SET state = 'done', payload = NULL, reason = NULL WHERE {among}",
                given,
            )
            return any(row["reason"] == _FORGOTTEN for row in rows)

        return await self._db.write(change)

    async def clear(self, update_id: int) -> None:
        """Clear the text in any state."""
        await self._db.write(
            lambda db: db.execute(
                "UPDATE incoming SET payload = NULL WHERE update_id = ? AND state != 'received'",
                (update_id,),
            )
        )

    async def set_aside(self, update_id: int, reason: str, *, text_stays: bool = True) -> None:
        """Set aside an update that cannot be handled; `text_stays`: keep its text to look at."""
        await self._db.write(
            lambda db: db.execute(
                "UPDATE incoming SET state = 'set_aside', reason = ?,"
                " payload = CASE WHEN ? = 1 AND coalesce(reason, '') != ? THEN payload END"
                " WHERE update_id = ? AND state = 'received'",
                (reason, text_stays, _FORGOTTEN, update_id),
            )
        )

    # ── updates that are set aside ───────────────────────────────────────────────────────────

    async def aside(self) -> list[SetAside]:
        """Return the updates that are set aside, in the order of arrival."""
        return await self._db.read(_aside)

    async def requeue(self, update_id: int) -> bool:
        """Requeue it for the next start, with three new tries; return False if its text is gone."""

        def change(db: Connection) -> bool:
            found = db.execute(
                "UPDATE incoming SET state = 'received', reason = NULL, tries = 0"
                " WHERE update_id = ? AND state = 'set_aside' AND payload IS NOT NULL",
                (update_id,),
            )
            return found.rowcount == 1

        return await self._db.write(change)

    async def drop(self, update_id: int) -> None:
        """Mark an update that is set aside as dropped."""
        await self._db.write(
            lambda db: db.execute(
                "UPDATE incoming SET state = 'done', payload = NULL, reason = 'dropped: ' || reason"
                " WHERE update_id = ? AND state = 'set_aside'",
                (update_id,),
            )
        )

    async def expire(self) -> int:
        """Clear the texts that were set aside over KEPT ago; return their number."""
        before = utc_text(self._clock() - KEPT)

        def change(db: Connection) -> int:
            done = db.execute(
                "UPDATE incoming SET payload = NULL WHERE state = 'set_aside'"
                " AND payload IS NOT NULL AND received_at < ?",
                (before,),
            )
            return done.rowcount

        return await self._db.write(change)

    async def forget(self, chat_id: int, message_ids: Collection[int]) -> int:
        """Clear the texts of those messages of a chat that are set aside; return their number.
        Those that are not finished are cleared at their end, whatever that is."""

        def change(db: Connection) -> int:
            def with_them(rows: Sequence[SetAside] | Sequence[Received]) -> list[tuple[int]]:
                return [
                    (each.update_id,)
                    for each in rows
                    if each.payload is not None and _is_of(each.payload, chat_id, message_ids)
                ]

            gone, later = with_them(_aside(db)), with_them(unfinished(db))
            db.executemany("UPDATE incoming SET payload = NULL WHERE update_id = ?", gone)
            db.executemany(
                f"UPDATE incoming SET reason = '{_FORGOTTEN}' WHERE update_id = ?", later
            )
            return len(gone)

        return await self._db.write(change)


def _aside(db: Connection) -> list[SetAside]:
    rows = db.execute(
        "SELECT update_id, chat, received_at, reason, payload FROM incoming"
        " WHERE state = 'set_aside' ORDER BY received_at, update_id"
    ).fetchall()
    return [
        SetAside(row["update_id"], row["chat"], parse_utc(row["received_at"]), *tuple(row)[3:])
        for row in rows
    ]


def _is_of(payload: str, chat_id: int, message_ids: Collection[int]) -> bool:
    """Return whether the update contains one of those messages at any depth, or is damaged."""

    def look(value: object) -> bool:
        match value:
            case {"message_id": int(found), "chat": {"id": int(where)}} if (
                where == chat_id and found in message_ids
            ):
                return True
            case dict() as parts:
                return any(map(look, parts.values()))
            case list() as parts:
                return any(map(look, parts))
        return False

    try:
        return look(json.loads(payload))
    except ValueError:
        return True
