"""Sessions: from one /new to the next in a chat."""

from __future__ import annotations

from datetime import datetime

from ..infra.clock import utc_text
from ..infra.store import Connection, Records, insert
from .models import Session, session_of


def current_session(db: Connection, chat: str, now: datetime) -> int:
    """Return the id of the chat's session; begin one if there is none."""
    row = db.execute(
        "SELECT id FROM session WHERE chat = ? AND ended_at IS NULL", (chat,)
    ).fetchone()
    if row:
        return int(row["id"])
    return insert(db, "session", chat=chat, started_at=utc_text(now))


class Sessions(Records):
    """The sessions of one profile."""

    async def by_id(self, session_id: int) -> Session | None:
        """Return one session; None if there is none with that id."""
        return await self._db.first(session_of, "SELECT * FROM session WHERE id = ?", session_id)

    async def end(self, chat: str, now: datetime) -> Session | None:
        """End the chat's session and return it; None if it is empty: then it stays open."""

        def change(db: Connection) -> Session | None:
            row = db.execute(
                "SELECT * FROM session WHERE chat = ? AND ended_at IS NULL"
                " AND EXISTS (SELECT 1 FROM message WHERE session_id = session.id)",
                (chat,),
            ).fetchone()
            if row is None:
                return None
            db.execute("UPDATE session SET ended_at = ? WHERE id = ?", (utc_text(now), row["id"]))
            return session_of(
                db.execute("SELECT * FROM session WHERE id = ?", (row["id"],)).fetchone()
            )

        return await self._db.write(change)

    async def move(self, before: str, now: str) -> None:
        """Continue a chat's session in the chat's other name, unless there is one already."""
        is_open = "SELECT * FROM session WHERE chat = ? AND ended_at IS NULL"
        if await self._db.first(session_of, is_open, before) is None:
            return  # as for every message but the first: reading is cheaper than writing
        await self._db.execute(
            "UPDATE session SET chat = ?2 WHERE chat = ?1 AND ended_at IS NULL AND NOT EXISTS"
            " (SELECT 1 FROM session WHERE chat = ?2 AND ended_at IS NULL)",
            before,
            now,
        )

    async def without_transcript(self) -> list[Session]:
        """Return ended sessions without a transcript, after a crash."""
        query = "SELECT * FROM session WHERE ended_at IS NOT NULL AND path IS NULL ORDER BY id"
        return await self._db.all(session_of, query)

    async def set_transcript(self, session_id: int, path: str) -> None:
        """Record the path of the session's transcript."""
        await self._db.execute("UPDATE session SET path = ? WHERE id = ?", path, session_id)

    async def compact(self, session_id: int, first_kept_id: int) -> None:
        """Start the context at that message from now on; it never moves backwards."""
        update = "UPDATE session SET history_from = ?1 WHERE id = ?2 AND history_from < ?1"
        await self._db.execute(update, first_kept_id, session_id)
