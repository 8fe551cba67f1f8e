"""The file of vectors that several workers share: filled, copied, cleared, replaced."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memory.core import Memory
from memory.index import Index, Shape, generation, vector_file
from memory.index.embedding_queue import EmbeddingQueue
from memory.profile import DataDir
from tests.support.memories import WordEmbedder, opened, write

LONG = """# Quince

The quince grows by the wall. It bears late. Ana planted it. It wants sun in the morning.
"""


class Worker:
    """The index of one of several workers, of the memory's notes and log."""

    def __init__(self, memory: Memory, cache: Path, model: str = "one") -> None:
        self.memory, self.cache, self.embedder = memory, cache, WordEmbedder(model=model)

    async def __aenter__(self) -> Worker:
        memory = self.memory
        shape = Shape(self.embedder.identity, str(memory.zone), 1500, memory.settings.sam_dir)
        files = DataDir(memory.profile.data, self.cache)
        stores = (memory.vault, memory.log, shape, memory.zone, memory.clock)
        self.index = await Index.open(files, *stores, sole=False)
        self.queue = EmbeddingQueue(self.index, self.embedder, cache=True)
        await self.embeds()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.index.close()

    async def embeds(self) -> None:
        await self.index.reconcile()
        while await self.queue.embed(20):
            pass


def shared(memory: Memory, kind: str) -> int:
    """Return how many vectors of a kind are in the file."""
    with closing(sqlite3.connect(memory.profile.files.vectors)) as db:
        query = "SELECT count(*) FROM embedding WHERE input_type = ?"
        return int(db.execute(query, (kind,)).fetchone()[0])


async def test_a_text_is_embedded_by_one_worker(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, "a.md", LONG)
        async with Worker(memory, tmp_path / "one") as one:
            await one.queue.query("where is the quince?")
            assert any("grows by the wall" in text for text in one.embedder.texts)
        counts = {kind: shared(memory, kind) for kind in ("document", "sentences", "query")}
        assert all(counts.values()), counts
        async with (
            Worker(memory, tmp_path / "two") as two,
            Worker(memory, tmp_path / "three") as three,
        ):
            await two.queue.query("where is the quince?")
            assert two.embedder.texts == three.embedder.texts == []
            write(tmp_path, "b.md", "# Medlar\n\nBy the gate.\n")
            await two.embeds()
            await three.embeds()
            assert len(two.embedder.texts) == 1 and three.embedder.texts == []


async def test_forgotten_texts_leave_no_vector(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, "a.md", "# Quince\n\nBy the wall. It bears late.\n")
        write(tmp_path, "b.md", "# Medlar\n\nBy the gate. It bears early.\n")
        async with Worker(memory, tmp_path / "cache") as worker:
            await worker.queue.query("where is the quince?")
            await worker.index.close()
        before = shared(memory, "document")
        async with Worker(memory, tmp_path / "cache") as worker:
            await worker.queue.query("and the medlar?")
            (tmp_path / "vault" / "a.md").unlink()
            await worker.index.reconcile()
            async with worker.index.unbuilt(timeout=10):
                await worker.index.forget()
        assert 0 < shared(memory, "document") < before
        assert shared(memory, "query") == 0


@pytest.mark.parametrize("damage", [b"", b"no database" * 1000])
async def test_a_damaged_file_is_replaced(tmp_path: Path, damage: bytes) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, "a.md", "# Quince\n\nBy the wall.\n")
        async with Worker(memory, tmp_path / "one"):
            pass
        before = shared(memory, "document")
        memory.profile.files.vectors.write_bytes(damage)
        async with Worker(memory, tmp_path / "two") as worker:
            assert worker.embedder.texts
        assert shared(memory, "document") == before


async def test_vectors_outlast_other_rules_for_questions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, "a.md", LONG)
        async with Worker(memory, tmp_path / "one"):
            pass
        with closing(sqlite3.connect(memory.profile.files.vectors)) as db:
            [(made_with,)] = db.execute("SELECT value FROM made_with").fetchall()
        for module in (generation, vector_file):
            monkeypatch.setattr(module, "CLASSIFIER", "of another version", raising=False)
        async with Worker(memory, tmp_path / "two") as two:
            assert two.embedder.texts == []
    assert made_with == "1/3/test/one/64", "files of earlier versions are used too"


async def test_vectors_of_another_model_are_not_used(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, "a.md", "# Quince\n\nBy the wall.\n")
        async with (
            Worker(memory, tmp_path / "one") as one,
            Worker(memory, tmp_path / "two", "two") as two,
        ):
            assert len(one.embedder.texts) == len(two.embedder.texts) > 0
        assert shared(memory, "document") == len(two.embedder.texts)
