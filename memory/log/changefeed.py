"""The log's change feed, which the index follows by a counter."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from ..infra.store import Connection, Records
from .models import MESSAGE_COLUMNS, Message, message_of

MayWait = Callable[[int], bool]
"""Whether indexing of the message with that id may be deferred."""

NEIGHBOURS = "2"
"""The version of what counts as a neighbour, part of the index's identity."""
KEPT = "text != '' AND origin != 'recall' AND privacy != 'sealed'"
"""The condition for a message that memory keeps and can find: no quotation of it, and with a text,
which a forgotten or incognito one lacks."""
BURST = 10 / 1440
"""Consecutive messages of one speaker within this time count as one statement: ten minutes, in
days."""


def next_change(db: Connection) -> int:
    """Return the next value of the change counter, for `message.changed`.

    The steps are random, so that a restored log continues with different values than the lost one.
    """
    add = "ON CONFLICT (name) DO UPDATE SET value = counter.value + excluded.value"
    step = 1 + secrets.randbelow(2**20)
    db.execute(f"INSERT INTO counter VALUES ('changed', ?) {add}", (step,))
    return int(db.execute("SELECT value FROM counter WHERE name = 'changed'").fetchone()[0])


def none_may_wait(message_id: int) -> bool:
    """Defer no message."""
    return False


@dataclass(frozen=True, slots=True)
class Changed:
    """The changes after a change counter, up to `reached`. `counts`: the counters by message id.
    `rows`: those messages and their neighbours in the session, each with the texts around it and
    whether it continues the previous one (same speaker, within minutes); empty if all may be
    deferred.

    `newest`: the highest counter, 0 without messages. `known`: whether a message has exactly the
    counter from which changes were asked for.
    """

    counts: dict[int, int]
    reached: int
    rows: list[tuple[Message, str, str, bool]]
    newest: int
    known: bool


class Changes(Records):
    """Read messages in the order of their changes, with their neighbours."""

    async def since(self, at: int, limit: int, may_wait: MayWait = none_may_wait) -> Changed:
        """Return the first messages, at most `limit`, created or changed after that counter."""

        def look(db: Connection) -> Changed:
            rows = db.execute(
                "SELECT id, changed FROM message WHERE changed > ? ORDER BY changed LIMIT ?",
                (at, limit),
            ).fetchall()
            found = {row["id"]: row["changed"] for row in rows}
            newest, known = db.execute(
                "SELECT coalesce(max(changed), 0), EXISTS (SELECT 1 FROM message WHERE changed = ?)"
                " FROM message",
                (at,),
            ).fetchone()
            reached = rows[-1]["changed"] if rows else at
            # A full page is not deferred: the pages after it may be urgent.
            all_wait = len(found) < limit and all(map(may_wait, found))
            wanted = [] if all_wait else list(found)
            return Changed(found, reached, _with_neighbours(db, wanted), newest, bool(known))

        return await self._db.read(look)

    async def count(self, at: int) -> int:
        """Count the messages created, changed or forgotten after that counter, without those that
        are never indexed."""
        query = (
            f"SELECT count(*) FROM message WHERE changed > ? AND ({KEPT} OR state = 'forgotten')"
        )
        return await self._db.first(itemgetter(0), query, at) or 0

    async def all(self) -> dict[int, int]:
        """Map each message's id to the counter of its latest change."""
        return dict(await self._db.all(tuple, "SELECT id, changed FROM message"))


def _with_neighbours(db: Connection, ids: Sequence[int]) -> list[tuple[Message, str, str, bool]]:
    """Return those messages and their neighbours in the session, each with the texts around it, and
    whether it continues the previous one.

    A neighbour is the next message before or after that is not forgotten or a command; a command
    has none. An answer from memory has no text here, since it only quotes; but what the owner says
    after it does not continue what they said before.
    """
    if not ids:
        return []
    near = (
        "FROM message AS near WHERE near.session_id = message.session_id"
        " AND near.state != 'forgotten' AND near.text != ''"
        " AND near.privacy = 'normal' AND near.reason IS NOT 'command'"
        " AND message.reason IS NOT 'command'"
    )
    before, after = (
        f"{near} AND near.id {compare} message.id ORDER BY near.id {order} LIMIT 1"
        for compare, order in (("<", "DESC"), (">", "ASC"))
    )
    text = "CASE near.origin WHEN 'recall' THEN '' ELSE near.text END"
    rows = db.execute(
        "WITH asked AS (SELECT message.* FROM message"
        " WHERE id IN (SELECT value FROM json_each(?))), wanted AS ("
        f"SELECT id FROM asked UNION SELECT (SELECT near.id {before}) FROM asked AS message"
        f" UNION SELECT (SELECT near.id {after}) FROM asked AS message)"
        f" SELECT {MESSAGE_COLUMNS}, coalesce((SELECT {text} {before}), '') AS before_text,"
        f" coalesce((SELECT {text} {after}), '') AS after_text,"
        " coalesce((SELECT near.role = message.role AND near.author = message.author"
        f" AND julianday(message.sent_at) - julianday(near.sent_at) < {BURST} {before}), FALSE)"
        " AS continues"
        " FROM message WHERE id IN (SELECT id FROM wanted) ORDER BY id",
        (json.dumps(ids),),
    ).fetchall()
    return [
        (message_of(columns), before_text, after_text, bool(continues))
        for *columns, before_text, after_text, continues in rows
    ]
