"""Opening and closing profiles in this process, with real stores and jobs and short times."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.app import Sam, running
from bot.assistant import Assistant
from bot.assistant.job_requests import no_jobs
from bot.assistant.profiles import profiles as module
from bot.assistant.scheduler import Jobs
from memory import Memory, StoreError
from memory.log import Said
from tests.support.homes import Home
from tests.support.memories import Clock, log_exchange
from tests.support.notifications import must_not_notify_profile

FAMILY = {1001: "owner", 1002: "ann", 1003: "ben", 1004: "cem"}
QUIET = 25  # tenths of a second
NOON = datetime(2026, 2, 12, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SETTLE", 0.1)
    monkeypatch.setattr(module, "LOOK", 0.05)
    monkeypatch.setattr(module, "PERIOD", 0.2)


@asynccontextmanager
async def family(home: Home, **given: Any) -> AsyncIterator[Sam]:
    """Return a Sam with four people, whose profiles are closed; the owner's is open."""
    given = {"profile_idle_minutes": 60, "morning_list": False, "changes_at": "off"} | given
    settings = home.settings(telegram_allowed_users=FAMILY, **given)
    async with running(settings, sole=True) as sam:
        await sam.profiles.start(must_not_notify_profile)
        await until(lambda: all(home_of(home, name).exists() for name in ("ann", "ben", "cem")))
        quiet = 0
        while quiet < QUIET:  # a new profile is scanned twice
            quiet = 0 if len(sam.profiles.open) > 1 else quiet + 1
            await asyncio.sleep(0.1)
        yield sam


def home_of(home: Home, name: str) -> Path:
    return home.settings().profiles_dir / name / "data" / "log.db"


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_with_too_many_open_the_least_recently_used_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with family(Home(tmp_path)) as sam:
        for name in ("ben", "ann", "cem"):
            async with sam.profiles.use(name):
                pass
        await asyncio.sleep(1)
        assert len(sam.profiles.open) == 4, "their idle time is not over"
        monkeypatch.setattr(module, "MOST_OPEN", 3)
        await until(lambda: set(sam.profiles.open) == {"owner", "ann", "cem"})
        async with sam.profiles.use("ann"):
            pass
        async with sam.profiles.use("ben"):
            pass
        await until(lambda: set(sam.profiles.open) == {"owner", "ann", "ben"})


async def test_profiles_that_are_idle_at_once_are_closed_one_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with family(Home(tmp_path)) as sam:
        monkeypatch.setattr(module, "LOOK", 3600)  # the test makes the checks
        names = ("ann", "ben", "cem")

        async def use_all() -> None:
            """Return when all three are idle, and no job of theirs will start."""
            for name in names:
                async with sam.profiles.use(name):
                    pass
            for name in names:
                entry = sam.profiles._open[name]
                sam.jobs.remove(name)
                await until(lambda entry=entry: sam.profiles._is_idle(entry))
                while await entry.profile.memory.embeddings.waiting():  # noqa: ASYNC110
                    await asyncio.sleep(0.02)

        await use_all()
        monkeypatch.setattr(sam.profiles, "_idle", 0.0)
        assert [await sam.profiles._check() for _ in range(4)] == [1, 1, 1, 0]
        await use_all()
        monkeypatch.setattr(module, "MOST_OPEN", 1)
        assert await sam.profiles._check() == 3, "of too many, all are closed at one check"


async def test_a_profile_that_is_used_is_not_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with family(Home(tmp_path), profile_idle_minutes=0.001) as sam:
        async with sam.profiles.use("ann") as ann, sam.profiles.use("ann") as again:
            assert ann is again
            await asyncio.sleep(1)
            assert await ann.memory.log.began() is None, "its stores are open"
        await until(lambda: "ann" not in sam.profiles.open)


async def test_what_another_process_logs_opens_a_closed_profile(tmp_path: Path) -> None:
    """A turn logged by another process is indexed, although nobody writes to the profile here."""
    home = Home(tmp_path)
    async with family(home) as sam:
        opened: list[str] = []

        async def note(profile: Assistant) -> None:
            opened.append(profile.name)

        await sam.profiles.once_per_profile(note)
        await asyncio.sleep(0.5)
        assert opened == ["owner"], "a log that is only read opens nothing"
        async with Memory.open(home.settings(), profile="ann") as beside:
            said = Said("mcp:1", "mcp", "The walrus sleeps.", NOON)
            await beside.log.messages.begin(said)
        await until(lambda: "ann" in opened)
        await until(lambda: "ann" not in sam.profiles.open)
    assert opened == ["owner", "ann"]


async def test_one_that_cannot_be_opened_is_tried_again_and_holds_up_nobody(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    async with family(home) as sam:
        vault = home_of(home, "ann").parents[1] / "vault"
        vault.rename(vault.with_name("away"))
        with pytest.raises(StoreError, match="the memory of ann cannot be opened"):
            async with sam.profiles.use("ann"):
                pass
        async with sam.profiles.use("ben") as ben:
            assert ben.name == "ben"
        vault.with_name("away").rename(vault)
        async with sam.profiles.use("ann") as ann:
            assert ann.memory.vault.root == vault


# ── when a closed profile is opened ──────────────────────────────────────────────────────────


@asynccontextmanager
async def planned(folder: Path, clock: Clock, **given: Any) -> AsyncIterator[tuple[Any, Any]]:
    """Return a profile and its jobs, after their first runs."""
    async with AsyncExitStack() as stack:
        settings = Home(folder).settings(
            anthropic_api_key="a-key", timezone="UTC", active_hours="08-22", **given
        )
        profile = await Assistant.open(settings, stack, poke=no_jobs, clock=clock, name="ann")
        jobs = Jobs(settings, clock, others_turn=lambda: False)
        await jobs.start({"ann": profile}, must_not_notify_profile)
        try:
            await until(lambda: not jobs.is_busy("ann"))
            yield profile, jobs
        finally:
            await jobs.close()


DAILY = {"maintain", "exam", "media"}


async def test_an_idle_profile_is_opened_at_night_in_the_morning_and_for_its_list(
    tmp_path: Path,
) -> None:
    async with planned(tmp_path, Clock(NOON)) as (ann, jobs):
        times = await jobs.times(ann)
        assert set(times) == {*DAILY, "morning", "changes"}
        assert times["morning"] == NOON.replace(hour=8) + timedelta(days=1)
        assert times["changes"] == NOON.replace(hour=20)


async def test_it_is_opened_when_its_next_reminder_is_due(tmp_path: Path) -> None:
    async with planned(tmp_path, Clock(NOON), reminders_in_quiet_hours="wait") as (ann, jobs):

        async def writes(*moments: str) -> dict[str, datetime]:
            text = "".join(f"- [ ] {number} (@{at})\n" for number, at in enumerate(moments))
            await ann.memory.vault.edit("tasks.md", lambda _: text, cause="test")
            found: dict[str, datetime] = await jobs.times(ann)
            return found

        later = await writes("2026-02-14 09:30", "2026-02-13 07:15", "2026-02-13 10:00")
        assert later["remind"] == datetime(2026, 2, 13, 7, 15, tzinfo=UTC)
        assert "remind" not in await writes("2026-02-01 09:00"), "too old to be said"
        ann.memory.clock.now = datetime(2026, 2, 12, 23, 0, tzinfo=UTC)
        night = await writes("2026-02-12 22:30")
        assert night["remind"] == datetime(2026, 2, 13, 8, 0, tzinfo=UTC), "it waits for the day"
        ann.memory.clock.now = NOON
        at_once = await writes("2026-02-12 11:55")
        assert at_once["remind"] <= NOON + timedelta(minutes=1)


async def test_it_is_opened_for_the_checklist_and_for_what_is_pending(tmp_path: Path) -> None:
    given = {"summary_idle_minutes": 120, "heartbeat_minutes": 30}
    async with planned(tmp_path, Clock(NOON), **given) as (ann, jobs):
        checklist = lambda _: "- Is the oven off?\n"  # noqa: E731
        await ann.memory.vault.edit("heartbeat.md", checklist, cause="test")
        times = await jobs.times(ann)
        assert NOON < times["heartbeat"] <= NOON + timedelta(minutes=30)
        for number in range(3):
            await log_exchange(ann.memory, f"said {number}", f"heard {number}", at=NOON)
        times = await jobs.times(ann)
        assert times["idle"] == NOON + timedelta(minutes=120)
        assert NOON < times["end-of-day"] <= NOON + timedelta(days=1)
        ann.memory.clock.now = NOON.replace(hour=23)
        assert (await jobs.times(ann))["heartbeat"] == NOON.replace(hour=8) + timedelta(days=1)
