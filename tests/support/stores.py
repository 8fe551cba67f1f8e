"""A log and an inbox in SQLite or in PostgreSQL, for tests that run on both.

The fixture `stores` of conftest.py provides them: a test that uses it runs once on each engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import psycopg

from bot.inbox import Inbox
from memory import Clock
from memory.infra.postgres import Tenant
from memory.infra.sqlite import Connection, driver
from memory.log import Log


@dataclass(frozen=True, slots=True)
class Stores:
    """The stores below one folder, or with `tenant` in PostgreSQL."""

    folder: Path
    tenant: Tenant | None

    async def log(self, clock: Clock) -> Log:
        return await Log.open(self.folder / "log.db", clock, tenant=self.tenant)

    async def inbox(self, clock: Clock) -> Inbox:
        return await Inbox.open(self.folder / "inbox.db", clock, tenant=self.tenant)

    def rows(self, store: str, query: str) -> list[tuple[Any, ...]]:
        """Query a store directly; `store` is "log" or "inbox"."""
        if self.tenant is None:
            with closing(self._file(store)) as db:
                return db.execute(query).fetchall()
        with self._tenants(store) as db:
            return list(db.execute(query.encode()).fetchall())

    def spoil(self, store: str, *deeds: str) -> None:
        """Change a store's rows directly."""
        if self.tenant is None:
            with closing(self._file(store)) as db:
                for deed in deeds:
                    db.execute(deed)
                db.commit()
            return
        with self._tenants(store) as db:
            for deed in deeds:
                db.execute(deed.encode())

    def _file(self, store: str) -> Connection:
        """Connect with Sam's own SQLite: in one process, closing a file in another copy of the
        library drops the locks of the first (https://sqlite.org/howtocorrupt.html, 2.2.1)."""
        return cast(Connection, driver().connect(str(self.folder / f"{store}.db")))

    @contextmanager
    def _tenants(self, store: str) -> Iterator[Any]:
        assert self.tenant is not None
        with psycopg.connect(self.tenant.url) as db:
            db.execute("SELECT set_config('search_path', %s, false)", (f"sam_{store}",))
            db.execute("SELECT set_config('sam.tenant', %s, false)", (self.tenant.name,))
            yield db
