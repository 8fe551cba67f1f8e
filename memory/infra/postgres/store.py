"""One tenant's tables in one schema of a PostgreSQL, behind the interface `Store`.

A write holds an advisory lock of the tenant, so that the writes of all processes run one after
another, as in SQLite. Different tenants do not wait for each other.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

import psycopg
from psycopg.sql import quote

from ...errors import ServedElsewhere, StoreError
from ..store import Connection, Store
from .connection import PostgresConnection
from .leases import ARRIVED
from .schema import TENANT, prepare
from .server import ALIVE, WAIT, Server, acquire, release, run
from .tenant import Tenant

T = TypeVar("T")

_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_WRITE = "BEGIN ISOLATION LEVEL READ COMMITTED"
_COMMIT = b"COMMIT"

_END_IF_STOPPED = "SET LOCAL idle_in_transaction_session_timeout = 5000"
"""Milliseconds after which PostgreSQL ends the transaction of a worker that was stopped in it:
before its leases are free, since whoever takes them waits for its locks."""


@lru_cache(maxsize=4096)
def _enter(begin: str, schema: str, tenant: str) -> str:
    """Return the statements that begin a transaction of a tenant."""
    settings = {
        "search_path": schema,
        TENANT: tenant,
        "lock_timeout": str(int(WAIT * 1000)),
        "jit": "off",  # it takes seconds, and the queries milliseconds
        # Planning a query again for its values takes as long as running it, and finds nothing else.
        "plan_cache_mode": "force_generic_plan",
    }
    # One statement, which costs the server less than a SET LOCAL for each.
    made = (f"set_config({quote(name)}, {quote(value)}, true)" for name, value in settings.items())
    return f"{begin};SELECT {', '.join(made)}"


@lru_cache(maxsize=4096)
def _write(
    schema: str, tenant: str, epoch: int | None, lease: str, binding: str | None
) -> tuple[bytes, int]:
    """Return the statements that begin a write, and how many answers the last one has: each is
    null if the write is not allowed."""
    checks = []
    if epoch is not None:
        checks.append(ALIVE.decode().replace("$1", str(epoch)))
        if lease:
            lease_of = f"WHERE name = {quote(lease)} AND epoch = {epoch}"
            checks.append(f"SELECT 1 FROM sam_workers.lease {lease_of}")
    if binding is not None:
        checks.append(f"SELECT 1 FROM binding WHERE id = {quote(binding)}")
    lock = quote(f"{schema} {tenant}")
    rows = [
        _enter(_WRITE, schema, tenant),
        *([_END_IF_STOPPED] if epoch is not None else ()),
        f"SELECT pg_advisory_xact_lock(hashtextextended({lock}, 0))",
        *([f"SELECT {', '.join(f'({each})' for each in checks)}"] if checks else ()),
    ]
    return ";".join(rows).encode(), len(checks)


@dataclass(frozen=True, slots=True)
class TenantTables:
    """One tenant's tables in one schema. Its methods block, and raise StoreError's children."""

    server: Server
    schema: str
    tenant: str

    @property
    def name(self) -> str:
        """The store as people know it."""
        return f"{self.schema.removeprefix('sam_')} of {self.tenant} in {self.server.name}"

    def read(self, look: Callable[[PostgresConnection], T]) -> T:
        """Return what `look` reads in one snapshot."""
        begin = _enter(_READ, self.schema, self.tenant).encode()
        with self.server.connection(lambda db: run(db, begin)) as db:
            result = look(PostgresConnection(db, frozenset()))
            run(db, _COMMIT)
            return result

    def write(
        self,
        change: Callable[[PostgresConnection], T],
        numbered: frozenset[str] = frozenset(),
        lease: str = "",
        binding: str | None = None,
        wake: bool = False,
    ) -> tuple[T, bool]:
        """Run `change` in one transaction, after all others of the tenant; return its result, and
        whether it changed a row. `lease`: the one that a worker needs for it. `binding`: the id of
        the data folder that the rows have to be bound to. `wake`: as in `Store.write`. Raises
        ServedElsewhere if this process is a worker that does not have the lease any more,
        StoreError if the rows are not bound so."""
        # In one round trip: the writes of all processes wait while one of them has the lock.
        statements, checks = _write(self.schema, self.tenant, self.server.epoch, lease, binding)
        answers: list[bool] = []

        def begin(db: psycopg.Connection[Any]) -> None:
            found = run(db, statements)
            answers[:] = [found.get_value(0, number) is not None for number in range(checks)]

        with self.server.connection(begin) as db:
            if not all(answers):
                raise self._refusal(answers, lease)
            inside = PostgresConnection(db, numbered)
            result = change(inside)
            run(db, ARRIVED + _COMMIT if wake and inside.changed else _COMMIT)
            return result, inside.changed

    def _refusal(self, answers: Sequence[bool], lease: str) -> StoreError:
        """Return why a write is not allowed: the first check that failed."""
        is_worker, failed = self.server.epoch is not None, answers.index(False)
        if is_worker and failed == 0:
            return ServedElsewhere("this worker did not answer for too long, and may not write")
        if is_worker and lease and failed == 1:
            return ServedElsewhere(f"{lease} is not served by this worker any more")
        return StoreError(
            f"{self.name} was moved, renamed or removed since it was opened: start again"
        )


class PostgresStore(Store):
    """Open it with `PostgresStore.open`."""

    def __init__(
        self,
        url: str,
        tables: TenantTables,
        numbered: frozenset[str],
        marker: Path,
        lease: str,
    ) -> None:
        self.name = tables.name
        super().__init__(self.name, lambda: tables.server.threads)
        self._url, self._tables, self._numbered = url, tables, numbered
        self._marker, self._lease = marker, lease
        self._binding: str | None = None

    @classmethod
    async def open(
        cls, tenant: Tenant, *, schema: str, folder: Path, marker: Path
    ) -> PostgresStore:
        """Open the tenant's tables; make or migrate the schema first by the folder's files. Each
        write sets the time of the file `marker`, if it is there.

        Raises StoreError if the role bypasses row-level security, StoreDown if nothing answers.
        """

        def opened() -> PostgresStore:
            server = acquire(tenant.url)
            try:
                with server.connection(lambda db: db.execute(b"SELECT 1")) as db:
                    numbered = prepare(db, schema, folder)
            except BaseException:
                release(tenant.url)
                raise
            tables = TenantTables(server, schema, tenant.name)
            lease = tenant.name if tenant.leased else ""
            return cls(tenant.url, tables, numbered, marker, lease)

        if not tenant.name:
            raise StoreError("a store in PostgreSQL needs a tenant")
        return await asyncio.to_thread(opened)

    def bind(self, binding: str) -> None:
        """From now on, write only while the rows are bound to that id: the id of this process's
        data folder. Rows that were moved or removed meanwhile are not written to."""
        self._binding = binding

    async def write(self, change: Callable[[Connection], T], *, wake: bool = False) -> T:
        """Run `change` in one transaction; all or nothing."""

        def work() -> T:
            result, changed = self._tables.write(
                change, self._numbered, self._lease, self._binding, wake
            )
            if changed:
                now = time.time_ns()  # the kernel's own time would be the same for several writes
                with suppress(OSError):
                    os.utime(self._marker, ns=(now, now))
                self._announce(loop)
            return result

        loop = asyncio.get_running_loop()
        return await self._in(self._writing, work)

    async def read(self, look: Callable[[Connection], T]) -> T:
        """Run `look` on one consistent snapshot."""
        return await self._in(self._reading, partial(self._tables.read, look))

    async def check(self) -> None:
        """Return if PostgreSQL answers: it checks its own pages. Raises StoreDown."""
        await self.read(lambda db: db.execute("SELECT 1").fetchone())

    async def scrub(self, *, quick: bool = False) -> None:
        """Leave deleted rows to PostgreSQL's own VACUUM: no process of Sam's can overwrite them in
        its files, its write-ahead log, standbys or dumps."""

    def _release(self) -> None:
        release(self._url)
