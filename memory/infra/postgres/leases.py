"""Leases of several workers on one PostgreSQL: which of them serves which profile.

A worker registers itself, and renews its registration every BEAT seconds. The number of the
registration is its epoch. Another worker removes a registration that was not renewed for TTL
seconds, which frees its leases; so does a worker that ends. Each write transaction of a worker
compares its epoch (store.py), and holds the registration's row until it commits. So a worker that
slept for too long cannot write, and nobody takes its leases in the middle of a write.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import psycopg

from ...errors import ServedElsewhere
from .connection import OPTIONS
from .server import ALIVE, Server, acquire, release, run

log = logging.getLogger(__name__)

T = TypeVar("T")

TTL, BEAT = 10.0, 2.0  # seconds
AGAIN = 1.0  # seconds until a lost connection is opened again
LEFT = 3.0  # seconds that something due is left to the worker that it falls to
CHANNEL = "sam"
_ARRIVED, _FREED = "arrived", "freed"
ARRIVED = f"NOTIFY {CHANNEL}, '{_ARRIVED}';".encode()
"""Wakes all workers once the transaction is committed."""

_LOCK = 7_266_002  # of the creation of the tables

_TABLES = """
CREATE SCHEMA sam_workers;
CREATE TABLE sam_workers.worker (
  epoch         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name          text NOT NULL UNIQUE,
  expires_at    timestamptz NOT NULL
);
CREATE TABLE sam_workers.lease (
  name          text COLLATE "C" PRIMARY KEY,  -- of a profile; with a colon, of something else
  epoch         bigint REFERENCES sam_workers.worker ON DELETE SET NULL,  -- null if it is free
  due_at        timestamptz,  -- when somebody has to take it while it is free; null: never
  times         text  -- when each job is due, as JSON; null if that is not known
);
CREATE INDEX lease_of_worker ON sam_workers.lease (epoch);
CREATE INDEX lease_due ON sam_workers.lease (due_at) WHERE epoch IS NULL;
"""

_REGISTER = f"""
INSERT INTO sam_workers.worker (name, expires_at)
VALUES ($1, clock_timestamp() + interval '{TTL} seconds') RETURNING epoch
"""

# In the transaction that registers: two workers that start together would later see each other, and
# each would leave it to the other.
_ALL_DUE_IF_ALONE = """
UPDATE sam_workers.lease SET due_at = clock_timestamp(), times = NULL
 WHERE epoch IS NULL AND strpos(name, ':') = 0 AND NOT EXISTS (
   SELECT FROM sam_workers.worker WHERE epoch != $1 AND expires_at > clock_timestamp())
"""

# Whether it was in time: after an outage of PostgreSQL every registration is late, and none may
# be removed before its worker has had a chance to renew it.
_RENEW = f"""
WITH me AS (SELECT epoch, expires_at FROM sam_workers.worker WHERE epoch = $1 FOR NO KEY UPDATE)
UPDATE sam_workers.worker SET expires_at = clock_timestamp() + interval '{TTL} seconds'
  FROM me WHERE worker.epoch = me.epoch RETURNING me.expires_at > clock_timestamp()
"""

_REPLACED = b"SELECT 1 FROM sam_workers.worker WHERE name = $1"

_REMOVE_DEAD = """
DELETE FROM sam_workers.worker WHERE epoch IN (
  SELECT epoch FROM sam_workers.worker WHERE expires_at < clock_timestamp() FOR UPDATE SKIP LOCKED
) RETURNING name
"""

# The worker that something free falls to: any function of both spreads them evenly. By its name,
# which it keeps when it starts again, so that its search indexes are found again, too.
_BEST = """
SELECT w.epoch FROM sam_workers.worker AS w WHERE w.expires_at > clock_timestamp()
 ORDER BY hashtextextended(w.name || ':' || wanted.name, 0) LIMIT 1
"""

_HOLDERS = f"""
SELECT wanted.name, lease.epoch, ({_BEST}) FROM unnest($1::text[]) AS wanted (name)
  LEFT JOIN sam_workers.lease AS lease ON lease.name = wanted.name
"""

_DUE = f"""
SELECT wanted.name FROM sam_workers.lease AS wanted
 WHERE wanted.epoch IS NULL AND wanted.due_at <= clock_timestamp() AND wanted.name = ANY ($1)
   AND ({_BEST}) = $2
 ORDER BY wanted.due_at LIMIT $3
"""
_LEFT_DUE = f"""
SELECT name FROM sam_workers.lease
 WHERE epoch IS NULL AND due_at < clock_timestamp() - interval '{LEFT} seconds' AND name = ANY ($1)
 ORDER BY due_at LIMIT $2
"""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has a lease: an epoch, or None if it is free. `best`: whose turn it is to take it."""

    epoch: int | None
    best: int | None


class Leases:
    """The registration of this process as a worker, and its leases; open it with `Leases.open`.

    While it is open, each write of this process to that database compares the epoch.
    """

    def __init__(self, url: str, server: Server, name: str, epoch: int) -> None:
        self._url, self._server, self._name, self.epoch = url, server, name, epoch
        self.taken: dict[str, int] = {}
        """The leases of this worker, and the number of the taking: each one is another."""
        self.lost = asyncio.Event()
        """Set when another worker has removed this one: close everything, and start over."""
        self._takings = 0
        self._loop = asyncio.get_running_loop()
        self._listeners: list[tuple[asyncio.Event, bool]] = []
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="leases", daemon=True)

    @classmethod
    async def open(cls, url: str, *, name: str) -> Leases:
        """Register this process. `name`: of this worker, the same at each start: what an earlier
        process of that name had is freed. If no other worker is alive, somebody has to take each
        profile: nobody has noticed changes. Raises StoreError, StoreDown."""

        def register(db: psycopg.Connection[Any]) -> int:
            _make_tables(db)
            db.execute(b"DELETE FROM sam_workers.worker WHERE name = $1", (name,))
            row = db.execute(_REGISTER.encode(), (name,)).fetchone()
            assert row is not None, "an inserted row is returned"
            db.execute(_ALL_DUE_IF_ALONE.encode(), (row[0],))
            return int(row[0])

        server = acquire(url)
        try:
            epoch = await _in_transaction(server, register)
        except BaseException:
            await asyncio.to_thread(release, url)
            raise
        server.register(epoch)
        leases = cls(url, server, name, epoch)
        leases._thread.start()
        return leases

    def listen(self, event: asyncio.Event, *, freed_alone: bool = False) -> None:
        """Set `event`, of the running loop, whenever something is free or has arrived;
        `freed_alone`: not for what has arrived."""
        self._listeners.append((event, freed_alone))

    async def take(self, name: str, *, due: bool = True) -> Mapping[str, float] | None:
        """Take a lease, or keep it; return the times of its jobs, as `give_back` was given them;
        None if they are not known. `due`: others take it as soon as it is free. Raises
        ServedElsewhere, StoreError."""
        if name in self.taken:
            return None

        def change(db: psycopg.Connection[Any]) -> str | None:
            db.execute(
                b"INSERT INTO sam_workers.lease (name) VALUES ($1) ON CONFLICT DO NOTHING", (name,)
            )
            row = db.execute(
                b"SELECT epoch, times FROM sam_workers.lease WHERE name = $1 FOR NO KEY UPDATE",
                (name,),
            ).fetchone()
            if row is None or row[0] not in (None, self.epoch):
                raise ServedElsewhere(f"{name} is served by another worker now")
            if db.execute(ALIVE, (self.epoch,)).fetchone() is None:
                raise ServedElsewhere("this worker has to renew its registration first")
            db.execute(
                b"UPDATE sam_workers.lease SET epoch = $2, times = NULL,"
                b" due_at = CASE WHEN $3 THEN clock_timestamp() END WHERE name = $1",
                (name, self.epoch, due),
            )
            return row[1] if row[1] is None else str(row[1])

        times = await _in_transaction(self._server, change)
        self._takings += 1
        self.taken[name] = self._takings
        return None if times is None else dict(json.loads(times))

    async def give_back(
        self, name: str, times: Mapping[str, float] | None = None, due_at: float | None = None
    ) -> None:
        """Free a lease. `times`: when its jobs are due, in seconds since 1970; None: not known, so
        that somebody takes it at once. `due_at`: when somebody has to take it even without a
        job."""
        due = [time.time()] if times is None else list(times.values())
        if due_at is not None:
            due.append(due_at)
        stored = None if times is None else json.dumps(dict(times))

        def change(db: psycopg.Connection[Any]) -> None:
            db.execute(
                b"UPDATE sam_workers.lease SET epoch = NULL, times = $3, due_at = to_timestamp($4)"
                b" WHERE name = $1 AND epoch = $2",
                (name, self.epoch, stored, min(due, default=None)),
            )
            _notify(db)

        # Before, since it may be free even if an error is raised: `take` finds out.
        self.taken.pop(name, None)
        await _in_transaction(self._server, change)

    async def plan(self, names: Collection[str]) -> None:
        """Let somebody take each of these that is new."""

        query = (
            b"INSERT INTO sam_workers.lease (name, due_at) SELECT name, clock_timestamp()"
            b" FROM unnest($1::text[]) AS each (name) ON CONFLICT DO NOTHING"
        )
        await _in_transaction(self._server, lambda db: db.execute(query, (list(names),)))

    async def due(self, names: Iterable[str], most: int) -> list[str]:
        """Return which of these are free and have to be taken now, the most urgent first: those
        that fall to this worker; if there are none, what others have left for LEFT seconds."""
        all_names = list(names)

        def look(db: psycopg.Connection[Any]) -> list[str]:
            found = db.execute(_DUE.encode(), (all_names, self.epoch, most)).fetchall()
            if not found:
                found = db.execute(_LEFT_DUE.encode(), (all_names, most)).fetchall()
            return [str(row[0]) for row in found]

        return await _in_transaction(self._server, look)

    async def holders(self, names: Collection[str]) -> dict[str, Holder]:
        """Return who has each of these leases; no query for those of this worker."""
        mine = {name: Holder(self.epoch, self.epoch) for name in names if name in self.taken}
        others = [name for name in names if name not in mine]
        if not others:
            return mine
        found = await _in_transaction(
            self._server, lambda db: db.execute(_HOLDERS.encode(), (others,)).fetchall()
        )
        return mine | {str(row[0]): Holder(row[1], row[2]) for row in found}

    async def close(self) -> None:
        """Free all leases, and end the registration. The caller has closed all stores."""

        def end(db: psycopg.Connection[Any]) -> None:
            db.execute(b"DELETE FROM sam_workers.worker WHERE epoch = $1", (self.epoch,))
            _notify(db)  # this ends our own wait, too

        self._ending.set()
        try:
            await _in_transaction(self._server, end)
        except Exception as down:  # then it expires
            log.warning("worker=%d could not end its registration: %s", self.epoch, down)
        await asyncio.to_thread(self._thread.join)
        self._server.register(None)
        await asyncio.to_thread(release, self._url)

    # ── the thread that renews the registration ──────────────────────────────────────────────

    def _keep(self) -> None:
        """Renew the registration and listen, on a connection of its own, until it is closed."""
        reported = False
        while not self._ending.is_set():
            try:
                with psycopg.connect(self._url, **self._server.options, **OPTIONS) as db:
                    db.execute(f"LISTEN {CHANNEL}".encode())
                    self._tell()  # of what came while nobody listened
                    reported = False
                    while not self._ending.is_set():
                        if not self._renew(db):
                            self._lose(db)
                            return
                        self._wait(db)
            except psycopg.Error as down:
                if not reported:
                    log.warning("worker=%d cannot renew its registration: %s", self.epoch, down)
                reported = True
                self._ending.wait(AGAIN)

    def _renew(self, db: psycopg.Connection[Any]) -> bool:
        row = db.execute(_RENEW.encode(), (self.epoch,)).fetchone()
        if row is None:
            return self._ending.is_set()
        if row[0]:
            for (name,) in db.execute(_REMOVE_DEAD.encode()).fetchall():
                log.warning("worker name=%s did not answer: its profiles are free", name)
                _notify(db)
        return True

    def _wait(self, db: psycopg.Connection[Any]) -> None:
        until = time.monotonic() + BEAT
        while not self._ending.is_set() and (left := until - time.monotonic()) > 0:
            for each in db.notifies(timeout=left, stop_after=1):
                self._tell(each.payload)

    def _lose(self, db: psycopg.Connection[Any]) -> None:
        if db.execute(_REPLACED, (self._name,)).fetchone() is None:
            why = f"did not answer for {TTL:.0f} seconds, so others serve its profiles now"
        else:
            why = (
                "was replaced by another one with the same name (if its CACHE_DIR is a copy of the"
                " other's, delete the file `worker` in it)"
            )
        log.error("worker=%d %s: it closes its profiles, and starts over", self.epoch, why)
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self.lost.set)

    def _tell(self, what: str = _FREED) -> None:
        def tell() -> None:
            for event, freed_alone in self._listeners:
                if what != _ARRIVED or not freed_alone:
                    event.set()

        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(tell)


async def _in_transaction(server: Server, work: Callable[[psycopg.Connection[Any]], T]) -> T:
    def done() -> T:
        with server.connection(lambda db: run(db, b"BEGIN")) as db:
            result = work(db)
            run(db, b"COMMIT")
            return result

    return await asyncio.get_running_loop().run_in_executor(server.threads, done)


def _make_tables(db: psycopg.Connection[Any]) -> None:
    db.execute(b"SELECT pg_advisory_xact_lock($1)", (_LOCK,))
    if db.execute(b"SELECT to_regclass('sam_workers.lease')").fetchone()[0] is None:  # type: ignore[index]
        for statement in _TABLES.split(";\n"):
            if statement.strip():
                db.execute(statement.encode())


def _notify(db: psycopg.Connection[Any]) -> None:
    db.execute(f"NOTIFY {CHANNEL}, '{_FREED}'".encode())
