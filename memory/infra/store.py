"""The interface of a transactional store, for the log and the inbox: SQLite or PostgreSQL.

SQL is written once, in the subset that both engines read; `memory/infra/postgres/dialect.py` lists
what is translated. `?`, `?1` and `:name` are parameters, `json_each(?)` lists numbers, and
`json_each(?, '$')` lists texts.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import fields
from typing import Any, Protocol, TypeVar, cast

from ..errors import StoreError
from .clock import Clock
from .database_threads import Lane, database_threads

T = TypeVar("T")


class Row(Protocol):
    """A row: its values by name and by place, in order."""

    def __getitem__(self, key: Any, /) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...

    def keys(self) -> Any:
        """Return the names of the columns."""


class Cursor(Protocol):
    """The result of one statement. `lastrowid`: the id that an INSERT assigned."""

    @property
    def rowcount(self) -> int: ...

    @property
    def lastrowid(self) -> int | None: ...

    def fetchone(self) -> Any:
        """Return the next row; None if there is none."""

    def fetchall(self) -> list[Any]:
        """Return the remaining rows."""

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """A connection inside a transaction of `Store.write` or `Store.read`."""

    def execute(self, sql: str, parameters: Any = ..., /) -> Cursor:
        """Run one statement."""

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> Any:
        """Run one statement for each of the parameters."""


def insert(db: Connection, table: str, **values: object) -> int:
    """Insert a row with these values by column; return its id, if the table numbers its rows."""
    places = ", ".join(f":{column}" for column in values)
    added = db.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({places})", values)
    return int(added.lastrowid or 0)


def from_row(make: Callable[..., T], row: Row, **converted: object) -> T:
    """Return the dataclass `make` with the row's columns as its fields, but for the `converted`."""
    names = [each.name for each in fields(cast(Any, make)) if each.name not in converted]
    return make(**{name: row[name] for name in names}, **converted)


class Store(ABC):
    """The tables of one owner: one profile's log, or one bot's inbox. A lane for the writes and one
    for the reads run their work one after another, in threads.

    All errors are StoreError's children.
    """

    def __init__(
        self, name: str, threads: Callable[[], ThreadPoolExecutor] = database_threads
    ) -> None:
        """`name`: of the store in the error that it is closed."""
        self._name = name
        self._writing, self._reading = Lane(threads), Lane(threads)
        self._closed = False
        self._listeners: list[asyncio.Event] = []

    @abstractmethod
    async def write(self, change: Callable[[Connection], T], *, wake: bool = False) -> T:
        """Run `change` in one transaction; all or nothing. Writes run in the order of the calls.
        `wake`: wake the workers that share the database, if it changes a row."""

    @abstractmethod
    async def read(self, look: Callable[[Connection], T]) -> T:
        """Run `look` on one consistent snapshot."""

    @abstractmethod
    async def check(self) -> None:
        """Check the store for damage. Raises StoreCorrupt."""

    @abstractmethod
    async def scrub(self, *, quick: bool = False) -> None:
        """Remove every byte of deleted content from the files, where that is in Sam's power.
        Raises StoreBusy. `quick`: rewrite only the pages that it was in, and not the whole file."""

    @abstractmethod
    def _release(self) -> None:
        """Release the connections; runs in a thread, once, after the last work."""

    async def first(self, make: Callable[[Any], T], query: str, *values: object) -> T | None:
        """Return what `make` builds from the query's first row; None if it has no rows."""

        def look(db: Connection) -> T | None:
            row = db.execute(query, values).fetchone()
            return make(row) if row is not None else None

        return await self.read(look)

    async def all(self, make: Callable[[Any], T], query: str, *values: object) -> list[T]:
        """Return what `make` builds from each of the query's rows."""
        return await self.read(lambda db: [make(row) for row in db.execute(query, values)])

    async def execute(self, statement: str, *values: object) -> None:
        """Run one statement in a transaction of its own."""
        await self.write(lambda db: db.execute(statement, values))

    def listen(self, event: asyncio.Event) -> None:
        """Set `event`, of the running loop, after each write here that changes a row. Other
        processes' writes set none."""
        self._listeners.append(event)

    def _announce(self, loop: asyncio.AbstractEventLoop) -> None:
        """Set the listeners' events, from a thread."""

        def tell() -> None:
            for event in self._listeners:
                event.set()

        if self._listeners:
            with suppress(RuntimeError):  # the loop has ended, and nobody listens
                loop.call_soon_threadsafe(tell)

    async def wait_for_writes(self) -> None:
        """Return once all earlier writes have ended."""
        await self._in(self._writing, lambda: None)

    async def _in(self, lane: Lane, work: Callable[[], T]) -> T:
        if self._closed:
            raise StoreError(f"{self._name} is closed")
        return await lane.run(work)

    async def close(self) -> None:
        """Let running work end, then release the connections."""
        if self._closed:
            return
        self._closed = True
        await self._writing.ended()
        await self._reading.ended()
        await asyncio.to_thread(self._release)


class Records:
    """The records of one subject in a store. `clock`: for the times that they get."""

    def __init__(self, db: Store, clock: Clock) -> None:
        self._db, self._clock = db, clock
