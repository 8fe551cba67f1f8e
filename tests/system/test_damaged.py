"""Damaged, locked, missing or outdated databases under a real Sam and a real Memory."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from memory.embedding import Identity, InputType
from memory.errors import StoreCorrupt
from memory.search import Question
from tests.support.damage import DAMAGE, emptied, flipped, zeroed
from tests.support.fresh_index import chunks, fresh
from tests.support.memories import WordEmbedder, log_exchange, opened, write
from tests.support.process import wait_until
from tests.support.world import World, command


@pytest.mark.parametrize("damage", DAMAGE)
async def test_a_damaged_index_is_rebuilt_by_itself(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    """Even without a question: the first scan of the vault notices it."""
    async with opened(tmp_path) as memory:
        for number in range(16):
            write(tmp_path, f"beds/{number}.md", f"# Bed {number}\n\nQuinces by the wall.\n" * 8)
        for number in range(20):
            await log_exchange(memory, f"the wallaby came {number} times", "heard")
        await memory.catch_up()
        index = memory.profile.data / "index" / "1.db"
    for name in ("-wal", "-shm"):
        Path(f"{index}{name}").unlink(missing_ok=True)
    damage(index)
    async with opened(tmp_path) as memory:
        write(tmp_path, "beds/new.md", "Medlars are new.\n")
        with contextlib.suppress(StoreCorrupt):  # found after the first scan
            await memory.catch_up()
        assert (await memory.recall("wallaby", filter="conversations")).hits
        assert (await memory.recall("medlars")).hits[0].path == "beds/new.md"
        await memory.reconcile()
        built = await fresh(memory, tmp_path / "aside")
        assert await chunks(memory.index) == await chunks(built)
        await built.close()


async def test_an_index_that_breaks_under_a_running_sam_is_mended_without_a_question(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        for number in range(16):
            write(tmp_path, f"beds/{number}.md", f"# Bed {number}\n\nQuinces by the wall.\n" * 8)
        await memory.catch_up()
        index = memory.profile.data / "index" / "1.db"
    flipped(index)
    async with opened(tmp_path) as memory:
        write(tmp_path, "beds/1.md", "Medlars are new.\n")
        await memory.catch_up()
        built = await fresh(memory, tmp_path / "aside")
        assert await chunks(memory.index) == await chunks(built)
        await built.close()


async def test_questions_at_once_over_a_damaged_index_replace_it_once(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        for number in range(16):
            write(tmp_path, f"beds/{number}.md", f"# Bed {number}\n\nQuinces by the wall.\n" * 8)
        await memory.catch_up()
        index = memory.profile.data / "index" / "1.db"
    data = bytearray(index.read_bytes())
    for page in {found.start() // 4096 * 4096 for found in re.finditer(b"Quinces", data)}:
        data[page : page + 8] = b"\xff" * 8  # found on reading, not on opening
    index.write_bytes(data)
    async with opened(tmp_path) as memory:
        memory.watching = True  # questions do not scan the vault themselves
        assert (await memory.index.db()).path.name == "1.db"
        found = await asyncio.gather(*(memory.recall("quinces") for _ in range(4)))
        assert all(each.hits for each in found)
        # Each question's own rebuild would discard the previous one.
        assert (await memory.index.db()).path.name == "2.db"


async def test_a_damaged_index_that_is_deleted_meanwhile_is_made_anew(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, "quince.md", "# Quince\n\nBy the wall.\n")
        damaged = await memory.index.db()
        shutil.rmtree(memory.profile.data / "index")
        async with asyncio.timeout(30):  # less than a deadlocked lock takes to time out
            await memory.index.replace("a test", damaged)
        assert (await memory.recall("quince")).hits


class Unsized(WordEmbedder):
    """An embedder of unknown dimension before its first call: a new index has no vectors."""

    def __init__(self) -> None:
        super().__init__()
        self.identity, self._sized = Identity("test", "words", 0), self.identity

    async def identify(self) -> Identity:
        self.identity = self._sized
        return await super().identify()

    async def embed(self, texts: Sequence[str], kind: InputType) -> Any:
        self.identity = self._sized
        return await super().embed(texts, kind)


async def test_replaced_while_a_question_gets_its_vector_it_is_said_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path, embedder=Unsized()) as memory:
        write(tmp_path, "quince.md", "# Quince\n\nBy the wall.\n")
        await memory.catch_up()
        await memory.embeddings.embed(10)
        assert (await memory.recall("quince")).mode == "hybrid"

        async def replaced(*questions: Question) -> None:
            await memory.index.replace("a test", await memory.index.db())
            await memory.reconcile()

        monkeypatch.setattr(memory.searcher, "_refresh", replaced)
        found = await memory.recall("quince")
        assert found.hits and found.mode == "keywords"
        assert "not made yet" in (found.degraded or "")


async def test_a_damaged_log_does_not_cost_the_index(tmp_path: Path) -> None:
    """A damaged log must not discard the index again and again."""
    async with opened(tmp_path) as memory:
        for number in range(300):
            await log_exchange(
                memory, f"the wallaby came {number} times, said the badger " * 9, "heard"
            )
        await memory.catch_up()
    log = tmp_path / "data" / "log.db"
    data = bytearray(log.read_bytes())
    page = data.index(b"wallaby came 250") // 4096 * 4096
    data[page : page + 8] = b"\xff" * 8  # the header of one page of messages
    log.write_bytes(data)
    async with opened(tmp_path) as memory:
        await memory.log.settings.set("x", "y")
        with pytest.raises(StoreCorrupt, match="sam doctor"):
            await memory.log.check()
        for _ in range(2):
            with contextlib.suppress(StoreCorrupt):
                await memory.recall("wallaby")
    assert [file.name for file in (tmp_path / "data" / "index").glob("*.db")] == ["1.db"]


@pytest.mark.parametrize(
    ("store", "damage"),
    [("log.db", zeroed), ("log.db", emptied), ("inbox.db", zeroed), ("inbox.db", emptied)],
)
def test_a_damaged_log_or_inbox_is_said_and_never_written_over(
    used: World, store: str, damage: Callable[[Path], None]
) -> None:
    file = used.data / store
    sound = file.read_bytes()
    damage(file)
    broken = file.read_bytes()
    try:
        said = command(used, "run")
        assert said.returncode == 1 and "Traceback" not in said.stderr, said.stderr
        assert store in said.stderr and "sam doctor" in said.stderr
        assert file.read_bytes() == broken
        told = used.sam.json("doctor")
        fatal = [p for p in told["problems"] if p["severity"] == "fatal"]
        assert not told["ok"] and store in fatal[0]["what"], fatal
        assert "sam restore FILE --only-log" in fatal[0]["fix"]
        assert "vault stays" in fatal[0]["fix"]
    finally:
        for name in ("-wal", "-shm"):
            Path(f"{file}{name}").unlink(missing_ok=True)
        file.write_bytes(sound)


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Provide a stopped Sam with some messages; each test restores what it breaks."""
    with World.running(tmp_path_factory.mktemp("used"), SUMMARY_THRESHOLD="200") as world:
        world.sam.start()
        world.asks("one", "two", "three")
        assert world.sam.stop(120) == 0
        world.summarises()
        # The doctor needs no token to find a damaged store.
        yield world


def test_a_database_that_is_locked_for_seconds_delays_and_loses_nothing(tmp_path: Path) -> None:
    with World.running(tmp_path) as world:
        world.sam.start()
        world.asks("before")
        for store, says_so in (("inbox.db", "cannot be stored"), ("log.db", "waits for a store")):
            with locked(world.data / store):
                world.sends(f"while {store} is locked")
                wait_until(lambda: world.logs(says_so), f"a word on {store}")  # noqa: B023
                assert not world.answered(f"while {store} is locked")
            world.see_answered(f"while {store} is locked")
        world.check()


@contextlib.contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold the write lock, as another process would."""
    db = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA busy_timeout = 30000")
    db.execute("BEGIN EXCLUSIVE")
    watch = threading.Timer(120, db.interrupt)  # so that a failing test does not hold it forever
    watch.start()
    try:
        yield
    finally:
        watch.cancel()
        db.execute("ROLLBACK")
        db.close()


def test_a_log_that_is_gone_begins_anew_says_so_and_answers(tmp_path: Path) -> None:
    """The inbox knows replies to turns with the same ids: they must not be confused."""
    with World.running(tmp_path) as world:
        world.write("garden.md", "The quince stands by the wall.\n")
        world.sam.start()
        world.asks("one", "two", "three")
        assert world.sam.stop(120) == 0
        world.summarises()
        notes, bullets = world.notes(), world.bullets()
        for file in world.data.glob("log.db*"):
            file.unlink()
        world.said.clear()
        world.sam.start()
        world.asks("four", "five", "six", "seven")
        assert "log.db was missing" in world.telegram.asks("/status", timeout=60).text
        assert world.logs("log.db was missing")
        ids = [p["id"] for p in world.sam.json("doctor")["problems"]]
        assert "log-lost" in ids
        world.summarises()
        assert world.notes() == notes
        old = world.bullets() - bullets
        assert sorted(old) == sorted([t for w in world.said for t in (w, f"heard: {w}")])
        before = world.bullets()
        world.summarises()
        assert world.bullets() == before and set(before.values()) == {1}


def test_a_log_that_was_set_back_answers_what_comes_then(tmp_path: Path) -> None:
    """After `sam restore --only-log` or a manual copy, new turns get ids that the inbox knows."""
    with World.running(tmp_path) as world:
        world.sam.start()
        world.asks("one")
        assert world.sam.stop(120) == 0
        world.summarises()
        shutil.copy(world.data / "log.db", tmp_path / "older.db")
        world.sam.start()
        world.asks("two", "three")
        assert world.sam.stop(120) == 0
        for file in world.data.glob("log.db*"):
            file.unlink()
        shutil.copy(tmp_path / "older.db", world.data / "log.db")
        world.said = ["one"]
        world.sam.start()
        world.asks("four", "five", "six")
        assert world.sam.stop(120) == 0
        world.summarises()
        assert Counter(world.rows("SELECT text FROM message WHERE role = 'user'")) == Counter(
            world.said
        )
        assert world.sam.on_disk()["ledger"]["adds_up"]
        # The sections summarised from the lost part of the log stay: the vault is authoritative.
        assert set(world.bullets().values()) == {1} and set(world.said) <= set(world.bullets())
