"""The vectors of one profile in a file beside its notes, for the worker that serves it next.

Each of several workers has an index of its own. With this file a text is embedded once, by the
worker that indexes it first: other indexes, and one that was deleted, take the vector from here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ..embedding import Identity
from ..errors import LockHeld, StoreCorrupt, StoreError
from ..infra.file_locks import locked, run_to_end
from ..infra.sqlite import Connection, Database, connect, errors, transaction
from . import tables

T = TypeVar("T")

_FORMAT = "1/3"  # in two parts, as in files that also named the version of the classifier
_SCHEMA = (
    "CREATE TABLE made_with (value TEXT NOT NULL)",
    "CREATE TABLE embedding (text_hash TEXT NOT NULL, input_type TEXT NOT NULL,"
    " vector BLOB NOT NULL, PRIMARY KEY (text_hash, input_type)) WITHOUT ROWID",
)
_PATIENCE = 60.0  # seconds for the lock: one batch needs it

log = logging.getLogger(__name__)


class VectorFile:
    """The file at `path`, used by one process at a time, which holds the lock.

    It is a cache: a file that is damaged or of another embedder is replaced, and one that cannot be
    read or written costs no more than calls of the embedder.
    """

    def __init__(self, path: Path, lock: Path, identity: Identity) -> None:
        self._path, self._lock = path, lock
        dimension = str(identity.dimension)
        parts = (_FORMAT, identity.provider, identity.model, dimension)
        self._made_with = "/".join(parts)
        self._questions: dict[str, bytes] = {}

    async def read(self, hashes: Collection[str], input_type: str) -> dict[str, bytes]:
        """Return the vectors that are there, by the text's hash."""
        if not hashes:
            return {}
        look = partial(tables.cached, hashes=hashes, input_type=input_type)
        return await self._if_possible(lambda: asyncio.to_thread(self._run, look)) or {}

    async def copy_to(self, index: Database) -> None:
        """Copy all vectors to the cache of a new index."""

        async def copy() -> None:
            if await asyncio.to_thread(self._run, lambda _: True):
                await index.maintain(partial(tables.copy_cache, path=self._path))

        await self._if_possible(copy)

    async def add(self, index: Database, vectors: Mapping[str, bytes], input_type: str) -> None:
        """Store the vectors of texts that are still in the index, and those of the questions."""

        async def store() -> None:
            # Read under the lock, where `keep_texts_of` reads too: forgotten text must leave no
            # vector behind.
            standing = await index.read(partial(tables.existing_hashes, hashes=vectors))
            questions, self._questions = self._questions, {}

            def change(db: Connection) -> None:
                tables.cache(db, {key: vectors[key] for key in standing}, input_type)
                tables.cache(db, questions, "query")

            await asyncio.to_thread(self._run, change, create=True)

        if vectors or self._questions:
            await self._if_possible(store)

    def add_question(self, key: str, vector: bytes) -> None:
        """Store a question's vector with the next `add`: an answer waits for the question."""
        self._questions[key] = vector

    async def keep_texts_of(self, index: Database) -> None:
        """Delete all vectors except those of texts in the index, and every byte of them.

        Raises StoreError, LockHeld.
        """

        async def delete() -> None:
            self._questions.clear()
            hashes = await index.read(tables.text_hashes)

            def change(db: Connection) -> None:
                known = db.execute("SELECT text_hash FROM embedding").fetchall()
                gone = {row[0] for row in known} - hashes
                db.executemany(
                    "DELETE FROM embedding WHERE text_hash = ?", [(each,) for each in gone]
                )

            await asyncio.to_thread(self._run, change)

        await self._in_turn(delete)

    async def _if_possible(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T | None:
        try:
            return await self._in_turn(work)
        except (StoreError, LockHeld) as why:
            log.warning("vectors are not shared with other workers: %s", why)
            return None

    async def _in_turn(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        async with locked(self._lock, timeout=_PATIENCE):
            return await run_to_end(work())

    def _run(self, work: Callable[[Connection], T], *, create: bool = False) -> T | None:
        """Return what `work` returns in a transaction; None if there is no file and it is not to
        be created."""
        if not create and not self._path.exists():
            return None
        try:
            with self._transaction() as db:
                return work(db)
        except StoreCorrupt as why:
            log.warning("%s is replaced: %s", self._path, why)
            for file in (self._path, self._path.with_name(f"{self._path.name}-journal")):
                file.unlink(missing_ok=True)
            return self._run(work, create=create)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Open the file, empty it if it was made with something else, and commit at the end."""
        # No write-ahead log: that needs memory which all users of the file share, on one machine.
        db = connect(self._path, journal="DELETE")
        try:
            with errors(self._path), transaction(db):
                self._path.chmod(0o600)
                if not db.execute("SELECT 1 FROM sqlite_master").fetchone():
                    for statement in _SCHEMA:
                        db.execute(statement)
                known = db.execute("SELECT value FROM made_with").fetchone()
                if known is None or known[0] != self._made_with:
                    db.execute("DELETE FROM embedding")
                    db.execute("DELETE FROM made_with")
                    db.execute("INSERT INTO made_with VALUES (?)", (self._made_with,))
                yield db
        finally:
            db.close()
