"""Background maintenance of the index while no turn runs: FTS5 merges, WAL checkpoints, and the
removal of cached vectors that nothing needs.

Otherwise FTS5 and SQLite would do the first two during a write that a turn waits for.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from functools import partial

from ..errors import StoreError
from ..infra.sqlite import Connection, Database
from . import fulltext, tables
from .index import Index

log = logging.getLogger(__name__)

PAGES = 8  # pages per merge: two milliseconds between other writes
VECTORS = 200  # cached vectors per write, likewise a few milliseconds
STEP, PAUSE = 0.05, 2.0  # seconds between two merges, and from new work to the first of them
LOOK_AGAIN = 60.0  # seconds between checks for changes by other processes
AHEAD = 12_000_000  # bytes of the write-ahead log; at 16 MB SQLite checkpoints within a write


async def keep_tidy(index: Index, idle: Callable[[], Awaitable[None]]) -> None:
    """Run until cancelled. `idle` returns when no turn runs."""
    done: tuple[Database, int] | None = None
    changed = asyncio.Event()
    index.listen(changed)
    while True:
        if done is None:
            await asyncio.sleep(STEP)
        else:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_AGAIN):
                    await changed.wait()
                await asyncio.sleep(PAUSE)
        changed.clear()
        await idle()
        try:
            db = await index.db()
            await db.checkpoint_if_large(beyond=AHEAD)
            if done == (db, await db.read(_version)):
                continue
            await _drop_unused_vectors(db, idle)
            more = await db.write(partial(fulltext.merge, pages=PAGES))
            done = None if more else (db, await db.read(_version))
        except StoreError as why:
            log.warning("index not tidied: %s", why)
            done = None
            await asyncio.sleep(PAUSE)


async def _drop_unused_vectors(db: Database, idle: Callable[[], Awaitable[None]]) -> None:
    after: str | None = "" if await db.read(tables.may_have_many_unused) else None
    while after is not None:
        await idle()
        page = partial(tables.drop_unused_page, after=after, count=VECTORS)
        after = await db.write(page)


def _version(db: Connection) -> int:
    """Return SQLite's `data_version`, which changes with each commit of another connection."""
    return int(db.execute("PRAGMA data_version").fetchone()[0])
