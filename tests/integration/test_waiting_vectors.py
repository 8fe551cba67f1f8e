"""While passages wait to be embedded, search results say how many and for how long."""

from __future__ import annotations

from pathlib import Path

from tests.support.memories import WordEmbedder, opened, write


async def test_a_search_says_how_many_passages_wait_and_how_long(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        for number in range(60):
            write(
                tmp_path, f"notes/{number}.md", f"# Tree {number}\n\nA quince by wall {number}.\n"
            )
        await memory.catch_up()
        left = await memory.embeddings.some(10)
        found = await memory.recall("quince")
        assert found.mode == "hybrid" and left > 50
        assert found.degraded and f"{left} of {left + 10} passages" in found.degraded
        assert "less than a minute of work left" in found.degraded

        while left > 20:
            left = await memory.embeddings.some(10)
        assert (await memory.recall("quince")).degraded is None, "the last few are no news"


async def test_one_message_that_waits_is_no_news(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        write(tmp_path, "one.md", "# Quince\n\nBy the wall.\n")
        await memory.catch_up()
        await memory.embeddings.some(100)
        write(tmp_path, "two.md", "# Medlar\n\nBy the gate.\n")
        await memory.catch_up()
        assert (await memory.recall("quince")).degraded is None
