"""A memory that watches its vault, and one whose watcher has died."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from memory import core
from memory.vault import FileEvents
from tests.support.memories import opened, write


async def test_once_nobody_watches_each_question_looks_by_itself_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core, "_SCAN_EVERY", 0.0)
    async with opened(tmp_path) as memory:
        caught_up = asyncio.Event()
        watching = asyncio.create_task(memory.watch(FileEvents(), caught_up.set, alone=True))
        await asyncio.wait_for(caught_up.wait(), 60)
        assert memory.watching
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        assert not memory.watching
        write(tmp_path, "zoo.md", "A walrus.\n")
        assert [hit.path for hit in (await memory.recall("walrus")).hits] == ["zoo.md"]
