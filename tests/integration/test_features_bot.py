"""Features of the whole bot on real stores, SDKs and rclone; only the remote APIs are fakes."""

from __future__ import annotations

import asyncio
import shlex
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.app import running
from bot.assistant import Assistant
from bot.assistant.job_requests import no_jobs
from bot.assistant.jobs import JOBS
from bot.assistant.scheduler import Jobs
from bot.sync import rclone
from memory.infra.clock import system_clock
from memory.log import Said
from memory.tools.memory_tools import MemoryTools
from tests.fakes.claude import FakeClaude
from tests.fakes.embeddings import FakeEmbeddings
from tests.support.homes import ROOT, Home
from tests.support.memories import Clock
from tests.support.notifications import must_not_notify, must_not_notify_profile

NOON = datetime(2026, 2, 12, 12, 0, tzinfo=UTC)
SOON = 60.0  # seconds; rclone is a separate process


@pytest.fixture
async def claude() -> AsyncIterator[FakeClaude]:
    async with FakeClaude.running() as fake:
        yield fake


def home_of(folder: Path) -> Home:
    """Return a home with a vault in use."""
    home = Home(folder)
    home.write("soul.md", "# Soul\n\nBe kind.\n")
    return home


@asynccontextmanager
async def a_profile(
    home: Home, clock: Callable[[], datetime], **given: Any
) -> AsyncIterator[Assistant]:
    async with AsyncExitStack() as stack:
        yield await Assistant.open(home.settings(**given), stack, poke=no_jobs, clock=clock)


async def ask(profile: Assistant, text: str, at: datetime, chat: str = "terminal") -> str:
    """Run a whole turn; return the logged answer."""
    turn = await profile.turns.begin(Said(f"{chat}:{at}:{text}", chat, text, at))
    done = None
    async for event in profile.turns.answer(turn):
        done = event
    await profile.turns.finish(turn, done, at)  # type: ignore[arg-type]
    return done.text  # type: ignore[union-attr]


def with_claude(fake: FakeClaude) -> dict[str, Any]:
    return {"anthropic_api_key": "sk-test", "anthropic_base_url": fake.url}


async def until(true: Callable[[], object], what: str) -> None:
    try:
        async with asyncio.timeout(SOON):
            while not true():  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    except TimeoutError:
        pytest.fail(f"never came: {what}")


async def test_from_the_vault_through_voyage_and_the_search_tool_to_claude(
    tmp_path: Path, claude: FakeClaude
) -> None:
    home = home_of(tmp_path)
    home.write("garden.md", "# Garden\n\nThe tomatoes want water every second evening.\n")
    claude.calls("search_memory", {"query": "watering tomatoes"}, when="garden", then="Evenings.")
    async with FakeEmbeddings.running() as voyage:
        given = {
            "embedding_provider": "voyage",
            "voyage_api_key": "pa-test",
            "voyage_base_url": voyage.url,
        }
        async with a_profile(home, Clock(), **with_claude(claude), **given) as profile:
            await profile.memory.catch_up()
            while await profile.memory.embeddings.embed(50):
                pass
            assert {request.input_type for request in voyage.answered} == {"document"}
            assert await ask(profile, "What does my garden need?", NOON) == "Evenings."
            assert "query" in {request.input_type for request in voyage.answered}
            counts = await profile.memory.index.counts()
            assert counts["waiting"] == 0 or counts["messages"]
            found = await profile.memory.recall("watering tomatoes")
            assert found.mode == "hybrid"
            db = await profile.memory.index.db()
            [(size,)] = await db.read(
                lambda reading: reading.execute(
                    "SELECT DISTINCT length(embedding) / 4 FROM chunk_vec"
                ).fetchall()
            )
            assert size == 1024
    [result] = claude.requests[-1].tool_results
    assert "every second evening" in result.text and "garden.md" in result.text


async def test_yesterday_is_yesterday_where_the_owner_is(
    tmp_path: Path, claude: FakeClaude
) -> None:
    """At noon in London it is one in the morning of the 13th in Auckland."""
    home = home_of(tmp_path)
    home.write("user.md", "---\ntimezone: Pacific/Auckland\n---\n")
    home.write("memories/2026-02-11.md", "# Memories — 2026-02-11\n\n- It snowed\n")
    home.write("memories/2026-02-12.md", "# Memories — 2026-02-12\n\n- It rained\n")
    home.write("memories/2026-02-13.md", "# Memories — 2026-02-13\n\n- It shines\n")
    async with a_profile(home, Clock(NOON), **with_claude(claude)) as profile:
        await ask(profile, "Hello", NOON)
        (request,) = claude.requests
        assert "It rained" in request.system_text
        assert "It snowed" not in request.system_text and "It shines" not in request.system_text
        today = request.newest_texts[0].partition("## Today\n\n")[2]
        assert "It shines" in today and "It rained" not in today
        assert "Sent Friday, 2026-02-13 01:00 (Pacific/Auckland)" in request.newest_texts[0]


async def test_what_leaves_the_context_is_written_into_the_days_file(
    tmp_path: Path, claude: FakeClaude
) -> None:
    """Overflow of the context triggers a summary, however few messages are pending."""
    home, clock = home_of(tmp_path), Clock(NOON)
    claude.answers(lambda request: "Noted, " + "indeed " * 40)
    claude.summaries(
        lambda request: {
            "summary": "Numbers",
            "bullets": [{"text": "Ana likes numbers", "messages": [1], "quote": "the number"}],
        }
    )
    given = {"history_tokens": 500, "summary_threshold": 1000}
    async with a_profile(home, clock, **with_claude(claude), **given) as profile:
        [job] = (job for job in JOBS if job.name == "summarise")
        for number in range(12):
            assert not await job.due(profile) or profile.job_requests.summary == "overflow"
            await ask(profile, f"I like the number {number}.", clock.now)
            clock.forward(minutes=1)
            if profile.job_requests.summary:
                break
        assert profile.job_requests.summary == "overflow" and await job.due(profile)
        await job.run(profile, must_not_notify)
        assert "Ana likes numbers" in await profile.memory.vault.read("memories/2026-02-12.md")
        assert len(claude.requests[-1].messages) > 0


async def test_what_sam_writes_is_on_the_remote_at_once(tmp_path: Path, claude: FakeClaude) -> None:
    """The job runs after every answer, and pushes a summary and a task without delay."""
    home, far = home_of(tmp_path), tmp_path / "far"
    far.mkdir()
    claude.summaries(
        lambda request: {
            "summary": "Numbers",
            "bullets": [{"text": "Ana counted", "messages": [1], "quote": "number"}],
        }
    )
    settings = home.settings(rclone_remote=str(far), **with_claude(claude))
    jobs = Jobs(settings, system_clock, others_turn=lambda: False)
    async with AsyncExitStack() as stack:
        profile = await Assistant.open(settings, stack, clock=system_clock, poke=jobs.poke)
        await jobs.start({"owner": profile}, must_not_notify_profile)
        try:
            await until((far / "soul.md").exists, "the first sync")
            now = system_clock()
            for number in range(9):
                await ask(profile, f"number {number}", now + timedelta(seconds=number))
            assert await profile.memory.log.batches.pending() == 18
            assert not list(far.glob("memories/2*.md")), "eighteen are not twenty"
            await ask(profile, "number 9", now + timedelta(seconds=10))
            await until(
                lambda: any("Ana counted" in p.read_text() for p in far.glob("memories/2*.md")),
                "the summary on the remote",
            )
            await MemoryTools(profile.memory).manage_tasks("add", "Buy apples")
            await until(lambda: "Buy apples" in _text(far / "tasks.md"), "the task on the remote")
            assert (await profile.memory.log.ledger()).messages == {"closed": 20}
        finally:
            await jobs.close()


def _text(path: Path) -> str:
    return path.read_text("utf-8") if path.exists() else ""


async def test_the_remote_is_looked_at_every_five_minutes(tmp_path: Path) -> None:
    home, far = home_of(tmp_path), tmp_path / "far"
    far.mkdir()
    [job] = (job for job in JOBS if job.name == "sync")
    clock = Clock(NOON)
    async with a_profile(home, clock, rclone_remote=str(far)) as profile:
        assert job.minutes is not None and job.minutes(profile.settings) == 5
        await job.run(profile, must_not_notify)
        (far / "shopping.md").write_text("Quinces\n", "utf-8")
        clock.forward(minutes=5)
        await job.run(profile, must_not_notify)
        assert (home.vault / "shopping.md").read_text("utf-8") == "Quinces\n"
        assert (await profile.memory.recall("quinces")).hits[0].path == "shopping.md"
    assert job.minutes(home.settings()) is None, "without a remote there is nothing to look at"


async def test_a_note_that_is_saved_in_an_editor_is_found_without_a_restart(
    tmp_path: Path,
) -> None:
    home = home_of(tmp_path)
    async with running(home.settings(), sole=True) as sam:
        memory = sam.main.memory
        async with asyncio.timeout(SOON):
            while not memory.watching:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        home.write("garden.md", "The tomatoes want water.\n")
        async with asyncio.timeout(SOON):
            while not (await memory.index.counts())["chunks"] > 1:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert (await memory.recall("tomatoes")).hits[0].path == "garden.md"


def test_the_index_command_embeds_all_notes_with_no_key(tmp_path: Path) -> None:
    home = Home(tmp_path, EMBEDDING_PROVIDER="local")
    home.write("soul.md", "# Soul\n\nBe kind.\n")
    home.write("garden.md", "# Garden\n\nThe tomatoes want water every second evening.\n")
    done = home.sam("index")
    assert done.returncode == 0, done.stderr
    assert "0 without a vector" in done.stdout
    found = home.sam("search", "when", "do", "I", "have", "to", "irrigate", "--json").stdout
    assert '"mode": "hybrid"' in found and "garden.md" in found


def test_summaries_have_haiku_twenty_messages_and_room_to_think(tmp_path: Path) -> None:
    settings = Home(tmp_path).settings()
    assert settings.summary_threshold == 20
    assert settings.summary_model == "claude-haiku-5-5"
    assert settings.summary_max_tokens > 1024


def test_the_guide_to_google_drive_makes_a_remote(tmp_path: Path) -> None:
    """Run the guide's commands with the real rclone, without contacting Google."""
    guide = (ROOT / "docs" / "google-drive.md").read_text("utf-8")
    config = tmp_path / "rclone.conf"
    environment = {"RCLONE_CONFIG": str(config), "PATH": "", "HOME": str(tmp_path)}

    def rclone_says(*words: str) -> str:
        done = subprocess.run(
            [str(rclone.find()), *words],
            capture_output=True,
            text=True,
            env=environment,
            check=True,
            timeout=60,
        )
        return done.stdout

    commands = [shlex.split(row) for row in guide.splitlines() if row.startswith("rclone ")]
    assert [words[1] for words in commands] == ["authorize", "config", "mkdir", "lsd"]
    asked, make, *_ = commands
    usage = rclone_says("authorize", "--help")
    assert "client_id client_secret" in usage and asked[2:] == [
        "drive",
        "CLIENT_ID",
        "CLIENT_SECRET",
    ]
    token = '{"access_token":"a","refresh_token":"r","expiry":"2026-01-01T00:00:00Z"}'
    rclone_says(*(word.replace("TOKEN", token) for word in make[1:]))
    made = config.read_text("utf-8")
    for line in ("[drive]", "type = drive", "client_id = CLIENT_ID", "scope = drive\n", token):
        assert line in made
    for warning in ("seven days", "Publish the app", "invalid_grant", "Desktop app"):
        assert warning in guide
