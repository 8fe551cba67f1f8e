"""Features of memory that cross packages: persistence, the index, following changes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memory.core import Memory
from tests.support.memories import Clock, WordEmbedder, log_exchange, opened, write

GARDEN = "# Garden\n\nTomatoes want water.\n\n## Beds\n\nPumpkins climb.\n"
STARTER = Path(__file__).parents[2] / "vault"


async def embedded(memory: Memory) -> None:
    while await memory.embeddings.embed(16):
        pass


async def rows(memory: Memory, query: str) -> list[tuple[object, ...]]:
    db = await memory.index.db()
    return await db.read(lambda reading: [tuple(row) for row in reading.execute(query).fetchall()])


async def test_what_was_said_outlives_sessions_and_restarts(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await log_exchange(memory, "My cat is called Miso", "Lovely.")
        await memory.end_session("terminal", clock.now)
    clock.forward(days=40)
    async with opened(tmp_path, clock=clock) as memory:
        await log_exchange(memory, "What is my cat called?", chat="telegram:7")
        found = await memory.recall("cat called", filter="conversations")
        assert "My cat is called Miso" in [hit.text for hit in found.hits]


async def test_files_are_the_truth_and_the_index_comes_back_from_them(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, "garden.md", "# Garden\n\nTomatoes want water.\n")
        await log_exchange(memory, "My cat is called Miso")
        assert (await memory.recall("tomatoes")).hits[0].path == "garden.md"
        write(tmp_path, "garden.md", "# Garden\n\nPumpkins want water.\n")
        await memory.reconcile()
        assert (await memory.recall("tomatoes")).hits == []
        assert (await memory.recall("pumpkins")).hits[0].path == "garden.md"
    shutil.rmtree(tmp_path / "data" / "index")
    async with opened(tmp_path) as memory:
        assert (await memory.recall("pumpkins")).hits[0].path == "garden.md"
        assert (await memory.recall("Miso")).hits[0].kind == "message"


async def test_each_table_of_the_index_holds_what_it_is_for(tmp_path: Path) -> None:
    write(tmp_path, "garden.md", GARDEN)
    async with opened(tmp_path, embedder=WordEmbedder(dimension=48)) as memory:
        await memory.reconcile()
        await embedded(memory)
        meta = dict(await rows(memory, "SELECT name, value FROM meta"))
        assert meta["dimension"] == "48" and meta["identity"] == "test/words"
        [(hash_, mtime)] = await rows(
            memory, "SELECT hash, mtime_ns FROM source WHERE path = 'garden.md'"
        )
        assert len(str(hash_)) == 64 and mtime is not None
        [(id_, text, place, lines)] = await rows(
            memory,
            "SELECT id, text, path || ' ' || heading, start_line || '-' || end_line FROM chunk"
            " WHERE text LIKE '%Pumpkins%'",
        )
        assert "Tomatoes" not in str(text)
        assert (place, lines) == ("garden.md Garden > Beds", "5-7")
        assert await rows(
            memory, "SELECT rowid FROM chunk_fts WHERE chunk_fts MATCH 'pumpkins'"
        ) == [(id_,)]
        [(size,)] = await rows(
            memory, f"SELECT length(embedding) / 4 FROM chunk_vec WHERE chunk_id = {id_}"
        )
        assert size == 48
        [(made,)] = await rows(memory, "SELECT sql FROM sqlite_master WHERE name = 'chunk_vec'")
        assert "vec0" in str(made) and "float[48] distance_metric=cosine" in str(made)


async def test_another_embedding_model_rebuilds_the_index_while_keywords_serve(
    tmp_path: Path,
) -> None:
    write(tmp_path, "garden.md", "# Garden\n\nTomatoes want water.\n")
    async with opened(tmp_path, embedder=WordEmbedder(dimension=64)) as memory:
        await memory.catch_up()
        await embedded(memory)
        assert (await memory.recall("tomatoes")).mode == "hybrid"
    for other in (WordEmbedder(64, "other"), WordEmbedder(32, "other")):
        async with opened(tmp_path, embedder=other, sole=False) as memory:
            found = await memory.recall("tomatoes")
            assert (found.mode, found.hits[0].path) == ("keywords", "garden.md")
            assert found.degraded
        async with opened(tmp_path, embedder=other) as memory:
            await memory.catch_up()
            assert (await memory.recall("tomatoes")).hits[0].path == "garden.md"
            await embedded(memory)
            assert other.texts, "nothing is taken over from another model"
            assert (await memory.recall("tomatoes")).mode == "hybrid"
            meta = dict(await rows(memory, "SELECT name, value FROM meta"))
            assert meta["dimension"] == str(other.identity.dimension)
            assert meta["identity"] == "test/other"


async def test_a_file_is_looked_at_before_a_search(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await memory.reconcile()
        memory.watching = True  # changes are reported to it, and there are no scans
        write(tmp_path, "garden.md", "Tomatoes want water.\n")
        assert (await memory.recall("tomatoes")).hits == []
        memory.changed(["garden.md"])
        assert (await memory.recall("tomatoes")).hits[0].path == "garden.md"


@pytest.mark.parametrize(
    ("note", "words"),
    [
        ("identity.md", ("**Name**", "**Creature**", "**Archetype**", "**Voice**", "**Emoji**")),
        ("user.md", ("timezone:", "## Preferences", "## Projects and goals", "## Routines")),
        ("soul.md", ("## Tone", "## Boundaries", "## Working together", "## When in doubt")),
    ],
)
def test_the_starters_files_ask_for_what_belongs_there(note: str, words: tuple[str, ...]) -> None:
    text = (STARTER / note).read_text("utf-8")
    assert [word for word in words if word not in text] == []
