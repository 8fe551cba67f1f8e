"""After an update that changes the layout of the index, unchanged texts keep their vectors."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from memory.core import Memory
from memory.errors import StoreError
from memory.index import generation
from memory.infra.file_locks import locked
from tests.support.memories import WordEmbedder, opened, write

QUINCE = "# Quince\n\nThe quince grows by the wall. Ana planted it in the autumn of last year.\n"


async def embedded(memory: Memory) -> None:
    await memory.catch_up()
    while await memory.embeddings.embed(50):
        pass


def cached(memory: Memory) -> int:
    """Return how many vectors the index keeps."""
    index = memory.profile.data / "index"
    name = (index / "current").read_text("utf-8").strip()
    with closing(sqlite3.connect(index / name)) as db:
        return int(db.execute("SELECT count(*) FROM embedding").fetchone()[0])


async def updated(
    folder: Path, monkeypatch: pytest.MonkeyPatch, embedder: WordEmbedder
) -> list[str]:
    """Open the memory with another layout; return the texts that were embedded."""
    monkeypatch.setattr(generation, "CHUNKER", "of another version")
    async with opened(folder, embedder=embedder) as memory:
        await embedded(memory)
        assert (await memory.recall("quince")).mode == "hybrid"
    return embedder.texts


async def test_texts_that_stayed_the_same_are_not_embedded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    write(tmp_path, "quince.md", QUINCE)
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        await embedded(memory)
    write(tmp_path, "medlar.md", "# Medlar\n\nIt stands by the gate.\n")
    with caplog.at_level(logging.WARNING):
        texts = await updated(tmp_path, monkeypatch, WordEmbedder())
    assert [text for text in texts if text != "quince"] == ["Medlar\nIt stands by the gate."]
    assert not caplog.records, "an update is no reason for a warning"


async def test_vectors_of_texts_that_are_gone_do_not_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "quince.md", QUINCE)
    write(tmp_path, "medlar.md", "# Medlar\n\nIt stands by the gate.\n")
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        await embedded(memory)
        before = cached(memory)
    (tmp_path / "vault" / "medlar.md").unlink()
    monkeypatch.setattr(generation, "CHUNKER", "of another version")
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        await memory.catch_up()
        assert cached(memory) == before - 1


async def test_vectors_of_another_embedder_are_not_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "quince.md", QUINCE)
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        await embedded(memory)
    for other in (WordEmbedder(64, "other"), WordEmbedder(32, "other")):
        assert any("planted" in text for text in await updated(tmp_path, monkeypatch, other))
        monkeypatch.undo()


async def test_an_index_without_a_table_of_vectors_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "quince.md", QUINCE)
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        await embedded(memory)
        index = memory.profile.data / "index"
    with closing(sqlite3.connect(index / (index / "current").read_text("utf-8").strip())) as db:
        db.execute("DROP TABLE embedding")
        db.commit()
    assert any("planted" in text for text in await updated(tmp_path, monkeypatch, WordEmbedder()))


async def test_who_travels_can_search_beside_the_running_sam(tmp_path: Path) -> None:
    write(tmp_path, "quince.md", QUINCE)
    async with (
        opened(tmp_path, embedder=WordEmbedder()) as memory,
        locked(memory.profile.files.run_lock),
    ):
        await embedded(memory)
        write(tmp_path, "user.md", "---\ntimezone: Asia/Tokyo\n---\n")
        memory.use_zone(ZoneInfo("Asia/Tokyo"))
        async with opened(tmp_path, embedder=WordEmbedder(), sole=False) as beside:
            assert str(beside.zone) == "Asia/Tokyo"
            assert (await beside.recall("quince")).mode == "hybrid"
        assert (await memory.recall("quince")).mode == "hybrid"
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        assert await memory.index.fits(), "built for the new zone at the next start"


async def test_another_version_is_not_searched_beside_the_running_sam(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as memory, locked(memory.profile.files.run_lock):
        monkeypatch.setattr(generation, "CHUNKER", "of another version")
        with pytest.raises(StoreError, match="restart it"):
            async with opened(tmp_path, sole=False):
                pass
