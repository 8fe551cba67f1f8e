"""Store the bulk orders of summaries of imported chats, and their answers.

    begin → sent, with the provider's id → answered
    begin → dropped                        it never reached the provider

An order is recorded before it is sent, so that after a crash it is searched for at the provider
instead of being paid for again. A message is in at most one item. If one of its messages is
forgotten, an item is deleted with its answer.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from operator import itemgetter

from ...infra.clock import local_day, parse_utc, utc_text
from ...infra.store import Connection, Records, Row, from_row, insert

KEPT_FOR = timedelta(days=40)  # for finished orders, as long as the provider may list them


@dataclass(frozen=True, slots=True)
class BulkOrder:
    """One order. `remote`: the provider's id, None until it is known; `usage`: the id of its row in
    the usage log."""

    id: int
    mark: str
    begun_at: datetime
    remote: str | None
    usage: int
    size: int

    def name(self, item: int) -> str:
        """Return the name of an item's call at the provider."""
        return f"{self.mark}-{item}"

    def item(self, name: str) -> int | None:
        """Return the item with that name; None if it does not belong to this order."""
        mark, _, number = name.rpartition("-")
        return int(number) if mark == self.mark and number.isdecimal() else None


@dataclass(frozen=True, slots=True)
class Unordered:
    """The messages of one summary to order, all from one chat and local day."""

    day: date
    messages: tuple[int, ...]


class BulkOrders(Records):
    """The orders of one profile. Callers own `batch.lock`."""

    async def open(self) -> list[BulkOrder]:
        """Return the orders without answers so far, oldest first."""
        query = "SELECT * FROM bulk_order WHERE ended_at IS NULL ORDER BY id"
        return await self._db.all(_order, query)

    async def remotes(self) -> set[str]:
        """Return the provider's ids of all known orders."""
        query = "SELECT remote FROM bulk_order WHERE remote IS NOT NULL"
        return set(await self._db.all(itemgetter("remote"), query))

    async def unordered(self, zone: tzinfo, most: int, size: int) -> list[Unordered]:
        """Return up to `most` summaries to order, each of up to `size` messages."""

        def look(db: Connection) -> list[Unordered]:
            limit = most * size
            rows = db.execute(
                "SELECT id, chat, sent_at FROM message WHERE state = 'pending'"
                f" AND session_id IN ({_IN_BULK})"
                " AND id NOT IN (SELECT message FROM bulk_message) ORDER BY id LIMIT ?",
                (limit,),
            ).fetchall()
            groups: list[tuple[tuple[str, date], list[int]]] = []
            for row in rows:
                key = (row["chat"], local_day(parse_utc(row["sent_at"]), zone))
                if not groups or groups[-1][0] != key or len(groups[-1][1]) == size:
                    groups.append((key, []))
                groups[-1][1].append(row["id"])
            if len(rows) == limit and len(groups) > 1:
                groups.pop()  # incomplete: more of its messages follow beyond the limit
            return [Unordered(day, tuple(ids)) for (_, day), ids in groups[:most]]

        return await self._db.read(look)

    async def begin(
        self, items: Sequence[tuple[Collection[int], str]], usage: int
    ) -> tuple[BulkOrder, list[int]]:
        """Record an order before it is sent. `items`: the messages and the text's hash of each.
        Return the order with the ids of its items."""
        mark, now = f"sam-{secrets.token_hex(8)}", self._clock()

        def change(db: Connection) -> tuple[BulkOrder, list[int]]:
            values = {"mark": mark, "usage": usage, "size": len(items)}
            order = insert(db, "bulk_order", **values, begun_at=utc_text(now))
            made = []
            for messages, hash_ in items:
                item = insert(db, "bulk_item", bulk_order=order, hash=hash_)
                db.executemany(
                    "INSERT INTO bulk_message VALUES (?, ?)", [(each, item) for each in messages]
                )
                made.append(item)
            return BulkOrder(order, mark, now, None, usage, len(items)), made

        return await self._db.write(change)

    async def mark_sent(self, order: BulkOrder, remote: str) -> None:
        """Record the provider's id of an order."""
        await self._db.execute("UPDATE bulk_order SET remote = ? WHERE id = ?", remote, order.id)

    async def drop(self, order: BulkOrder) -> None:
        """Delete an order that never reached the provider: its messages may be ordered again."""

        def change(db: Connection) -> None:
            rows = db.execute("SELECT id FROM bulk_item WHERE bulk_order = ?", (order.id,))
            _delete(db, [row["id"] for row in rows.fetchall()])
            db.execute("DELETE FROM bulk_order WHERE id = ?", (order.id,))

        await self._db.write(change)

    async def store_answers(self, order: BulkOrder, answers: Mapping[int, str]) -> None:
        """Store the answers by item, and end the order. Items without an answer get none later."""

        def change(db: Connection) -> None:
            db.executemany(
                "UPDATE bulk_item SET answer = ? WHERE id = ? AND bulk_order = ?",
                [(text, item, order.id) for item, text in answers.items()],
            )
            db.execute(
                "UPDATE bulk_item SET answer = '' WHERE bulk_order = ? AND answer IS NULL",
                (order.id,),
            )
            db.execute(
                "UPDATE bulk_order SET ended_at = ? WHERE id = ?",
                (utc_text(self._clock()), order.id),
            )

        await self._db.write(change)

    async def answer(self, messages: Collection[int], hash_: str) -> str:
        """Return the answer for exactly these messages and that hash of the text; "" if none."""

        def look(db: Connection) -> str:
            row = db.execute(
                "SELECT bulk_item.id, answer FROM bulk_item"
                " JOIN bulk_message ON item = bulk_item.id WHERE message = ? AND hash = ?",
                (min(messages), hash_),
            ).fetchone()
            if row is None:
                return ""
            rows = db.execute("SELECT message FROM bulk_message WHERE item = ?", (row["id"],))
            same = {each["message"] for each in rows} == set(messages)
            return str(row["answer"] or "") if same else ""

        return await self._db.read(look)

    async def give_up(self) -> None:
        """Leave what is not ordered yet to single summaries, since bulk orders are not accepted."""
        await self._db.execute("UPDATE import SET bulk = 0 WHERE bulk = 1")

    async def waiting(self) -> tuple[int, bool]:
        """Return the number of ordered summaries without an answer, and whether messages wait to be
        ordered."""

        def look(db: Connection) -> tuple[int, bool]:
            count = db.execute("SELECT count(*) FROM bulk_item WHERE answer IS NULL").fetchone()[0]
            more = db.execute(
                f"SELECT 1 FROM message WHERE state = 'pending' AND session_id IN ({_IN_BULK})"
                " AND id NOT IN (SELECT message FROM bulk_message) LIMIT 1"
            ).fetchone()
            return int(count), more is not None

        return await self._db.read(look)

    async def tidy(self) -> None:
        """Delete used answers, and orders that ended long ago."""

        def change(db: Connection) -> None:
            rows = db.execute(
                "SELECT id FROM bulk_item WHERE answer IS NOT NULL AND NOT EXISTS"
                " (SELECT 1 FROM bulk_message JOIN message ON message.id = message"
                " WHERE item = bulk_item.id AND state IN ('pending', 'claimed'))"
            ).fetchall()
            _delete(db, [row["id"] for row in rows])
            db.execute(
                "DELETE FROM bulk_order WHERE ended_at < ?"
                " AND id NOT IN (SELECT bulk_order FROM bulk_item)",
                (utc_text(self._clock() - KEPT_FOR),),
            )

        await self._db.write(change)


def _order(row: Row) -> BulkOrder:
    return from_row(BulkOrder, row, begun_at=parse_utc(row["begun_at"]))


def drop_items_of(db: Connection, messages: Collection[int]) -> None:
    """Delete the items that contain any of these messages, with their answers."""
    rows = db.execute(
        "SELECT DISTINCT item FROM bulk_message WHERE message IN (SELECT value FROM json_each(?))",
        (json.dumps(list(messages)),),
    ).fetchall()
    _delete(db, [row["item"] for row in rows])


def _delete(db: Connection, items: Sequence[int]) -> None:
    given = (json.dumps(items),)
    db.execute("DELETE FROM bulk_message WHERE item IN (SELECT value FROM json_each(?))", given)
    db.execute("DELETE FROM bulk_item WHERE id IN (SELECT value FROM json_each(?))", given)


_IN_BULK = (
    "SELECT session_id FROM import_chat JOIN import ON import.id = import_chat.import"
    " WHERE import.bulk = 1"
)
"""The sessions of imports whose summaries are ordered in bulk."""
