"""The imports of one profile: begin, add messages, end, list, and undo.

    begin → add, a portion of messages in each transaction → end

Each message has a key, so that importing the same file again adds nothing, and an interrupted run
can continue. A message that was edited since is updated where it is: in the import that added it.
An import puts its messages into separate sessions, one for each chat. Of different messages with
the same key, all but the first get a key of their own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Generic

from ...infra.clock import Clock, parse_utc, utc_text
from ...infra.store import Connection, Row, Store, from_row, insert
from .bulk import drop_items_of
from .versions import Keyed, SaidT, distinct, logged_versions

NO_ANSWER = "stopped"
"""The state of an imported turn: closed, without an answer of Sam's."""


@dataclass(frozen=True, slots=True)
class ImportRow:
    """One import. `ended_at`: None if it was interrupted. The counts exclude deleted rows.

    `waiting`: messages that are not summarised; `facts`: those derived from its messages.
    """

    id: int
    source: str
    name: str
    started_at: datetime
    ended_at: datetime | None
    chats: int
    messages: int
    waiting: int
    notes: int
    facts: int


class Imports(Generic[SaidT]):
    """The imports in one log. `insert` logs a message into a turn and a session; `edit` updates a
    known one that was edited since, and returns whether it was."""

    def __init__(
        self,
        db: Store,
        clock: Clock,
        insert: Callable[[Connection, SaidT, int, int], int],
        edit: Callable[[Connection, SaidT], bool],
    ) -> None:
        self._db, self._clock, self._insert, self._edit = db, clock, insert, edit

    async def begin(self, source: str, name: str, mark: str, *, bulk: bool = False) -> int:
        """Begin an import, or continue the interrupted one of this file; return its id. `bulk`: its
        summaries are ordered in bulk."""

        def change(db: Connection) -> int:
            row = db.execute(
                "SELECT id FROM import WHERE source = ? AND mark = ? AND ended_at IS NULL",
                (source, mark),
            ).fetchone()
            if row:
                db.execute("UPDATE import SET bulk = ? WHERE id = ?", (bulk, row["id"]))
                return int(row["id"])
            values = {"source": source, "name": name, "mark": mark, "bulk": bulk}
            return insert(db, "import", **values, started_at=utc_text(self._clock()))

        return await self._db.write(change)

    async def add(
        self, import_id: int, said: Sequence[SaidT], titles: Mapping[str, str]
    ) -> tuple[int, int]:
        """Log these messages in one transaction; return how many were new, and how many of the
        known ones were updated.

        `titles`: by chat. The messages of a chat must be in order.
        """

        def change(db: Connection) -> tuple[int, int]:
            count = edited = 0
            sessions: dict[str, tuple[int, int]] = {}
            last: dict[tuple[int, int], str] = {}
            logged = logged_versions(db, import_id, [each.key for each in said])
            for given in said:
                # Once a row of the portion has changed them, they are looked up again.
                versions = logged.pop(given.key, None)
                if versions is None:
                    versions = logged_versions(db, import_id, [given.key])[given.key]
                each = distinct(versions, given)
                if each.key in versions:
                    edited += self._edit(db, each)
                    continue
                if each.chat not in sessions:
                    sessions[each.chat] = _session(db, import_id, each, titles[each.chat])
                session, turn = place = sessions[each.chat]
                self._insert(db, each, turn, session)
                last[place] = max(last.get(place, ""), utc_text(each.sent_at))
                count += 1
            for (session, turn), at in last.items():
                _stretch(db, session, turn, at)
            return count, edited

        return await self._db.write(change)

    async def record_copy(self, import_id: int, path: str, hash_: str) -> None:
        """Record that a note is about to be copied to that path of the vault."""
        insert = (
            "INSERT INTO import_note VALUES (?, ?, ?)"
            " ON CONFLICT (import, path) DO UPDATE SET hash = excluded.hash"
        )
        await self._db.execute(insert, import_id, path, hash_)

    async def update_copy(self, path: str, hash_: str) -> None:
        """Record the hash of a copied note that was replaced by its later version."""
        await self._db.execute("UPDATE import_note SET hash = ? WHERE path = ?", hash_, path)

    async def drop_copy(self, import_id: int, path: str) -> None:
        """Record that the note was not copied, because another note is at that path."""
        delete = "DELETE FROM import_note WHERE import = ? AND path = ?"
        await self._db.execute(delete, import_id, path)

    async def end(self, import_id: int) -> bool:
        """Mark the import as done. If it added nothing, delete it and return False."""

        def change(db: Connection) -> bool:
            if not _is_there(db, "import_chat", import_id) and not _is_there(
                db, "import_note", import_id
            ):
                db.execute("DELETE FROM import WHERE id = ?", (import_id,))
                return False
            db.execute(
                "UPDATE import SET ended_at = ? WHERE id = ?", (utc_text(self._clock()), import_id)
            )
            return True

        return await self._db.write(change)

    async def all(self) -> list[ImportRow]:
        """Return every import, oldest first."""
        return await self._db.all(
            _row,
            "SELECT import.*, (SELECT count(*) FROM import_chat WHERE import = import.id)"
            " AS chats, (SELECT count(*) FROM import_note WHERE import = import.id) AS notes,"
            f" ({_COUNT}) AS messages, ({_COUNT} AND message.state IN ('pending', 'claimed',"
            f" 'written')) AS waiting, ({_FACTS}) AS facts"
            " FROM import ORDER BY id",
        )

    async def unannounced(self) -> list[int]:
        """Return the finished imports whose results have not been reported to the owner."""
        return await self._db.all(
            itemgetter("id"),
            "SELECT id FROM import WHERE ended_at IS NOT NULL AND announced = 0"
            " AND id IN (SELECT import FROM import_chat) ORDER BY id",
        )

    async def mark_announced(self, import_id: int) -> None:
        """Record that the results of an import were reported to the owner."""
        await self._db.execute("UPDATE import SET announced = 1 WHERE id = ?", import_id)

    async def notes(self, import_id: int) -> dict[str, str]:
        """Map the paths of the notes that it copied to their hashes."""
        query = "SELECT path, hash FROM import_note WHERE import = ? ORDER BY path"
        return dict(await self._db.all(tuple, query, import_id))

    async def copies(self) -> dict[str, str]:
        """Map the paths of the notes that any import copied to their hashes."""
        query = "SELECT path, hash FROM import_note ORDER BY import"
        return dict(await self._db.all(tuple, query))

    async def messages(self, import_id: int) -> list[int]:
        """Return the ids of the import's messages."""
        return await self._db.all(itemgetter("id"), _IDS, import_id)

    async def titles(self) -> dict[str, str]:
        """Map the imported chats to their titles."""
        query = "SELECT chat, title FROM import_chat ORDER BY import"
        return dict(await self._db.all(tuple, query))

    async def known_keys(self, keys: Sequence[str]) -> set[str]:
        """Return those of the keys that messages have."""
        query = "SELECT key FROM message WHERE key IN (SELECT value FROM json_each(?, '$'))"
        return set(await self._db.all(itemgetter("key"), query, json.dumps(keys)))

    async def known(self, said: Sequence[SaidT]) -> list[bool]:
        """Return for each of these messages whether `add` would find it, edited since or not."""

        def look(db: Connection) -> list[bool]:
            logged = logged_versions(db, None, [each.key for each in said])
            return [distinct(logged[each.key], each).key in logged[each.key] for each in said]

        return await self._db.read(look)

    async def delete_rows(self, import_id: int, cause: str) -> None:
        """Delete all rows of an import whose messages are forgotten.

        Tombstones with that cause are deleted too, so that the same file can be imported again. The
        ledger's counters are reduced accordingly.
        """

        def change(db: Connection) -> None:
            ids = [row["id"] for row in db.execute(_IDS, (import_id,)).fetchall()]
            found = db.execute(
                "SELECT session_id FROM import_chat WHERE import = ?", (import_id,)
            ).fetchall()
            given, sessions = json.dumps(ids), json.dumps([row["session_id"] for row in found])
            drop_items_of(db, ids)
            _strip(db, frozenset(ids))
            left = db.execute(
                "SELECT DISTINCT batch FROM message WHERE batch IS NOT NULL"
                " AND id IN (SELECT value FROM json_each(?))",
                (given,),
            ).fetchall()
            batches = [row["batch"] for row in left]
            _delete(db, "message", f"id IN {_LISTED}", given, counter="messages")
            for batch in batches:
                _shrink(db, batch)
            _delete(db, "turn", f"session_id IN {_LISTED}", sessions, counter="turns")
            db.execute(
                "DELETE FROM summary_retry WHERE chat IN"
                " (SELECT chat FROM import_chat WHERE import = ?)",
                (import_id,),
            )
            db.execute("DELETE FROM import_chat WHERE import = ?", (import_id,))
            db.execute(f"DELETE FROM session WHERE id IN {_LISTED}", (sessions,))
            db.execute("DELETE FROM import_note WHERE import = ?", (import_id,))
            db.execute("DELETE FROM import WHERE id = ?", (import_id,))
            db.execute("DELETE FROM tombstone WHERE cause = ?", (cause,))

        await self._db.write(change)


_COUNT = (
    "SELECT count(*) FROM message JOIN import_chat ON import_chat.session_id = message.session_id"
    " WHERE import_chat.import = import.id"
)
_FACTS = (
    "SELECT count(*) FROM fact WHERE state IN ('sams', 'owners') AND EXISTS"
    " (SELECT 1 FROM json_each(fact.sources) JOIN message ON message.id = value"
    " JOIN import_chat ON import_chat.session_id = message.session_id"
    " WHERE import_chat.import = import.id)"
)
_IDS = (
    "SELECT message.id FROM message"
    " JOIN import_chat ON import_chat.session_id = message.session_id"
    " WHERE import_chat.import = ? ORDER BY message.id"
)
_LISTED = "(SELECT value FROM json_each(?))"


def _session(db: Connection, import_id: int, first: Keyed, title: str) -> tuple[int, int]:
    """Return the session and the turn of a chat in an import; begin them if there are none."""
    row = db.execute(
        "SELECT session_id, (SELECT min(id) FROM turn WHERE turn.session_id ="
        " import_chat.session_id) AS turn FROM import_chat WHERE import = ? AND chat = ?",
        (import_id, first.chat),
    ).fetchone()
    if row:
        return int(row["session_id"]), int(row["turn"])
    at = utc_text(first.sent_at)
    # The path is empty, not null: imported chats get no transcript, because they are copies
    # already.
    session = insert(db, "session", chat=first.chat, started_at=at, ended_at=at, path="")
    place = {"session_id": session, "chat": first.chat}
    turn = insert(db, "turn", **place, state=NO_ANSWER, opened_at=at, closed_at=at)
    db.execute(
        "INSERT INTO import_chat VALUES (?, ?, ?, ?)", (import_id, first.chat, title, session)
    )
    return session, turn


def _stretch(db: Connection, session: int, turn: int, at: str) -> None:
    """End a session and its turn at that time, unless they end later already."""
    db.execute("UPDATE session SET ended_at = ?1 WHERE id = ?2 AND ended_at < ?1", (at, session))
    db.execute("UPDATE turn SET closed_at = ?1 WHERE id = ?2 AND closed_at < ?1", (at, turn))


def _is_there(db: Connection, table: str, import_id: int) -> bool:
    return bool(db.execute(f"SELECT 1 FROM {table} WHERE import = ?", (import_id,)).fetchone())


def _strip(db: Connection, ids: frozenset[int]) -> None:
    """Remove these messages from the sources of facts and bullets that also have others."""
    for table in ("fact", "bullet", "candidate"):
        rows: Iterable[Row] = db.execute(f"SELECT id, sources FROM {table}").fetchall()
        for row in rows:
            sources = json.loads(row["sources"])
            kept = [each for each in sources if each not in ids]
            if len(kept) < len(sources):
                db.execute(
                    f"UPDATE {table} SET sources = ? WHERE id = ?", (json.dumps(kept), row["id"])
                )


def _shrink(db: Connection, batch: str) -> None:
    """Reduce a batch that lost messages to the remaining ones; delete it if none are left."""
    left = db.execute("SELECT count(*) FROM message WHERE batch = ?", (batch,)).fetchone()[0]
    if left:
        db.execute("UPDATE batch SET size = ? WHERE id = ? AND size IS NOT NULL", (left, batch))
        return
    for table in ("bullet", "candidate"):
        db.execute(f"DELETE FROM {table} WHERE batch = ?", (batch,))
    _delete(db, "batch", "id = ?", batch, counter="batches")


def _delete(db: Connection, table: str, where: str, given: str, *, counter: str) -> None:
    gone = db.execute(f"DELETE FROM {table} WHERE {where}", (given,)).rowcount
    db.execute("UPDATE counter SET value = value - ? WHERE name = ?", (gone, counter))


def _row(row: Row) -> ImportRow:
    ended_at = parse_utc(row["ended_at"]) if row["ended_at"] else None
    return from_row(ImportRow, row, started_at=parse_utc(row["started_at"]), ended_at=ended_at)
