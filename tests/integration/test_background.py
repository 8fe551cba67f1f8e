"""Background work can be cancelled, whatever happens at the same moment."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.assistant.profiles import in_background
from memory.core import Memory
from memory.index import housekeeping
from memory.vault.file_events import Folder
from tests.support.memories import opened

STEPS = range(5)  # event loop steps from the change until the work is cancelled


async def ends(
    work: Callable[[], Awaitable[object]], changes: Callable[[], object], steps: int
) -> None:
    """Run `work` in the background, and cancel it that many steps after a change."""

    async def forever() -> None:
        while True:
            await work()

    async with asyncio.timeout(60):
        async with AsyncExitStack() as stack:
            in_background(stack, forever, "work")
            await asyncio.sleep(0.02)
            changes()
            for _ in range(steps):
                await asyncio.sleep(0)


@pytest.mark.parametrize("steps", STEPS)
async def test_waiting_for_files_ends_while_one_changes(tmp_path: Path, steps: int) -> None:
    folder = Folder(tmp_path)
    await ends(lambda: folder.wait_for_events(60), lambda: folder.add_event((True, "a.md")), steps)


@pytest.mark.parametrize("steps", STEPS)
async def test_merging_ends_while_the_index_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    monkeypatch.setattr(housekeeping, "STEP", 0.0)
    heard: list[asyncio.Event] = []
    async with opened(tmp_path) as memory:
        monkeypatch.setattr(memory.index, "listen", heard.append)
        await ends(lambda: tidy(memory), lambda: [event.set() for event in heard], steps)
    assert heard


def tidy(memory: Memory) -> Awaitable[None]:
    return housekeeping.keep_tidy(memory.index, memory.embeddings.idle)
