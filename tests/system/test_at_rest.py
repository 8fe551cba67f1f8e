"""Idle background work waits for changes, and polls seldom for those of other processes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.app import running
from bot.assistant.profiles import background
from memory.core import Memory
from memory.index import housekeeping, tables
from memory.index.embedding_queue import EmbeddingQueue
from memory.infra.sqlite import Database
from memory.log import Log, Said
from tests.support.homes import Home
from tests.support.memories import log_exchange


async def until(true: Callable[[], Awaitable[bool]], seconds: float = 240.0) -> None:
    async with asyncio.timeout(seconds):
        while not await true():  # noqa: ASYNC110 - other tasks work on it
            await asyncio.sleep(0.02)


async def test_at_rest_nothing_is_looked_at_until_something_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "QUEUE_PAUSE", 0.05)
    monkeypatch.setattr(housekeeping, "PAUSE", 0.05)
    for module in (background, housekeeping):  # or a look for others' changes may come just then
        monkeypatch.setattr(module, "LOOK_AGAIN", 3600.0)
    looks: list[str] = []

    def counted(owner: type, name: str) -> None:
        real = getattr(owner, name)

        async def look(*given: Any, **more: Any) -> Any:
            looks.append(name)
            return await real(*given, **more)

        monkeypatch.setattr(owner, name, look)

    counted(Memory, "index_deferred")
    counted(EmbeddingQueue, "embed")
    counted(Database, "checkpoint_if_large")
    home = Home(tmp_path, EMBEDDING_PROVIDER="local")
    async with running(home.settings(), sole=False) as sam:
        memory = sam.main.memory

        async def done() -> bool:
            before, waiting = len(looks), (await memory.index.counts())["waiting"]
            await asyncio.sleep(1)
            return len(looks) == before and waiting == 0 == await memory.index.behind()

        await until(done)
        looks.clear()
        await asyncio.sleep(2)
        assert looks == []
        await log_exchange(memory, "A narwhal came by", "Did it?")
        await until(done)
        assert set(looks) == {"index_deferred", "embed", "checkpoint_if_large"}
        assert await memory.index.behind() == 0


async def test_no_change_to_the_index_makes_it_look_for_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "QUEUE_PAUSE", 0.05)
    rounds: list[int] = []
    real = Memory.index_deferred

    async def counted(memory: Memory) -> None:
        await real(memory)
        rounds.append(await memory.index.behind())

    monkeypatch.setattr(Memory, "index_deferred", counted)

    async def is_quiet() -> bool:
        before = len(rounds)
        await asyncio.sleep(2)
        return 0 < before == len(rounds)

    async with running(Home(tmp_path).settings(), sole=False) as sam:
        memory = sam.main.memory
        await until(is_quiet)  # the work after the start has ended
        rounds.clear()
        await memory.log.messages.log_unprompted("terminal", "Hello", sent_at=memory.clock())

        async def begun() -> bool:
            return bool(rounds)

        await until(begun)
        await asyncio.sleep(1)
        assert rounds == [0]
        await (await memory.index.db()).write(partial(tables.set_meta, name="test", value="1"))
        await asyncio.sleep(1)
        assert rounds == [0]


async def test_changes_of_another_process_are_looked_for_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "QUEUE_PAUSE", 0.05)
    monkeypatch.setattr(background, "LOOK_AGAIN", 0.2)
    home = Home(tmp_path)
    async with running(home.settings(), sole=False) as sam:
        memory = sam.main.memory
        await asyncio.sleep(1)  # until the work after the start has ended

        async def done() -> bool:
            return await memory.index.behind() == 0

        other = await Log.open(memory.profile.files.log, memory.clock)
        try:
            async with memory.embeddings.paused():  # or it may be looked for at once
                said = Said("test:1", "terminal", "A narwhal.", memory.clock())
                await other.messages.begin(said)
                assert not await done()
        finally:
            await other.close()
        await until(done)
