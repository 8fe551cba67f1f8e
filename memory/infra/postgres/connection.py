"""A connection of psycopg behind the interface of `memory.infra.store`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, KeysView, Sequence
from typing import Any

import psycopg
from psycopg.adapt import Loader

from .dialect import Statement, translate

_STREAMED = 1_000  # rows in memory at once
_CHANGES = ("INSERT", "UPDATE", "DELETE")


class PostgresRow:
    """A row: its values by name and by place."""

    __slots__ = ("_places", "_values")

    def __init__(self, places: dict[str, int], values: Sequence[Any]) -> None:
        self._places, self._values = places, values

    def __getitem__(self, key: Any) -> Any:
        return self._values[self._places[key] if isinstance(key, str) else key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def keys(self) -> KeysView[str]:
        """Return the names of the columns."""
        return self._places.keys()


def _rows(cursor: psycopg.Cursor[Any]) -> Callable[[Sequence[Any]], PostgresRow]:
    result = cursor.pgresult  # `cursor.description` would make an object for each column
    names = [] if result is None else [result.fname(at) or b"" for at in range(result.nfields)]
    places: dict[str, int] = {}
    for at, name in enumerate(names):
        places.setdefault(name.decode(), at)
    return lambda values: PostgresRow(places, values)


class _Number(Loader):
    """A sum of integers is an integer, as in SQLite; psycopg makes it a Decimal."""

    def load(self, data: Any) -> int | float:
        text = bytes(data)
        return int(text) if text.lstrip(b"-").isdigit() else float(text)


OPTIONS: dict[str, Any] = {
    "autocommit": True,  # transactions are begun by hand, with their isolation
    "cursor_factory": psycopg.RawCursor,  # $1, $2
    "row_factory": _rows,
}


def configure(connection: psycopg.Connection[Any]) -> None:
    """Set up a new connection of the pool."""
    connection.adapters.register_loader("numeric", _Number)


class PostgresCursor:
    """The result of one statement."""

    def __init__(self, cursor: psycopg.Cursor[Any], statement: Statement) -> None:
        self._cursor = cursor
        self.rowcount = cursor.rowcount
        made = cursor.fetchone() if statement.returns_id else None
        self.lastrowid: int | None = made["id"] if made is not None else None

    def fetchone(self) -> Any:
        """Return the next row; None if there is none."""
        return self._cursor.fetchone()

    def fetchall(self) -> list[Any]:
        """Return the remaining rows."""
        return self._cursor.fetchall()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._cursor)


class PostgresConnection:
    """One transaction. `changed`: whether a statement changed a row."""

    def __init__(self, db: psycopg.Connection[Any], numbered: frozenset[str]) -> None:
        self._db, self._numbered, self.changed = db, numbered, False

    def execute(self, sql: str, parameters: Any = (), /) -> PostgresCursor:
        """Run one statement of the shared subset."""
        statement = translate(sql, self._numbered)
        cursor = self._db.execute(statement.sql.encode(), statement.values(parameters) or None)
        self._note(cursor)
        return PostgresCursor(cursor, statement)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> None:
        """Run one statement of the shared subset for each of the parameters."""
        statement = translate(sql, frozenset())
        with self._db.cursor() as cursor:
            cursor.executemany(
                statement.sql.encode(), [statement.values(each) for each in parameters]
            )
            self._note(cursor)

    def stream(self, query: str) -> Iterator[Any]:
        """Yield the rows of a query without parameters, of which only some are in memory."""
        self._db.execute(f"DECLARE streamed NO SCROLL CURSOR FOR {query}".encode())
        while rows := self._db.execute(f"FETCH {_STREAMED} FROM streamed".encode()).fetchall():
            yield from rows
        self._db.execute(b"CLOSE streamed")

    def _note(self, cursor: psycopg.Cursor[Any]) -> None:
        if cursor.rowcount > 0 and (cursor.statusmessage or "").startswith(_CHANGES):
            self.changed = True
