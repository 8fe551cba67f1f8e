"""Copy all of a tenant's rows between its tables in PostgreSQL and a file of SQLite.

Both engines have the same tables and columns, so rows are copied as they are, with their ids. In
some tables SQLite's own `rowid` orders the rows; PostgreSQL has a column of that name there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from graphlib import TopologicalSorter
from itertools import islice
from pathlib import Path
from typing import Any, Self

from ...errors import StoreError
from .. import sqlite
from ..store import Connection
from .connection import PostgresConnection
from .dialect import storable
from .schema import COPYING, NEW_TENANT, check, prepare
from .server import using
from .store import TenantTables
from .tenant import Tenant, bound

PORTION = 1_000  # rows in memory at once
COUNTER = "counter"
"""Triggers count the rows of other tables in it, so it is copied last, over what they made."""

_BY_ROWID = """
SELECT table_name FROM information_schema.columns
 WHERE table_schema = $1 AND column_name = 'rowid'
"""

_DEFER = "SET CONSTRAINTS ALL DEFERRED"  # so that the order of the tables does not matter

Progress = Callable[[int], object]
"""Called from time to time with the number of rows copied or compared since the last call."""

Reader = Callable[[str], Iterator[Any]]


@dataclass(frozen=True, slots=True)
class Table:
    """A table that both engines have."""

    name: str
    columns: tuple[str, ...]

    @property
    def select(self) -> str:
        """The statement that reads all rows."""
        where = " WHERE value != 0" if self.name == COUNTER else ""  # only SQLite stores zeros
        return f"SELECT {', '.join(self.columns)} FROM {self.name}{where}"

    @property
    def clear(self) -> str:
        """The statement that removes the rows which the migrations make."""
        if self.name == COUNTER:  # the triggers of SQLite need these rows
            return f"UPDATE {COUNTER} SET value = 0"
        return f"DELETE FROM {self.name}"

    @property
    def insert(self) -> str:
        """The statement that writes a row."""
        places = ", ".join("?" * len(self.columns))
        text = f"INSERT INTO {self.name} ({', '.join(self.columns)}) VALUES ({places})"
        if self.name == COUNTER:
            return f"{text} ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        return text


@dataclass(slots=True)
class Digest:
    """The number of rows of a table, and a hash of them that does not depend on their order."""

    rows: int = 0
    value: int = 0

    def of(self, rows: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows as PostgreSQL can store them, and add each."""
        for row in rows:
            values = tuple(bytes(v) if isinstance(v, memoryview) else storable(v) for v in row)
            one = int.from_bytes(hashlib.sha256(repr(values).encode()).digest(), "big")
            self.value = (self.value + one) % 2**256
            self.rows += 1
            yield values


Digests = dict[str, Digest]


class TenantRows:
    """The rows of one tenant in one schema: `with TenantRows(…) as rows`. Its methods block, and
    raise StoreError's children. `migrations`: makes the tables of SQLite; its subfolder `postgres`
    those of PostgreSQL."""

    def __init__(
        self, tenant: Tenant, schema: str, migrations: Path, progress: Progress | None = None
    ) -> None:
        self._tenant, self._schema, self._migrations = tenant, schema, migrations
        self._progress = progress

    def find_binding(self) -> str | None:
        """Return what `binding` does, outside of the context, and without making any tables.
        Raises StoreError if the database is none that Sam can use."""
        with using(self._tenant.url) as server:
            with server.connection(lambda db: db.execute(b"BEGIN")) as db:
                made = check(db, self._schema, self._migrations / "postgres")
                db.execute(b"COMMIT")
            if made is None:
                return None
            return TenantTables(server, self._schema, self._tenant.name).read(bound)

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            server = stack.enter_context(using(self._tenant.url))
            with server.connection(lambda db: db.execute(b"SELECT 1")) as db:
                prepare(db, self._schema, self._migrations / "postgres")
                found = db.execute(_BY_ROWID, (self._schema,)).fetchall()
            self._by_rowid = frozenset(row[0] for row in found)
            self._rows = TenantTables(server, self._schema, self._tenant.name)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def binding(self) -> str | None:
        """Return the id of the data folder that uses the rows; None: no folder does."""
        return self._rows.read(bound)

    def copy_out(self, target: Path) -> Digests:
        """Copy a snapshot of all rows to a new file of SQLite; return the digest of each table."""

        def look(db: PostgresConnection) -> Digests:
            with closing(sqlite.connect(target)) as file, sqlite.errors(target):
                sqlite.migrate(file, self._migrations)
                file.execute("PRAGMA foreign_keys = OFF")
                found = self._tables(file)
                with sqlite.transaction(file):
                    for table in found:  # the migrations may have made some
                        file.execute(table.clear)
                    made = _fill(file, found, self._counted(db.stream))
                if file.execute("PRAGMA foreign_key_check").fetchone() is not None:
                    raise StoreError(f"rows of {self._tenant.name} refer to rows that are missing")
            target.chmod(0o600)
            return made

        return self._rows.read(look)

    def copy_in(self, file: sqlite.Connection, binding: str) -> None:
        """Copy all rows of an open, migrated file of SQLite in one transaction, and bind them to
        that id. Rows that are bound to it already are left as they are.

        Raises StoreError if the tenant has other rows.
        """

        def change(db: Connection) -> None:
            there = bound(db)
            if there == binding:
                return
            found = self._tables(file)
            if there is not None or any(
                db.execute(f"{each.select} LIMIT 1").fetchone() is not None for each in found
            ):
                raise StoreError(
                    f"{self._tenant.name} has other rows in that database already: use another"
                    " database, or remove these rows first"
                )
            db.execute(f"SET LOCAL {COPYING} = 'on'")
            _fill(db, found, self._counted(_reader(file)))
            db.execute("INSERT INTO binding (id) VALUES (?)", (binding,))

        self._rows.write(change)

    def digests(self, file: sqlite.Connection) -> tuple[Digests, Digests]:
        """Read everything again: return the digest of each table of the file, and of the tenant's
        rows."""
        found = self._tables(file)
        ours = self._rows.read(lambda db: _digests(found, self._counted(db.stream)))
        return self.digests_of(file), ours

    def digests_of(self, file: sqlite.Connection) -> Digests:
        """Return the digest of each table of the file."""
        return _digests(self._tables(file), _reader(file))

    def counts(self) -> dict[str, int]:
        """Return the number of rows of each table."""
        count = "SELECT count(*) FROM"
        return self._rows.read(
            lambda db: {n: int(db.execute(f"{count} {n}").fetchone()[0]) for n in _names(db)}
        )

    def delete(self) -> None:
        """Delete all rows of the tenant, in one transaction."""
        self._rows.write(_delete_all)

    def delete_if_equal(self, file: sqlite.Connection, expected: Digests) -> bool:
        """Delete all rows of the tenant if their digests are these, in one transaction; return
        whether they were. `file`: has the same tables."""
        found = self._tables(file)

        def change(db: PostgresConnection) -> bool:
            if _digests(found, self._counted(db.stream)) != expected:
                return False
            _delete_all(db)
            return True

        return self._rows.write(change)[0]

    def give_to(self, tenant: str) -> None:
        """Make all rows those of another tenant, who has none, in one transaction."""

        def change(db: Connection) -> None:
            db.execute("SELECT set_config(?, ?, true)", (NEW_TENANT, tenant))
            db.execute(_DEFER)
            for name in _names(db):
                db.execute(f"UPDATE {name} SET tenant = ?", (tenant,))

        self._rows.write(change)

    def _counted(self, read: Reader) -> Reader:
        """Return `read`, which reports its rows to `progress`."""
        tell = self._progress
        if tell is None:
            return read

        def reading(query: str) -> Iterator[Any]:
            number = 0
            for number, row in enumerate(read(query), 1):
                yield row
                if number % PORTION == 0:
                    tell(PORTION)
            tell(number % PORTION)

        return reading

    def _tables(self, file: sqlite.Connection) -> list[Table]:
        return tables(file, self._by_rowid)


def _delete_all(db: Connection) -> None:
    db.execute(_DEFER)
    for name in _names(db):
        db.execute(f"DELETE FROM {name}")


def _names(db: Connection) -> list[str]:
    found = db.execute(
        "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        " AND tablename != 'schema_version'"
    )
    return [row[0] for row in found.fetchall()]


def _reader(file: sqlite.Connection) -> Reader:
    return lambda query: iter(file.execute(query))


def _digests(found: list[Table], read: Reader) -> Digests:
    made = {}
    for table in found:
        digest = made[table.name] = Digest()
        for _ in digest.of(read(table.select)):
            pass
    return made


def _fill(into: Connection | sqlite.Connection, found: list[Table], read: Reader) -> Digests:
    made = {}
    for table in found:
        digest = made[table.name] = Digest()
        rows = digest.of(read(table.select))
        while portion := list(islice(rows, PORTION)):
            into.executemany(table.insert, portion)
    return made


def tables(file: sqlite.Connection, by_rowid: frozenset[str]) -> list[Table]:
    """Return the tables of a migrated file, each after those that it refers to."""
    order: TopologicalSorter[str] = TopologicalSorter()
    for (name,) in file.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        " ORDER BY name"
    ).fetchall():
        keys = file.execute(f"PRAGMA foreign_key_list({name})").fetchall()
        order.add(name, *(key["table"] for key in keys if key["table"] != name))
    names = [name for name in order.static_order() if name != COUNTER]
    return [_table(file, name, by_rowid) for name in (*names, COUNTER)]


def _table(file: sqlite.Connection, name: str, by_rowid: frozenset[str]) -> Table:
    columns = [row["name"] for row in file.execute(f"PRAGMA table_info({name})").fetchall()]
    return Table(name, (("rowid",) if name in by_rowid else ()) + tuple(columns))
