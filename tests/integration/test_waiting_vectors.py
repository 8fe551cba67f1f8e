"""While passages wait to be embedded, search, answers and /status say how many and for how long."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.assistant import Assistant
from bot.assistant.job_requests import no_jobs
from bot.assistant.status import brief
from bot.cli.commands import search as command
from bot.turn import Done
from memory import DataDir, Memory, Said
from memory.embedding import consent
from memory.infra import RunLock
from memory.text import speaking
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


def home_of_trees(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Return a home with 31 notes, and a fake embedder."""

    async def ours(*_: object) -> tuple[None, WordEmbedder]:
        return None, WordEmbedder()

    monkeypatch.setattr(consent, "embedder", ours)
    home = Home(folder, EMBEDDING_PROVIDER="local")
    home.write("soul.md", "# Soul\n\nBe kind.\n")
    for number in range(30):
        home.write(f"{number}.md", f"# Tree {number}\n\nA quince by wall {number}.\n")
    return home


async def answered(profile: Assistant, text: str) -> str:
    """Return the answer to a message, with the notices before it."""
    turn = await profile.turns.begin(Said(text, "terminal", text, profile.memory.clock()))
    events = [event async for event in profile.turns.answer(turn)]
    shown = [each.shown for each in events if isinstance(each, Done)]
    assert isinstance(events[-1], Done)
    await profile.turns.finish(turn, events[-1], profile.memory.clock())
    return "\n".join(shown)


async def test_an_answer_says_so_to_a_question_for_which_it_has_nothing_certain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = home_of_trees(tmp_path, monkeypatch)
    async with AsyncExitStack() as stack:
        profile = await Assistant.open(home.settings(), stack, poke=no_jobs, clock=Clock())
        await profile.memory.catch_up()
        await profile.memory.embeddings.embed(2)
        said = await answered(profile, "When does the ferry leave?")
        assert "My memory: 29 of 31 passages can be found by their words so far" in said
        assert said.endswith("less than a minute of work left.")
        with speaking("de"):
            said = await answered(profile, "Wann legt die Fähre ab?")
        assert "Mein Gedächtnis: 3" in said and said.endswith("einer Minute Rechenzeit.")
        assert "passages" not in await answered(profile, "Where is the quince of wall 7?")
        assert "passages" not in await answered(profile, "I had pasta with Ana.")
        await profile.memory.embeddings.embed(100)
        assert "passages" not in await answered(profile, "When does the tram leave?")


async def test_the_status_says_how_many_passages_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = home_of_trees(tmp_path, monkeypatch)
    async with AsyncExitStack() as stack:
        profile = await Assistant.open(home.settings(), stack, poke=lambda _: None, clock=Clock())
        await profile.memory.catch_up()
        assert "Not yet by meaning: 31 passages." in "\n".join(await brief(profile, well=True))
        await profile.memory.embeddings.embed(20)
        assert "I search by keyword and by meaning." in await brief(profile, well=True)


def test_sam_search_says_what_waits_and_how_to_complete_it_unless_a_running_sam_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = home_of_trees(tmp_path, monkeypatch)
    monkeypatch.setattr(command, "load", home.settings)

    def searched() -> str:
        """Return what `sam search quince` prints besides the hits."""
        parser = argparse.ArgumentParser()
        command.arguments(parser)
        assert command.run(parser.parse_args(["quince"])) == 0
        out, err = capsys.readouterr()
        assert "A quince by wall" in out
        return err

    async def embed(count: int) -> None:
        async with Memory.open(home.settings()) as memory:
            await memory.catch_up()
            await memory.embeddings.embed(count)

    asyncio.run(embed(29))
    told = "(2 of 31 passages cannot be found by meaning yet, only by words: `sam index`"
    assert searched() == f"{told} completes that)\n", "few, but nothing else will embed them"
    with RunLock(DataDir(home.data).run_lock):
        assert searched() == ""
    asyncio.run(embed(100))
    assert searched() == ""
