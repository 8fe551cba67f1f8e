"""The turns in the log and their states."""

from __future__ import annotations

import json
from collections.abc import Iterable

from ..errors import StoreError
from ..infra.clock import parse_utc
from ..infra.store import Connection, Records, from_row
from .changefeed import next_change
from .models import MESSAGE_COLUMNS, Turn, message_of


def turn_of(db: Connection, turn_id: int) -> Turn:
    """Return the turn in its present state. Raises StoreError if there is none."""
    row = db.execute("SELECT * FROM turn WHERE id = ?", (turn_id,)).fetchone()
    if row is None:
        raise StoreError(f"the log has no turn {turn_id}")
    said = db.execute(
        f"SELECT {MESSAGE_COLUMNS} FROM message WHERE turn_id = ?"
        " ORDER BY role = 'user' DESC, id LIMIT 1",
        (turn_id,),
    ).fetchone()
    opened_at = parse_utc(row["opened_at"])
    return from_row(Turn, row, opened_at=opened_at, message=message_of(said))


class LoggedTurns(Records):
    """The turns of one profile; `Messages` opens and ends them."""

    async def find(self, turn_id: int) -> Turn | None:
        """Return one turn in its present state; None if the log has none."""

        def look(db: Connection) -> Turn | None:
            known = db.execute("SELECT 1 FROM turn WHERE id = ?", (turn_id,)).fetchone()
            return turn_of(db, turn_id) if known else None

        return await self._db.read(look)

    async def of(self, key: str) -> Turn | None:
        """Return the turn of the message with that key; None if it is not logged."""

        def look(db: Connection) -> Turn | None:
            row = db.execute("SELECT turn_id FROM message WHERE key = ?", (key,)).fetchone()
            return turn_of(db, row["turn_id"]) if row else None

        return await self._db.read(look)

    async def open(self, chat_prefix: str = "") -> list[Turn]:
        """Return the open turns, of a running process or left by a crash, oldest first."""

        def look(db: Connection) -> list[Turn]:
            rows = db.execute(
                "SELECT id, chat FROM turn WHERE state = 'open' ORDER BY id"
            ).fetchall()
            return [turn_of(db, row["id"]) for row in rows if row["chat"].startswith(chat_prefix)]

        return await self._db.read(look)

    async def states(self) -> dict[int, tuple[str, str]]:
        """Map each turn's id to its start, as stored, and its state."""
        query = "SELECT id, opened_at, state FROM turn"
        return dict(await self._db.all(lambda row: (row[0], (row[1], row[2])), query))

    async def make_sensitive(self, messages: Iterable[int], *, outdated: bool = False) -> None:
        """Make these messages sensitive, with all others of their turns, and the answers that are
        still to come: no model sees them again. What is sealed stays so. `outdated`: what a summary
        made of them is to be reverted, as if they had been edited."""
        given = json.dumps(list(messages))
        await self._db.write(
            lambda db: db.execute(
                "UPDATE message SET privacy = 'sensitive', changed = ?,"
                " outdated = CASE WHEN ? = 1 AND state IN ('claimed', 'written', 'closed')"
                " THEN 1 ELSE outdated END"
                " WHERE privacy = 'normal' AND turn_id IN (SELECT turn_id FROM message"
                " WHERE id IN (SELECT value FROM json_each(?)))",
                (next_change(db), outdated, given),
            )
        )

    async def reopen(self, key: str) -> None:
        """Reopen the failed turn of that message, to answer it after all."""
        await self._db.execute(
            "UPDATE turn SET state = 'open', reason = NULL, closed_at = NULL"
            " WHERE state = 'failed' AND id = (SELECT turn_id FROM message WHERE key = ?)",
            key,
        )
