"""If any part of recall hangs, the turn still answers in time and says what is missing."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.assistant import Assistant
from bot.assistant.job_requests import no_jobs
from bot.turn import Done, Notice
from memory import Said
from memory.infra.file_locks import locked
from memory.search import HANGS, SLOW
from tests.fakes.claude import FakeClaude
from tests.fakes.embeddings import FakeEmbeddings
from tests.support.homes import Home
from tests.support.memories import Clock
from tests.support.telegram import NOON

SECONDS = 2.0  # enough for the words alone, on a busy machine too
ENOUGH = 50.0  # a hanging step takes longer than this; the first turn also imports the SDK


@pytest.fixture
async def claude() -> AsyncIterator[FakeClaude]:
    async with FakeClaude.running() as fake:
        yield fake


async def profile_of(
    folder: Path, stack: AsyncExitStack, claude: FakeClaude, **given: object
) -> Assistant:
    home = Home(folder)
    home.write("soul.md", "# Soul\n")
    home.write("walrus.md", "# Walrus\n\nThe walrus is called Otto.\n")
    settings = home.settings(
        **{"recall_seconds": SECONDS, **given},
        anthropic_base_url=claude.url,
        anthropic_api_key="sk-test",
    )
    profile = await Assistant.open(settings, stack, poke=no_jobs, clock=Clock(NOON))
    await profile.memory.reconcile()
    return profile


async def asked(profile: Assistant, text: str) -> tuple[Done, list[str], float]:
    """Return the answer, the notices, and the seconds it took."""
    turn = await profile.turns.begin(Said(text, "terminal", text, NOON))
    began, notices, done = time.monotonic(), [], None
    async for event in profile.turns.answer(turn):
        if isinstance(event, Notice):
            notices.append(event.text)
        done = event if isinstance(event, Done) else done
    assert done is not None
    return done, notices, time.monotonic() - began


async def test_an_embedder_that_hangs_leaves_the_words(tmp_path: Path, claude: FakeClaude) -> None:
    claude.responds_with("Otto.")
    async with AsyncExitStack() as stack, FakeEmbeddings.running() as embeddings:
        profile = await profile_of(
            tmp_path,
            stack,
            claude,
            embedding_provider="openai",
            embedding_api_key="sk-test",
            embedding_base_url=embeddings.url,
        )
        await profile.memory.embeddings.embed(100)

        async def hangs(text: str) -> tuple[bytes | None, str]:
            await asyncio.sleep(60)
            raise AssertionError

        profile.memory.embeddings.ask = hangs  # type: ignore[method-assign]
        done, notices, took = await asked(profile, "What is the walrus called?")
        assert done.text == "Otto." and took < ENOUGH
        assert notices == [f"My memory: {SLOW}."]
        assert "Otto" in str(claude.requests[-1].messages), "found by its words"
        told = f"(Your memory: {SLOW}.)"
        assert told in str(claude.requests[-1].messages), "so that it does not deny what it lacks"


async def test_a_refused_key_is_told_in_one_sentence(tmp_path: Path, claude: FakeClaude) -> None:
    claude.responds_with("Otto.")
    async with AsyncExitStack() as stack, FakeEmbeddings.running() as embeddings:
        profile = await profile_of(
            tmp_path,
            stack,
            claude,
            embedding_provider="openai",
            embedding_api_key="sk-test",
            embedding_base_url=embeddings.url,
        )
        await profile.memory.embeddings.embed(100)
        embeddings.fails(401, times=None)
        _, notices, _ = await asked(profile, "What is the walrus called?")
        said = [each.partition("the key: ")[2] for each in notices]
        assert said == ["set EMBEDDING_API_KEY again."], "with one full stop"


async def test_a_lock_that_is_held_is_not_waited_for(tmp_path: Path, claude: FakeClaude) -> None:
    claude.responds_with("Otto.")
    async with AsyncExitStack() as stack:
        profile = await profile_of(tmp_path, stack, claude)
        (profile.memory.vault.root / "new.md").write_text("# New\n", "utf-8")
        async with locked(profile.memory.profile.files.index_lock):
            done, notices, took = await asked(profile, "What is the walrus called?")
        assert done.text == "Otto." and took < ENOUGH
        assert notices in ([f"My memory: {SLOW}."], [])


async def test_a_disk_that_hangs_is_answered_without_memory(
    tmp_path: Path, claude: FakeClaude
) -> None:
    claude.responds_with("I do not know.")
    free = threading.Event()
    async with AsyncExitStack() as stack:
        profile = await profile_of(tmp_path, stack, claude)
        db = await profile.memory.index.db()
        hanging = asyncio.create_task(db.read(lambda _: free.wait(60)))
        await asyncio.sleep(0.1)
        try:
            done, notices, took = await asked(profile, "What is the walrus called?")
        finally:
            free.set()
            await hanging
        assert done.text == "I do not know." and took < ENOUGH
        assert notices == [f"My memory: {HANGS}."]


async def test_a_memory_that_answers_says_nothing_of_it(tmp_path: Path, claude: FakeClaude) -> None:
    claude.responds_with("Otto.")
    async with AsyncExitStack() as stack:
        profile = await profile_of(tmp_path, stack, claude, recall_seconds=60)
        _, notices, _ = await asked(profile, "What is the walrus called?")
        assert notices == []
