"""After any sequence of events, `reconcile()` makes the index equal to a newly built one.

A state machine edits, renames and deletes notes, sends and edits messages, crashes in the middle of
a reconcile or a rebuild, takes the embedder down, restores an older log, and rebuilds while a
second reader searches.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from memory.core import Memory
from memory.embedding import InputType
from memory.errors import StoreError
from memory.index import reconciler as reconciling
from memory.infra.file_locks import RunLock
from memory.log.changefeed import Changed, MayWait
from tests.support.fresh_index import chunks, content, embed_all, fresh
from tests.support.memories import START, Clock, WordEmbedder, log_exchange, opened, write

T = TypeVar("T")
NAMES = ("a.md", "deep/b.md", "memories/2026-02-10.md")
WORDS = st.sampled_from(["tea", "cake", "cat", "dog", "garden", "Ana", "kitchen", "东京", "café"])
TEXTS = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)
NOTES = st.lists(st.tuples(st.sampled_from(["# ", "## ", "- ", "", "\n"]), TEXTS), max_size=8).map(
    lambda rows: "".join(f"{mark}{text}\n" for mark, text in rows)
)


class Died(BaseException):
    """Simulates a kill inside the process: nothing catches it."""


class Rebuild(RuleBasedStateMachine):
    """Random sequences of events in one profile."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = Path(tempfile.mkdtemp(prefix="rebuild-"))
        self.embedder, self.clock = WordEmbedder(), Clock()
        self.older: Path | None = None
        self.count = 0
        self.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)

    def start(self) -> None:
        self.context = opened(self.folder, embedder=self.embedder, clock=self.clock)
        self.memory = self.run(self.context.__aenter__())
        self.memory.watching = True

    def stop(self) -> None:
        self.run(self.context.__aexit__(None, None, None))

    def teardown(self) -> None:
        self.reconciled_is_as_built_from_nothing()
        self.stop()
        self.loop.close()
        shutil.rmtree(self.folder)

    @rule(name=st.sampled_from(NAMES), text=NOTES)
    def edit(self, name: str, text: str) -> None:
        write(self.folder, name, text)

    @rule(old=st.sampled_from(NAMES), new=st.sampled_from(NAMES))
    def rename(self, old: str, new: str) -> None:
        source, target = self.folder / "vault" / old, self.folder / "vault" / new
        if source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            source.rename(target)

    @rule(name=st.sampled_from(NAMES))
    def delete(self, name: str) -> None:
        (self.folder / "vault" / name).unlink(missing_ok=True)

    @rule(text=TEXTS, answer=TEXTS | st.none())
    def speak(self, text: str, answer: str | None) -> None:
        self.count += 1
        self.run(log_exchange(self.memory, f"{text} {self.count}", answer))

    @rule(number=st.integers(0, 9), text=TEXTS)
    def correct(self, number: int, text: str) -> None:
        self.run(self.memory.log.messages.edit(f"test:{number}", text, self.clock()))

    @rule(names=st.sets(st.sampled_from(NAMES)))
    def told(self, names: set[str]) -> None:
        self.run(self.memory.reconcile(names))

    @rule()
    def asked(self) -> None:
        self.run(self.memory.recall("tea cat"))

    @rule(pages=st.integers(1, 3), rebuild=st.booleans())
    def die(self, pages: int, rebuild: bool) -> None:
        left = [pages]

        def failpoint(name: str) -> None:
            left[0] -= 1
            if left[0] <= 0:
                raise Died

        ours, reconciling.failpoint = reconciling.failpoint, failpoint
        try:
            self.run(self.memory.index.rebuild() if rebuild else self.memory.reconcile())
        except Died:
            pass
        finally:
            reconciling.failpoint = ours
        self.stop()
        self.start()

    @rule()
    def embedder_goes_and_comes(self) -> None:
        self.embedder.down = not self.embedder.down

    @precondition(lambda self: not self.embedder.down)
    @rule()
    def embed(self) -> None:
        self.run(self.memory.embeddings.embed(5))

    @rule()
    def keep_a_copy_of_the_log(self) -> None:
        self.stop()
        self.older = self.folder / "older.db"
        shutil.copy(self.folder / "data" / "log.db", self.older)
        self.start()

    @precondition(lambda self: self.older is not None)
    @rule()
    def set_the_log_back(self) -> None:
        self.stop()
        assert self.older is not None
        for name in ("log.db-wal", "log.db-shm"):
            (self.folder / "data" / name).unlink(missing_ok=True)
        shutil.copy(self.older, self.folder / "data" / "log.db")
        self.start()

    @rule()
    def rebuild_while_another_searches(self) -> None:
        async def both() -> None:
            async with opened(
                self.folder, embedder=self.embedder, clock=self.clock, sole=False
            ) as other:
                await asyncio.gather(
                    self.memory.index.rebuild(), *(other.recall("tea") for _ in range(3))
                )
                await other.recall("tea")

        self.run(both())

    @rule()
    def reconciled_is_as_built_from_nothing(self) -> None:
        down, self.embedder.down = self.embedder.down, False
        with tempfile.TemporaryDirectory() as aside:

            async def compare() -> None:
                await self.memory.reconcile()
                await embed_all(self.memory, self.memory.index)
                built = await fresh(self.memory, Path(aside))
                await embed_all(self.memory, built)
                try:
                    ours, theirs = await content(self.memory.index), await content(built)
                finally:
                    await built.close()
                for part in theirs:
                    assert ours[part] == theirs[part], part
                vectors, rows, chunks = next(iter(ours["counts"]))
                assert vectors <= chunks and rows == chunks

            self.run(compare())
        self.embedder.down = down


Rebuild.TestCase.settings = settings(
    max_examples=int(os.environ.get("SAM_EXAMPLES", "12")),
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestRebuild = Rebuild.TestCase


async def compare(memory: Memory, aside: Path) -> None:
    built = await fresh(memory, aside)
    assert (await chunks(memory.index)) == (await chunks(built))
    await built.close()


async def test_a_note_that_grows_keeps_the_passages_that_it_had(tmp_path: Path) -> None:
    """Their texts and vectors are kept, and their line numbers updated."""

    def note(*parts: str) -> None:
        sections = [f"## {part}\n\nThe {part} of the kitchen.\n" for part in parts]
        write(tmp_path, "a.md", "\n".join(sections))

    async def standing() -> list[tuple[Any, ...]]:
        asked = (
            "SELECT id, start_line, embedded, heading FROM chunk WHERE path = 'a.md' ORDER BY ord"
        )
        db = await memory.index.db()
        return await db.read(lambda db: [tuple(row) for row in db.execute(asked).fetchall()])

    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        note("tea", "cake", "cat", "cat")
        await memory.reconcile()
        assert await memory.embeddings.embed(100) == 0
        tea, cake, cat, again = await standing()
        note("tea", "dog", "cat", "cat", "garden")
        await memory.reconcile()
        now = await standing()
        assert [now[0], now[2], now[3]] == [tea, cat, again]
        assert [row[2] for row in now] == [1, 0, 1, 1, 0] and cake not in now
        assert min(now[1][0], now[4][0]) > again[0], "none is given twice"

        note("garden", "cat", "tea")
        await memory.reconcile()
        garden, cat_now, tea_now = await standing()
        assert [garden[0], cat_now[0], tea_now[0]] == [now[4][0], cat[0], tea[0]]
        built = await fresh(memory, tmp_path / "aside")
        assert (await content(memory.index))["words"] == (await content(built))["words"]
        lines = [row[1] for row in await standing()]
        assert lines == [1, 5, 9] and (garden[2], cat_now[2]) == (0, 1)
        await built.close()


async def test_what_is_deleted_and_renamed_leaves_the_index(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        for name in ("a.md", "b.md"):
            write(tmp_path, name, f"tea in {name}")
        await memory.reconcile()
        (tmp_path / "vault" / "a.md").unlink()
        (tmp_path / "vault" / "b.md").rename(tmp_path / "vault" / "c.md")
        await memory.reconcile()
        assert {hit.path for hit in (await memory.recall("tea")).hits} == {"c.md"}
        await compare(memory, tmp_path / "aside")


async def test_a_log_that_was_set_back_and_went_on_is_noticed(tmp_path: Path) -> None:
    copy = tmp_path / "older.db"
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "tea one", "cake one")
    shutil.copy(tmp_path / "data" / "log.db", copy)
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "tea two", "cake two")
        await memory.reconcile()
    for name in ("log.db-wal", "log.db-shm"):
        (tmp_path / "data" / name).unlink(missing_ok=True)
    shutil.copy(copy, tmp_path / "data" / "log.db")
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "tea three", "cake three")
        await memory.reconcile()
        texts = {hit.text for hit in (await memory.recall("tea cake", limit=20)).hits}
        assert texts == {"tea one", "cake one", "tea three", "cake three"}
        await compare(memory, tmp_path / "aside")


async def test_another_version_does_not_take_the_index_from_a_running_sam(tmp_path: Path) -> None:
    with RunLock(tmp_path / "data" / "run.lock"):
        async with opened(tmp_path) as memory:
            await log_exchange(memory, "tea one", "cake one")
            await memory.reconcile()
            with pytest.raises(StoreError, match="restart"):
                async with opened(tmp_path, sole=False, chunk_chars=500):
                    pass
            assert (await memory.recall("tea")).hits[0].text == "tea one"
    async with opened(tmp_path, sole=False, chunk_chars=500) as other:
        assert (await other.recall("tea")).hits[0].text == "tea one"


_CHILD = """
import asyncio, sys
from pathlib import Path
from memory.infra.failpoints import arm
from tests.support.memories import opened
async def main():
    async with opened(Path(sys.argv[1])) as memory:
        arm("in_rebuild:2")
        await memory.index.rebuild()
asyncio.run(main())
"""


async def test_a_kill_in_a_rebuild_leaves_the_old_index_serving(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        for number in range(250):
            write(tmp_path, f"notes/{number}.md", f"tea number {number}")
        await memory.catch_up()
        killed = await asyncio.to_thread(
            subprocess.run, [sys.executable, "-c", _CHILD, str(tmp_path)], check=False
        )
        assert killed.returncode == -9
        assert (await memory.recall("tea 249")).hits[0].text == "tea number 249"
        await memory.index.rebuild()
        built = await fresh(memory, tmp_path / "aside")
        assert (await chunks(built)) == (await chunks(memory.index))
        await built.close()


async def test_an_index_that_is_rebuilt_during_embedding_answers(tmp_path: Path) -> None:
    class Slow(WordEmbedder):
        async def embed(self, texts: Sequence[str], kind: InputType) -> Any:
            if kind == "query":
                await memory.index.rebuild()
            return await super().embed(texts, kind)

    async with opened(tmp_path, embedder=Slow()) as memory:
        await log_exchange(memory, "the wallaby likes quinces")
        await memory.reconcile()
        while await memory.embeddings.embed(16):
            pass
        found = await memory.recall("wallaby")
        assert [hit.text for hit in found.hits] == ["the wallaby likes quinces"]


async def test_changes_during_a_rebuild_are_in_the_new_index(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        memory.watching = True  # who tells of each change, and of each once
        (tmp_path / "vault" / "a.md").write_text("wallaby", "utf-8")
        await memory.reconcile()
        old = memory.index._generations.publish

        def publish(path: Path) -> None:
            (tmp_path / "vault" / "a.md").unlink()
            old(path)

        memory.index._generations.publish = publish  # type: ignore[method-assign]
        await memory.index.rebuild()
        assert (await memory.recall("wallaby")).hits == []


async def test_messages_that_somebody_else_has_indexed_meanwhile_are_not_put_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as memory:
        memory.watching = True
        await log_exchange(memory, "the wallaby likes quinces")
        since, asked = memory.log.changes.since, 0

        async def slowly(at: int, limit: int, may_wait: MayWait) -> Changed:
            nonlocal asked
            asked += 1
            page = await since(at, limit, may_wait)
            if asked == 1:
                await memory.log.messages.edit("test:0", "the badger likes quinces", START)
                await memory.index.reconcile([])
            return page

        monkeypatch.setattr(memory.log.changes, "since", slowly)
        await memory.index.reconcile([])
        assert {text for _, text in await chunks(memory.index)} == {"the badger likes quinces"}
        assert await memory.index.behind() == 0
