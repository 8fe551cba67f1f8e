"""Thousands of notes arrive at once, by a copy or a sync, while a chat continues.

Asserts only the order of events; `python -m tests.benchmarks.watch` measures the times.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from memory.core import Memory
from memory.index import embedding_queue
from memory.index.pending_paths import PendingPaths
from tests.benchmarks.watch import asks, indexed, settings, write_notes
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram
from tests.fakes.violations import assert_no_violations
from tests.support.memories import opened, write
from tests.support.process import Sam, wait_until

FLOOD = 3_000


def test_a_message_is_answered_before_the_last_note_of_a_flood_is_indexed(tmp_path: Path) -> None:
    """With the real process and its real watcher."""
    write_notes(tmp_path / "flood", FLOOD)
    with FakeTelegram.running() as telegram, FakeClaude.running() as claude:
        sam = Sam(tmp_path, **settings(telegram, claude, "none"))
        sam.start()
        try:
            asks(telegram, "Are you there?")
            before = indexed(tmp_path / "data")
            (tmp_path / "flood").rename(tmp_path / "vault" / "flood")  # all at once
            wait_until(lambda: indexed(tmp_path / "data") > before, "the first of them", nap=0.01)
            asks(telegram, "And now?")
            assert indexed(tmp_path / "data") < before + FLOOD
            wait_until(lambda: indexed(tmp_path / "data") == before + FLOOD, "the last", 120)
            assert_no_violations(telegram, claude)
        finally:
            assert sam.stop() == 0, sam.story()


async def notes(memory: Memory) -> int:
    return (await memory.index.counts())["notes"]


async def test_a_question_waits_for_the_newest_of_many_changes_alone(tmp_path: Path) -> None:
    """As after a sync of a whole vault that the watcher has not processed yet."""
    async with opened(tmp_path) as memory:
        await memory.reconcile()
        memory.watching = True
        write_notes(tmp_path / "vault", 1_000)
        memory.changed(
            path.relative_to(tmp_path / "vault").as_posix()
            for path in (tmp_path / "vault").rglob("note *.md")
        )
        write(tmp_path, "saved.md", "The narwhal came by.\n")
        memory.changed(["saved.md"])
        assert [hit.path for hit in (await memory.recall("narwhal")).hits] == ["saved.md"]
        assert await notes(memory) < 200
        await memory.follow(None)
        assert await notes(memory) == 1_002


@pytest.mark.parametrize("scan", [False, True], ids=["named", "scan"])
async def test_a_flood_lets_a_turn_go_first(
    tmp_path: Path, scan: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding_queue, "GIVE_WAY", 3600.0)
    async with opened(tmp_path) as memory:
        await memory.reconcile()
        memory.watching = True
        write_notes(tmp_path / "vault", 1_000)
        paths = [f"{n // 100:03}/note {n}.md" for n in range(1_000)]
        memory.changed(paths)  # as if Sam itself had written them, for a sync
        async with memory.embeddings.paused():
            flood = asyncio.create_task(memory.follow(None if scan else frozenset(paths)))
            while await notes(memory) == 1:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            # The flood is paused, and the questions of the turn do not process it further.
            for _ in range(20):
                assert (await memory.recall("a kind soul")).hits[0].path == "soul.md"
            assert await notes(memory) < 300 and not flood.done()
        await flood
        assert await notes(memory) == 1_001


async def test_a_note_that_changes_during_a_scan_is_looked_at_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, "a.md", "The walrus sleeps.\n")
        memory.watching = True
        memory.changed(["a.md"])

        async def meanwhile() -> None:
            write(tmp_path, "a.md", "The badger sleeps.\n")
            memory.changed(["a.md"])

        await memory.reconcile(between=meanwhile)
        assert [hit.path for hit in (await memory.recall("badger")).hits] == ["a.md"]


def test_what_could_not_be_looked_at_comes_back_in_its_order() -> None:
    dirty = PendingPaths()
    dirty.add("abcd")
    dirty.add("a")
    with pytest.raises(KeyError), dirty.take(2) as newest:
        assert newest == ["a", "d"]
        raise KeyError
    with dirty.take(9) as every:
        assert every == ["a", "d", "c", "b"]
    assert not dirty
