"""A full scan of the vault: its order, and what it leaves unchanged."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from memory.index import tables
from tests.support.memories import opened, write


async def test_what_was_changed_last_is_indexed_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The owner asks about what he is working on, and a first scan takes a while."""
    monkeypatch.setattr("memory.index.reconciler.PAGE", 1)
    years = {"b.md": 2021, "d.md": 2024, "a.md": 2022, "c.md": 2023}
    async with opened(tmp_path) as memory:
        for name, year in years.items():
            write(tmp_path, name, f"# Of {year}\n")
            stamp = (year - 1970) * 31_556_952
            os.utime(tmp_path / "vault" / name, (stamp, stamp))
        found: list[str] = []

        async def between() -> None:
            there = await (await memory.index.db()).read(tables.notes)
            found.extend(sorted(there.keys() & years.keys() - set(found)))

        await memory.index.reconcile(between=between)
        assert found == ["d.md", "c.md", "a.md", "b.md"]


async def test_a_scan_that_finds_nothing_new_writes_nothing(tmp_path: Path) -> None:
    """A write makes the next search read the index anew."""
    async with opened(tmp_path) as memory:
        for name in ("MEMORY.md", "knowledge/contextual.md", "a.md"):
            write(tmp_path, name, "- The cat likes tuna ^f00001\n")
            os.utime(tmp_path / "vault" / name, (1_600_000_000, 1_600_000_000))
        await memory.reconcile()
        memory.index.listen(changed := asyncio.Event())
        await memory.reconcile()
        await memory.reconcile(["MEMORY.md", "gone.md"])
        assert not changed.is_set()
