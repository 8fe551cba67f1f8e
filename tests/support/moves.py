"""A log and an inbox with something in each table, and all rows of a file, to compare."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from datetime import UTC
from pathlib import Path

from bot.inbox import Inbox, Reply, Where
from memory.infra.postgres import StorePlace, Tenant
from memory.log import Bullet, Log, Usage
from tests.support.logs import NOON, ids, said

ROOT = Path(__file__).parents[2]
MIGRATIONS = {"log": ROOT / "memory/log/migrations", "inbox": ROOT / "bot/inbox/migrations"}


def place(folder: Path, tenant: Tenant, store: str = "log") -> StorePlace:
    return StorePlace(folder / f"{store}.db", f"sam_{store}", MIGRATIONS[store], tenant)


def dump(file: Path) -> list[str]:
    """All rows of a file, table by table; what counts zero rows is left out."""
    with closing(sqlite3.connect(file)) as db:
        tables = db.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ).fetchall()
        by_rowid = ("batch", "fact", "proposal", "contradiction", "saved")
        return sorted(
            f"{table}: {row!r}"
            for (table,) in tables
            for row in db.execute(
                f"SELECT {'rowid, ' if table in by_rowid else ''}* FROM {table}"
                f"{' WHERE value != 0' if table == 'counter' else ''}"
            )
        )


async def filled(folder: Path, messages: int = 60) -> None:
    """A log with a bit of everything in SQLite: hostile texts, batches, forgotten messages."""
    draw = random.Random(19)
    log = await Log.open(folder / "log.db", lambda: NOON)
    for number in range(messages):
        text = "".join(chr(draw.randrange(1, 0xD800)) for _ in range(20))
        turn = await log.messages.begin(said(f"{number} {text}", number))
        if number % 7:
            await log.messages.answer(turn.id, f"answer {number} 🙂", sent_at=NOON)
    for batch in await log.batches.claim(zone=UTC, reason="asked", new_id=ids()):
        first = (await log.batches.messages(batch.id))[0]
        await log.batches.plan(batch.id, "memories/a.md", "hash", [Bullet("a fact", (first.id,))])
        await log.batches.mark_written(batch.id)
        await log.batches.close(batch.id)
    await log.usage.add(Usage("p", "m", "chat", 1, usd=0.1 + 0.2))
    await log.settings.set("a", "b")
    await log.journal.record("a.md", None, "hash", "test")
    await log.forgetting.add_tombstones(["a line"], "test")
    await log.forgetting.forget([1, 2, 3], [])
    await log.jobs.end(await log.jobs.begin("nightly"), "failed")
    await log.saved.put(["f1", "f2"], [5])
    await log.close()


async def filled_inbox(folder: Path, updates: int = 20) -> None:
    """An inbox with updates, a reply and a pairing code in SQLite."""
    inbox = await Inbox.open(folder / "inbox.db", lambda: NOON)
    for number in range(updates):
        await inbox.updates.receive(number, "telegram:7", f"update {number}")
    await inbox.replies.store(Reply("k", "owner", Where(7), "spoke", "text", logged="text"))
    await inbox.people.new_code()
    await inbox.close()
