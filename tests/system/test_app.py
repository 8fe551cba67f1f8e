"""The whole of Sam in one process, also beside another: composition, running, shutdown."""

from __future__ import annotations

import asyncio
import logging
import signal
import stat
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot import logs
from bot.app import Sam, running, runtime
from bot.app.banner import banner
from bot.assistant.profiles import background
from bot.assistant.status import status_lines
from bot.setup import ollama
from memory import core
from memory.core import Memory
from memory.errors import LockHeld
from memory.infra.retry import Backoff
from memory.log import Said
from tests.fakes.claude import FakeClaude
from tests.fakes.embeddings import FakeEmbeddings
from tests.fakes.telegram import ANA, FakeTelegram
from tests.fakes.violations import assert_no_violations
from tests.support.homes import Home, no_process_is_left
from tests.support.memories import log_exchange
from tests.support.notifications import must_not_notify_profile

__all__ = ["no_process_is_left"]

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def own_rclone_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RCLONE_CONFIG", str(tmp_path / "rclone.conf"))
    (tmp_path / "rclone.conf").write_text("")


@asynccontextmanager
async def started(home: Home, *, sole: bool = False, **given: Any) -> AsyncIterator[Sam]:
    async with running(home.settings(**given), sole=sole) as sam:
        await sam.profiles.start(must_not_notify_profile)
        yield sam


async def until(true: Callable[[], Any], seconds: float = 60.0) -> None:
    """Wait until `true()`, which may be a coroutine function, is true."""
    async with asyncio.timeout(seconds):
        while True:
            found = true()
            if asyncio.iscoroutine(found):
                found = await found
            if found:
                return
            await asyncio.sleep(0.05)


async def test_what_the_owner_writes_is_recalled_within_seconds(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.write("old.md", "The walrus sleeps.\n")
    async with started(home) as sam:

        async def paths(words: str) -> list[str]:
            return [hit.path for hit in (await sam.main.memory.recall(words)).hits]

        assert await paths("walrus") == ["old.md"], "what was there before is there at once"
        home.write("new.md", "A narwhal came by.\n")
        await until(lambda: paths("narwhal"))
        (home.vault / "old.md").write_text("The badger sleeps.\n")

        async def changed() -> bool:
            return await paths("badger") == ["old.md"] and await paths("walrus") == []

        await until(changed)


async def test_the_first_question_waits_for_the_first_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Memory.catch_up

    async def slow(memory: Memory) -> Any:
        await asyncio.sleep(0.5)
        return await real(memory)

    monkeypatch.setattr(Memory, "catch_up", slow)
    monkeypatch.setattr(runtime, "LOOK_SECONDS", 60)  # on a busy machine too
    home = Home(tmp_path)
    home.write("old.md", "The walrus sleeps.\n")
    async with started(home) as sam:
        await until(lambda: sam.main.memory.watching)
        assert (await sam.main.memory.recall("walrus")).hits


async def test_new_messages_are_indexed_while_no_turn_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "QUEUE_PAUSE", 0.05)
    async with started(Home(tmp_path)) as sam:
        memory = sam.main.memory

        async def done() -> bool:
            return await memory.index.behind() == 0

        await log_exchange(memory, "A walrus came by", "Did it?")
        await until(done)  # the work after the start has ended
        async with memory.embeddings.paused():
            await asyncio.sleep(0.2)  # by now it waits for the turn to end
            await log_exchange(memory, "A narwhal came by", "Did it?")
            await asyncio.sleep(0.5)
            assert await memory.index.behind() == 2
        await until(done)


async def test_vectors_follow_by_themselves_and_stand_still_while_a_turn_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "QUEUE_PAUSE", 0.05)
    home = Home(tmp_path, EMBEDDING_PROVIDER="local")
    home.write("soul.md", "# Soul\n\nBe kind.\n")
    async with started(home) as sam:
        memory = sam.main.memory

        async def done() -> bool:
            counts = await memory.index.counts()
            return counts["chunks"] > 0 and counts["waiting"] == 0

        await until(done)
        assert (await memory.recall("friendly")).mode == "hybrid"
        async with memory.embeddings.paused():
            home.write("new.md", "A narwhal came by.\n")

            async def found() -> bool:
                return bool((await memory.recall("narwhal")).hits)

            await until(found)
            await asyncio.sleep(0.5)
            assert (await memory.index.counts())["waiting"] == 1
        await until(done)


async def test_a_provider_that_fails_is_asked_again_and_keywords_serve_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "QUEUE_DOWN", Backoff(0.05, 1.0))
    home = Home(tmp_path, EMBEDDING_PROVIDER="openai", EMBEDDING_API_KEY="k")
    home.write("soul.md", "# Soul\n\nBe kind.\n")
    async with FakeEmbeddings.running() as provider:
        provider.keys = {"another"}
        async with started(home, embedding_base_url=provider.url) as sam:
            memory = sam.main.memory
            await until(lambda: memory.embeddings.trouble)
            assert memory.embeddings.trouble in "\n".join(await status_lines(sam.main))
            assert (await memory.recall("soul")).mode == "keywords"
            provider.keys = None

            async def hybrid() -> bool:
                return (await memory.recall("soul")).mode == "hybrid"

            await until(hybrid)
            await until(lambda: not memory.embeddings.trouble)


async def test_work_that_fails_unexpectedly_begins_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(background, "AGAIN_SECONDS", 0.01)
    failures = [ZeroDivisionError(), ZeroDivisionError()]
    real = core.watch

    async def fragile(*args: Any, **given: Any) -> None:
        if failures:
            raise failures.pop()
        await real(*args, **given)

    monkeypatch.setattr(core, "watch", fragile)
    home = Home(tmp_path)
    home.write("a.md", "The walrus sleeps.\n")
    async with started(home) as sam:
        await until(lambda: not failures)
        await until(lambda: sam.main.memory.watching)
    assert "begins again" in caplog.text


async def test_a_second_sam_is_refused_and_a_chat_is_not(tmp_path: Path) -> None:
    home = Home(tmp_path)
    async with started(home, sole=True) as sam:
        assert runtime.is_running(sam.settings)
        with pytest.raises(LockHeld, match="running already"):
            async with started(home, sole=True):
                pass
        async with started(home) as chat:
            assert chat.jobs is not sam.jobs
    assert not runtime.is_running(home.settings())


async def test_beside_a_running_sam_a_chat_leaves_the_jobs_to_it(tmp_path: Path) -> None:
    home = Home(tmp_path)
    async with started(home, sole=True) as sam, started(home, summary_threshold=1) as chat:
        said = Said("k", "terminal", "Remember the milk.", NOON)
        await chat.main.turns.stop(await chat.main.turns.begin(said))
        await asyncio.sleep(0.5)
        assert await sam.main.memory.log.batches.pending() == 1, "the bot's threshold is 20"


async def test_each_of_the_family_has_stores_of_their_own(tmp_path: Path) -> None:
    home = Home(tmp_path)
    allowed = {1001: "owner", 1002: "ben"}
    far = {"rclone_remote": str(tmp_path / "far")}
    async with (
        started(home, sole=True, telegram_allowed_users=allowed, **far) as sam,
        AsyncExitStack() as stack,
    ):
        assert set(sam.profiles.names) == {"owner", "ben"}
        profile = await stack.enter_async_context(sam.profiles.use("ben"))
        ben = profile.memory
        assert ben.vault.root == tmp_path / "Sam" / "profiles" / "ben" / "vault"
        await ben.vault.edit("secret.md", lambda text: "A narwhal.\n", cause="test")
        assert (await ben.recall("narwhal")).hits
        assert not (await sam.main.memory.recall("narwhal")).hits
        assert sam.main.sync is not None
        bens = profile.sync
        assert bens is not None and bens.remote == str(tmp_path / "far-profiles/ben")


async def test_what_is_written_reaches_the_remote_at_once(tmp_path: Path) -> None:
    far = tmp_path / "far"
    home = Home(tmp_path)
    home.write("soul.md", "# Soul\n")
    async with started(home, rclone_remote=str(far), sync_interval_minutes=60) as sam:
        await until(lambda: (far / "soul.md").exists())
        edit = sam.main.memory.vault.edit
        await edit("memories/2026-11-21.md", lambda text: "# A day\n", cause="test")
        await until(lambda: (far / "memories" / "2026-11-21.md").exists())
        # Run it a second time, well before the interval has passed.
        await edit("MEMORY.md", lambda text: "# Memory\n", cause="test")
        await until(lambda: (far / "MEMORY.md").exists())


# ── `sam run` as a process ───────────────────────────────────────────────────────────────────────


def _serve(home: Home, *, until_it_says: str) -> tuple[subprocess.Popen[str], list[str]]:
    process = home.start("run")
    assert process.stdout is not None
    said: list[str] = []
    while not said or until_it_says not in said[-1]:
        line = process.stdout.readline()
        assert line, f"it ended: {process.communicate()}"
        said.append(line)
    return process, said


def test_run_answers_and_ends_in_order(tmp_path: Path) -> None:
    with FakeTelegram.running() as telegram, FakeClaude.running() as claude:
        home = Home(
            tmp_path, ANTHROPIC_BASE_URL=claude.url, ANTHROPIC_API_KEY="sk-secret", **telegram.env
        )
        home.env["LOG_LEVEL"] = "DEBUG"
        process, _ = _serve(home, until_it_says="leaves this machine")
        assert telegram.asks("hello", timeout=60).text == "All right."
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        assert "Traceback" not in err
        for secret in (telegram.token, "sk-secret"):
            assert secret not in out + err
        assert_no_violations(telegram)
    assert not runtime.is_running(home.settings())
    assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in home.data.rglob("*")), (
        "readable by others"
    )


def test_run_prints_a_code_and_the_one_who_sends_it_is_the_owner(tmp_path: Path) -> None:
    with FakeTelegram.running() as telegram:
        home = Home(tmp_path, **telegram.env | {"TELEGRAM_ALLOWED_USERS": ""})
        process, said = _serve(home, until_it_says="/pair ")
        code = said[-1].split("/pair ")[1].split()[0]
        assert "paired" in telegram.asks(f"/pair {code}", timeout=60).text
        telegram.wait_for(lambda t: "What should I call you?" in t.sent[-1].text, timeout=60)
        assert "Hello!" in telegram.asks("hello", timeout=60).text
        process.terminate()
        process.communicate(timeout=60)
        assert [sent.chat_id for sent in telegram.sent] == [ANA.id] * 3


def test_run_with_a_wrong_token_ends_with_2(tmp_path: Path) -> None:
    with FakeTelegram.running() as telegram:
        wrong = {"TELEGRAM_BOT_TOKEN": "999999:a-token-that-nobody-has-given"}
        done = Home(tmp_path, **telegram.env | wrong).sam("run")
        assert done.returncode == 2
        assert "@BotFather" in done.stderr and "Traceback" not in done.stderr
        assert "nobody-has-given" not in done.stderr + done.stdout


def test_a_second_run_says_who_runs(tmp_path: Path) -> None:
    with FakeTelegram.running() as telegram:
        home = Home(tmp_path, **telegram.env)
        process, _ = _serve(home, until_it_says="leaves this machine")
        second = home.sam("run")
        assert second.returncode == 1
        assert f"(process {process.pid})" in second.stderr
        process.terminate()
        process.communicate(timeout=60)


# ── the banner ───────────────────────────────────────────────────────────────────────────────────


async def test_the_banner_says_what_goes_where_and_what_to_add(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def yes() -> bool:
        return True

    monkeypatch.setattr(ollama, "PORT", 1)  # nothing listens there
    async with started(Home(tmp_path / "a")) as sam:
        text = "\n".join(await banner(sam.main))
        assert "leaves this machine: nothing" in text
        assert "ANTHROPIC_API_KEY" in text and "TELEGRAM_BOT_TOKEN" in text
        monkeypatch.setattr(ollama, "is_running", yes)
        text = "\n".join(await banner(sam.main))
        assert "setup --ollama` uses its model" in text
    more = {
        "anthropic_api_key": "sk-x",
        "voyage_api_key": "pa-x",
        "embedding_provider": "voyage",
        "telegram_bot_token": "424242:a-token-of-the-fake-telegram",
        "rclone_remote": "drive:Sam",
    }
    async with started(
        Home(tmp_path / "b", VOYAGE_BASE_URL="http://127.0.0.1:1/v1"), **more
    ) as sam:
        text = "\n".join(await banner(sam.main))
        for name in ("Anthropic", "voyage", "Telegram", "drive:Sam"):
            assert name in text.partition("leaves this machine:")[2]
        assert "add" not in text
        assert "sk-x" not in text and "pa-x" not in text
    other = {"embedding_provider": "openai", "embedding_api_key": "x"}
    home = Home(tmp_path / "c", EMBEDDING_BASE_URL="https://embeddings.invalid/v1")
    async with started(home, **other) as sam:
        text = "\n".join(await banner(sam.main))
        assert "notes and messages, to embeddings.invalid" in text


# ── logging ──────────────────────────────────────────────────────────────────────────────────────


def test_no_secret_is_logged_not_even_in_a_traceback(tmp_path: Path) -> None:
    settings = Home(tmp_path).settings(
        anthropic_api_key="sk-geheim", telegram_bot_token="424242:a-token-of-the-fake-telegram"
    )
    path = tmp_path / "data" / "chat.log"
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        root.handlers.clear()
        logs.start(settings, to_file=path)
        token = logs.turn_id.set(7)
        log = logging.getLogger("bot.test")
        log.info("key=%s", "sk-geheim")
        try:
            raise ValueError("https://api.telegram.org/bot424242:a-token-of-the-fake-telegram/x")
        except ValueError:
            log.exception("failed")
        logging.getLogger("httpx").info("HTTP Request: GET http://x/bot1:abc/getMe")
        logs.turn_id.reset(token)
    finally:
        for handler in root.handlers[:]:
            handler.close()
        root.handlers[:] = handlers
        root.setLevel(level)
        logging.captureWarnings(False)
    text = path.read_text()
    assert "geheim" not in text and "a-token" not in text and "httpx" not in text
    assert "turn=7 key=…" in text and "ValueError" in text


def test_the_start_is_quick(tmp_path: Path) -> None:
    """Not a benchmark: it only detects waiting for a network or a timeout."""
    home = Home(tmp_path)
    home.sam("chat")
    began = time.monotonic()
    assert home.sam("chat").returncode == 0
    assert time.monotonic() - began < 20
