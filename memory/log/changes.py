"""What changed in the log, for whoever follows it: the index. Knows no batch and no index."""

from __future__ import annotations

import json
from collections.abc import Iterable

from ..db import Connection, Database
from .rows import Message, message_of


class Changes:
    """The messages by their latest change, and with what stands around them."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def since(self, changed: int, limit: int) -> tuple[dict[int, int], int]:
        """Ids made or changed after that count → their counts, and the count reached."""

        def look(db: Connection) -> tuple[dict[int, int], int]:
            rows = db.execute(
                "SELECT id, changed FROM message WHERE changed > ? ORDER BY changed LIMIT ?",
                (changed, limit),
            ).fetchall()
            found = {row["id"]: row["changed"] for row in rows}
            return found, rows[-1]["changed"] if rows else changed

        return await self._db.read(look)

    async def with_neighbours(self, ids: Iterable[int]) -> list[tuple[Message, str, str]]:
        """Those messages and the ones next to them in a session, each with the texts around it.

        A neighbour is the next message before or after that is neither forgotten nor recalled.
        """
        near = (
            "FROM message AS near WHERE near.session_id = message.session_id"
            " AND near.state != 'forgotten' AND near.origin != 'recall' AND near.text != ''"
            " AND near.privacy = 'normal'"
        )
        before, after = (
            f"{near} AND near.id {compare} message.id ORDER BY near.id {order} LIMIT 1"
            for compare, order in (("<", "DESC"), (">", "ASC"))
        )

        def look(db: Connection) -> list[tuple[Message, str, str]]:
            rows = db.execute(
                "WITH asked AS (SELECT message.* FROM message"
                " WHERE id IN (SELECT value FROM json_each(?))), wanted AS ("
                f"SELECT id FROM asked UNION SELECT (SELECT near.id {before}) FROM asked AS message"
                f" UNION SELECT (SELECT near.id {after}) FROM asked AS message)"
                f" SELECT message.*, coalesce((SELECT near.text {before}), '') AS before_text,"
                f" coalesce((SELECT near.text {after}), '') AS after_text"
                " FROM message WHERE id IN wanted ORDER BY id",
                (json.dumps(list(ids)),),
            ).fetchall()
            return [(message_of(row), row["before_text"], row["after_text"]) for row in rows]

        return await self._db.read(look)

    async def all(self) -> dict[int, int]:
        """Each message's id → the count of its latest change."""

        def look(db: Connection) -> dict[int, int]:
            rows = db.execute("SELECT id, changed FROM message").fetchall()
            return {row["id"]: row["changed"] for row in rows}

        return await self._db.read(look)

    async def newest(self, known: int) -> tuple[int, bool]:
        """The count of the latest change of all, 0 without messages; and whether some message's
        latest change has exactly the count `known`."""

        def look(db: Connection) -> tuple[int, bool]:
            row = db.execute(
                "SELECT coalesce(max(changed), 0),"
                " EXISTS (SELECT 1 FROM message WHERE changed = ?) FROM message",
                (known,),
            ).fetchone()
            return int(row[0]), bool(row[1])

        return await self._db.read(look)
