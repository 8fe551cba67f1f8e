"""Merges the words of what came, and empties the write-ahead log, while nobody waits.

FTS5 and SQLite would do so by themselves, in the middle of a write that a turn waits for.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial

from ..errors import StoreError
from ..infra.sqlite import Connection, Database
from . import fulltext
from .index import Index

log = logging.getLogger(__name__)

PAGES = 8  # merged at once: two milliseconds of the writer's thread
STEP, PAUSE = 0.05, 2.0  # seconds between two of those, and until it is looked for more
AHEAD = 12_000_000  # bytes of the write-ahead log; at sixteen a write would wait for it


async def keep_tidy(index: Index, idle: Callable[[], Awaitable[None]]) -> None:
    """For as long as Sam runs. `idle` returns when no turn runs."""
    done: tuple[Database, int] | None = None
    while True:
        await asyncio.sleep(STEP if done is None else PAUSE)
        await idle()
        try:
            db = await index.db()
            await db.carry_over(beyond=AHEAD)
            if done == (db, await db.read(_version)):
                continue
            more = await db.write(partial(fulltext.merge, pages=PAGES))
            done = None if more else (db, await db.read(_version))
        except StoreError as why:
            log.warning("words are not merged: %s", why)
            done = None
            await asyncio.sleep(PAUSE)


def _version(db: Connection) -> int:
    """Another number whenever somebody has written."""
    return int(db.execute("PRAGMA data_version").fetchone()[0])
