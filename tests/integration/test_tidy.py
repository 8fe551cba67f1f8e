"""Full-text segments of single messages are merged while idle, and stay searchable."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from memory.core import Memory
from memory.index import housekeeping, tables
from memory.infra.sqlite import Connection
from tests.support.memories import WordEmbedder, log_exchange, opened, write

COUNT = 12
LONG = 7  # messages; beyond fifteen segments FTS5 merges all of them, whatever its settings


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housekeeping, "STEP", 0.0)
    monkeypatch.setattr(housekeeping, "PAUSE", 0.01)


async def talked(memory: Memory) -> None:
    for number in range(COUNT):
        await log_exchange(memory, f"green tea with cake, cup {number}")
        await memory.reconcile()


async def segments(memory: Memory) -> int:
    def look(db: Connection) -> int:
        found = db.execute("SELECT count(DISTINCT segid) FROM chunk_fts_idx").fetchone()
        return int(found[0])

    return await (await memory.index.db()).read(look)


async def written(memory: Memory) -> int:
    db = await memory.index.db()
    return await db.maintain(lambda connection: connection.total_changes)


@asynccontextmanager
async def tidied(memory: Memory) -> AsyncIterator[None]:
    task = asyncio.create_task(housekeeping.keep_tidy(memory.index, memory.embeddings.idle))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def fewer(memory: Memory, than: int) -> None:
    async with asyncio.timeout(60):
        while await segments(memory) >= than:  # noqa: ASYNC110 - another task writes
            await asyncio.sleep(0.01)


async def test_what_came_is_merged_and_found_as_before(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await talked(memory)
        before = [hit.text for hit in (await memory.recall("cup 7 of tea", limit=20)).hits]
        assert len(before) == COUNT
        assert await segments(memory) >= COUNT
        async with tidied(memory):
            await fewer(memory, 8)
        assert [hit.text for hit in (await memory.recall("cup 7 of tea", limit=20)).hits] == before


async def test_no_write_merges_what_others_have_written(tmp_path: Path) -> None:
    """By default FTS5 merges on every 64th page that is written."""
    async with opened(tmp_path) as memory:
        for number in range(LONG):
            await log_exchange(memory, " ".join(f"word{number}x{word}" for word in range(2_000)))
            await memory.reconcile()
        assert await segments(memory) >= LONG


async def test_it_writes_nothing_once_all_is_done(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await talked(memory)
        async with tidied(memory):
            await fewer(memory, 8)
            before = -1
            async with asyncio.timeout(60):
                while (now := await written(memory)) != before:
                    before = now
                    await asyncio.sleep(0.2)
            await talked(memory)
            await fewer(memory, 8)


async def test_the_write_ahead_log_is_emptied_before_a_write_has_to_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "AHEAD", 100_000)
    async with opened(tmp_path) as memory:
        db = await memory.index.db()
        ahead = db.path.with_name(f"{db.path.name}-wal")
        await talked(memory)
        assert ahead.stat().st_size > housekeeping.AHEAD
        async with tidied(memory):
            for _ in range(40):  # half of what triggers a merge in any case
                await log_exchange(memory, "and another cup")
                await memory.reconcile()
                await asyncio.sleep(0.02)
                if ahead.stat().st_size <= housekeeping.AHEAD:
                    break
        assert ahead.stat().st_size <= housekeeping.AHEAD
        assert len((await memory.recall("cup 7 of tea", limit=20)).hits) >= COUNT


async def test_merges_of_the_index_wait_while_a_turn_runs(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await talked(memory)
        async with tidied(memory):
            async with memory.embeddings.paused():
                await asyncio.sleep(0.2)
                assert await segments(memory) >= COUNT
            await fewer(memory, 8)


async def cached(memory: Memory) -> int:
    def look(db: Connection) -> int:
        return int(db.execute("SELECT count(*) FROM embedding").fetchone()[0])

    return await (await memory.index.db()).read(look)


async def test_vectors_of_earlier_texts_do_not_pile_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOST_CACHED", 20)
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        async with tidied(memory):
            for number in range(18):
                write(tmp_path, "tea.md", f"Green tea, cup {number}.\n")
                await memory.reconcile()
                while await memory.embeddings.embed(8):
                    pass
        assert await cached(memory) >= 18, "few stay: a text may come back"
        await memory.recall("green tea")
        await memory.recall("black tea")
        await memory.recall("white tea")
        async with tidied(memory), asyncio.timeout(60):
            while await cached(memory) > 3:  # noqa: ASYNC110 - another task writes
                await asyncio.sleep(0.01)
        assert (await memory.recall("cup of tea")).mode == "hybrid"
