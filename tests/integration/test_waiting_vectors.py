"""While passages wait to be embedded, search and /status say how many and for how long."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.assistant import Assistant
from bot.assistant.status import brief
from memory.embedding import consent
from tests.support.homes import Home
from tests.support.memories import Clock, WordEmbedder, opened, write


async def test_a_search_says_how_many_passages_wait_and_how_long(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        for number in range(60):
            write(
                tmp_path, f"notes/{number}.md", f"# Tree {number}\n\nA quince by wall {number}.\n"
            )
        await memory.catch_up()
        left = await memory.embeddings.embed(10)
        found = await memory.recall("quince")
        assert found.mode == "hybrid" and left > 50
        assert found.degraded and f"{left} of {left + 10} passages" in found.degraded
        assert "less than a minute of work left" in found.degraded

        while left > 20:
            left = await memory.embeddings.embed(10)
        assert (await memory.recall("quince")).degraded is None, "the last few are no news"


async def test_one_message_that_waits_is_no_news(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        write(tmp_path, "one.md", "# Quince\n\nBy the wall.\n")
        await memory.catch_up()
        await memory.embeddings.embed(100)
        write(tmp_path, "two.md", "# Medlar\n\nBy the gate.\n")
        await memory.catch_up()
        assert (await memory.recall("quince")).degraded is None


async def test_the_status_says_how_many_passages_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ours(*_: object) -> tuple[None, WordEmbedder]:
        return None, WordEmbedder()

    monkeypatch.setattr(consent, "embedder", ours)
    home = Home(tmp_path, EMBEDDING_PROVIDER="local")
    home.write("soul.md", "# Soul\n\nBe kind.\n")
    for number in range(30):
        home.write(f"{number}.md", f"# Tree {number}\n\nA quince by wall {number}.\n")
    async with AsyncExitStack() as stack:
        profile = await Assistant.open(home.settings(), stack, poke=lambda _: None, clock=Clock())
        await profile.memory.catch_up()
        assert "Not yet by meaning: 31 passages." in "\n".join(await brief(profile, well=True))
        await profile.memory.embeddings.embed(20)
        assert "I search by keyword and by meaning." in await brief(profile, well=True)
