"""Batches of messages that become one summary, and their states.

    claimed → written → closed          the normal way
    claimed → released                  its process is gone; the messages are pending again

After a failure the chat waits before its messages are claimed again, each time twice as long; this
is kept in the database, so that neither new messages nor a restart cause further calls.

A message is in at most one batch that is not released; the states of both move together, in one
transaction each.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta, tzinfo
from functools import partial
from operator import itemgetter

from ..errors import StoreError
from ..infra.clock import local_day, parse_utc, utc_text
from ..infra.store import Connection, Records, Row, from_row, insert
from .imports.claimable import ALL, LONGEST_WAIT, claimable
from .knowledge import candidates
from .knowledge.candidates import FactCandidate
from .models import MESSAGE_COLUMNS, Batch, Bullet, Message, message_of, numbers

MOST_MESSAGES = 60  # messages in one batch, so that a summary can cover them
FIRST_WAIT = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Retry:
    """The back-off of a chat whose summaries fail: failures in a row, first failure, next try."""

    failures: int
    since: datetime
    at: datetime


@dataclass(frozen=True, slots=True)
class BatchCounts:
    """Counts of closed batches, of those with a mark (made without a model, or in part), and of
    bullets and facts that were left out because no message supports them."""

    closed: int
    marked: int
    unfounded: int
    facts_refused: int


def _batch(row: Row) -> Batch:
    return from_row(Batch, row, day=date.fromisoformat(row["day"]))


class Batches(Records):
    """The batches of one profile. Callers own `batch.lock` from claim to close."""

    async def pending(
        self,
        *,
        zone: tzinfo | None = None,
        before: date | None = None,
        force: bool = False,
        imported: bool = False,
    ) -> int:
        """Count the messages of live (`imported`: of imported) chats that may be claimed now; with
        `before`, those of earlier local days; with `force`, chats in back-off as well."""

        def look(db: Connection) -> int:
            rows = claimable(db, self._clock(), force=force, imported=imported)
            if zone is None or before is None:
                return len(rows)
            return sum(local_day(parse_utc(row["sent_at"]), zone) < before for row in rows)

        return await self._db.read(look)

    async def last_pending_at(self) -> str | None:
        """Return when the newest pending message was sent, as stored; None if none is pending."""

        def look(db: Connection) -> str | None:
            return max((row["sent_at"] for row in claimable(db, self._clock())), default=None)

        return await self._db.read(look)

    async def claim(
        self,
        *,
        zone: tzinfo,
        reason: str,
        new_id: Callable[[Callable[[str], bool]], str],
        before: date | None = None,
        force: bool = False,
        imported: bool = False,
    ) -> list[Batch]:
        """Claim the pending messages of live chats: a batch for each chat and local day, oldest
        first; with `imported`, one batch of an imported chat.

        With `before`, only messages of earlier local days. Open turns are skipped, and so are chats
        in back-off, unless with `force`. `new_id` gets a predicate (is this id taken?)."""

        def change(db: Connection) -> list[Batch]:
            groups: dict[tuple[str, date, int | None], list[list[int]]] = {}
            most = MOST_MESSAGES if imported else ALL
            # While nobody tried, because Sam did not run, no model was down. Later: a wrong clock.
            span = [utc_text(self._clock() + wait) for wait in (-LONGEST_WAIT, LONGEST_WAIT)]
            db.execute("DELETE FROM summary_retry WHERE NOT retry_at BETWEEN ? AND ?", span)
            for row in claimable(db, self._clock(), force=force, imported=imported, most=most):
                day = local_day(parse_utc(row["sent_at"]), zone)
                key = (row["chat"], day, row["item"])
                if imported and groups and key not in groups:
                    break
                if before is not None and day >= before:
                    continue
                parts = groups.setdefault(key, [[]])
                if len(parts[-1]) == MOST_MESSAGES:
                    parts.append([])
                parts[-1].append(row["id"])
            made: list[Batch] = []
            for (chat, day, _), parts in groups.items():
                for ids in parts:
                    name = new_id(partial(_is_batch, db))
                    made.append(Batch(name, chat, day, "claimed", None))
                    _claim(db, made[-1], ids, reason, utc_text(self._clock()))
            return made

        return await self._db.write(change)

    async def messages(self, batch_id: str) -> list[Message]:
        """Return the batch's messages, in order, without forgotten ones."""
        query = (
            f"SELECT {MESSAGE_COLUMNS} FROM message WHERE batch = ? AND state != 'forgotten'"
            " ORDER BY id"
        )
        return await self._db.all(message_of, query, batch_id)

    async def message_ids(self, batches: Iterable[str]) -> dict[str, frozenset[int]]:
        """Map these batches to the ids of their messages, without forgotten ones."""
        query = (
            "SELECT message.batch, message.id FROM json_each(?, '$') AS asked"
            " CROSS JOIN message ON message.batch = asked.value WHERE message.state != 'forgotten'"
        )
        found: dict[str, set[int]] = {}
        for batch, id_ in await self._db.all(tuple, query, json.dumps(list(batches))):
            found.setdefault(batch, set()).add(id_)
        return {batch: frozenset(ids) for batch, ids in found.items()}

    async def summarised_before(self, first: Message, most: int, since: datetime) -> list[Message]:
        """Return the last messages of that message's chat before it that batches have, in order;
        no private ones, and none from before `since`."""
        query = (
            f"SELECT {MESSAGE_COLUMNS} FROM message WHERE chat = ? AND id < ? AND sent_at >= ?"
            " AND state = 'closed' AND privacy = 'normal' AND text != ''"
            " ORDER BY id DESC LIMIT ?"
        )
        given = (first.chat, first.id, utc_text(since), most)
        return (await self._db.all(message_of, query, *given))[::-1]

    async def plan(
        self,
        batch_id: str,
        path: str,
        text_hash: str,
        bullets: Sequence[Bullet],
        facts: Sequence[FactCandidate] = (),
    ) -> None:
        """Store the bullets before they are written, so that a crash loses no bullet's sources.

        The facts are stored too, and take effect when the batch is marked as written."""

        def change(db: Connection) -> None:
            _expect(db, batch_id, "claimed")
            db.execute(
                "UPDATE batch SET path = ?, text_hash = ? WHERE id = ?", (path, text_hash, batch_id)
            )
            db.execute("DELETE FROM bullet WHERE batch = ?", (batch_id,))
            for bullet in bullets:
                row = asdict(bullet) | {"sources": json.dumps(bullet.sources)}
                hash_ = line_hash(bullet.text)
                insert(db, "bullet", batch=batch_id, path=path, text_hash=hash_, **row)
            candidates.store(db, batch_id, facts)

        await self._db.write(change)

    async def mark_written(self, batch_id: str) -> None:
        """Mark the batch as written: its section is in the vault."""

        def change(db: Connection) -> None:
            _expect(db, batch_id, "claimed")
            db.execute("UPDATE batch SET state = 'written' WHERE id = ?", (batch_id,))
            db.execute(
                "UPDATE message SET state = 'written' WHERE batch = ? AND state = 'claimed'",
                (batch_id,),
            )

        await self._db.write(change)

    async def close(self, batch_id: str, facts: Sequence[FactCandidate] = ()) -> None:
        """Mark the batch as done, with its `facts`; from `claimed` if it needs no section."""

        def change(db: Connection) -> None:
            if facts:
                candidates.store(db, batch_id, facts)
            db.execute(
                "UPDATE batch SET state = 'closed', closed_at = ? WHERE id = ?"
                " AND state IN ('claimed', 'written')",
                (utc_text(self._clock()), batch_id),
            )
            db.execute(
                "UPDATE message SET state = 'closed' WHERE batch = ?"
                " AND state IN ('claimed', 'written')",
                (batch_id,),
            )
            db.execute(
                "DELETE FROM summary_retry WHERE chat = (SELECT chat FROM batch WHERE id = ?)",
                (batch_id,),
            )

        await self._db.write(change)

    async def note(self, batch_id: str, mark: str, unfounded: int, facts_refused: int = 0) -> None:
        """Record how the batch's draft was made, and how many of its bullets and facts were left
        out."""
        update = "UPDATE batch SET mark = ?, unfounded = ?, facts_refused = ? WHERE id = ?"
        await self._db.execute(update, mark, unfounded, facts_refused, batch_id)

    async def outcomes(self, since: datetime) -> BatchCounts:
        """Return the outcomes of the batches that were closed since then."""
        [found] = await self._db.all(
            lambda row: BatchCounts(*map(int, row)),
            "SELECT count(*), count(*) FILTER (WHERE mark != ''),"
            " coalesce(sum(unfounded), 0), coalesce(sum(facts_refused), 0)"
            " FROM batch WHERE state = 'closed' AND closed_at >= ?",
            utc_text(since),
        )
        return found

    async def back_off(self, chat: str) -> Retry:
        """Put the chat into back-off; return when it is retried."""

        def change(db: Connection) -> Retry:
            now = self._clock()
            row = db.execute("SELECT * FROM summary_retry WHERE chat = ?", (chat,)).fetchone()
            before = _retry(row) if row else None
            failures = before.failures + 1 if before else 1
            wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(failures - 1, 10))
            since = before.since if before else now
            values = (chat, failures, utc_text(since), utc_text(now + wait))
            db.execute("DELETE FROM summary_retry WHERE chat = ?", (chat,))
            db.execute("INSERT INTO summary_retry VALUES (?, ?, ?, ?)", values)
            return Retry(failures, since, now + wait)

        return await self._db.write(change)

    async def retries(self) -> dict[str, Retry]:
        """Chat → its retry, of the chats whose last summary failed."""
        query = "SELECT * FROM summary_retry"
        return dict(await self._db.all(lambda row: (row["chat"], _retry(row)), query))

    async def release(self, batch_id: str) -> None:
        """Release the batch: its messages are pending again, and its plan is dropped."""

        def change(db: Connection) -> None:
            _expect(db, batch_id, "claimed")
            db.execute("DELETE FROM bullet WHERE batch = ?", (batch_id,))
            candidates.drop(db, batch_id)
            db.execute(
                "UPDATE batch SET state = 'released', closed_at = ?, path = NULL, text_hash = NULL"
                " WHERE id = ?",
                (utc_text(self._clock()), batch_id),
            )
            db.execute(
                "UPDATE message SET state = 'pending', batch = NULL"
                " WHERE batch = ? AND state = 'claimed'",
                (batch_id,),
            )

        await self._db.write(change)

    async def unfinished(self) -> list[Batch]:
        """Return the batches that a crash left between claim and close; under `batch.lock` only."""
        query = "SELECT * FROM batch WHERE state IN ('claimed', 'written') ORDER BY claimed_at, id"
        return await self._db.all(_batch, query)

    async def waiting(self) -> list[tuple[int, datetime]]:
        """Return all pending messages, including those of open turns: id, and when it was sent."""
        query = "SELECT id, sent_at FROM message WHERE state = 'pending' ORDER BY id"
        return await self._db.all(lambda row: (row["id"], parse_utc(row["sent_at"])), query)

    async def known_ids(self, names: Iterable[str]) -> set[str]:
        """Return those of the names that are ids of batches."""
        query = "SELECT id FROM batch WHERE id IN (SELECT value FROM json_each(?, '$'))"
        return set(await self._db.all(itemgetter("id"), query, json.dumps(list(names))))

    async def exclude(self, ids: Sequence[int], reason: str) -> None:
        """Exclude these pending messages from batches, for that reason."""
        await self._db.execute(
            "UPDATE message SET state = 'excluded', reason = ? WHERE state = 'pending'"
            " AND id IN (SELECT value FROM json_each(?))",
            reason,
            json.dumps(list(ids)),
        )

    async def sources_of(self, path: str) -> dict[str, tuple[int, ...]]:
        """Map each line that Sam wrote into a day's file to its messages' ids, of all batches."""
        found: dict[str, tuple[int, ...]] = {}
        query = "SELECT text, sources FROM bullet WHERE path = ?"
        for text, sources in await self._db.all(tuple, query, path):
            found[text] = found.get(text, ()) + numbers(sources)
        return found

    async def bullets_since(self, day: date) -> dict[str, list[str]]:
        """Map the days' files since that day to Sam's lines, without batches of edited messages."""
        rows = await self._db.all(
            tuple,
            "SELECT bullet.path, text FROM bullet JOIN batch ON batch.id = bullet.batch"
            " WHERE batch.day >= ? AND batch.state = 'closed' AND NOT EXISTS"
            " (SELECT 1 FROM message WHERE message.batch = batch.id AND outdated = 1)",
            day.isoformat(),
        )
        found: dict[str, list[str]] = {}
        for path, text in rows:
            found.setdefault(path, []).append(text)
        return found

    async def lines(self, batches: Iterable[str], within: Collection[int]) -> set[str]:
        """Return the lines of those batches that came from messages in `within` alone."""
        listed = "SELECT value FROM json_each(?, '$')"
        query = f"SELECT text, sources FROM bullet WHERE batch IN ({listed})"
        rows = await self._db.all(tuple, query, json.dumps(list(batches)))
        shown = frozenset(within)
        return {text for text, sources in rows if shown.issuperset(numbers(sources))}


def line_hash(line: str) -> str:
    """Return the hash by which the log recognises a line."""
    return hashlib.sha256(" ".join(line.split()).encode()).hexdigest()[:32]


def _claim(db: Connection, batch: Batch, ids: Sequence[int], reason: str, at: str) -> None:
    row = asdict(batch) | {"day": batch.day.isoformat()}
    insert(db, "batch", **row, reason=reason, claimed_at=at, size=len(ids))
    db.execute(
        "UPDATE message SET state = 'claimed', batch = ?"
        " WHERE id IN (SELECT value FROM json_each(?))",
        (batch.id, json.dumps(ids)),
    )


def _is_batch(db: Connection, name: str) -> bool:
    return db.execute("SELECT 1 FROM batch WHERE id = ?", (name,)).fetchone() is not None


def _retry(row: Row) -> Retry:
    return Retry(row["failures"], parse_utc(row["failing_since"]), parse_utc(row["retry_at"]))


def _expect(db: Connection, batch_id: str, state: str) -> None:
    row = db.execute("SELECT state FROM batch WHERE id = ?", (batch_id,)).fetchone()
    if row is None or row["state"] != state:
        raise StoreError(f"batch {batch_id} is {row['state'] if row else 'unknown'}, not {state}")
