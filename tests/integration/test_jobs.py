"""The table of jobs, and its scheduler, with real timers and stores."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from bot.assistant import Assistant, scheduler
from bot.assistant.job_requests import no_jobs
from bot.assistant.jobs import JOBS, Job
from bot.assistant.scheduler import Jobs
from bot.assistant.unprompted import Speak, SpeakTo
from bot.media.files import KEPT, MediaFiles
from memory.errors import SummaryError
from memory.infra.clock import system_clock
from memory.infra.file_locks import locked
from memory.log import Said
from tests.support.homes import Home
from tests.support.memories import Clock, log_exchange
from tests.support.notifications import must_not_notify, must_not_notify_profile
from tests.support.verbatim_summaries import Echo

SOON = 60.0  # seconds within which something immediate has happened
NOW = datetime(2026, 2, 12, 12, 0, tzinfo=UTC)


@asynccontextmanager
async def a_profile(
    folder: Path, clock: Clock | None = None, **given: Any
) -> AsyncIterator[Assistant]:
    async with AsyncExitStack() as stack:
        settings = Home(folder).settings(**given)
        yield await Assistant.open(settings, stack, poke=no_jobs, clock=clock or system_clock)


class Runs:
    """A job that counts its runs."""

    def __init__(self, work: Callable[[], Awaitable[None]] | None = None) -> None:
        self.count = 0
        self._work = work
        self.began = asyncio.Event()

    async def __call__(self, profile: Assistant, speak: Speak) -> None:
        self.count += 1
        self.began.set()
        if self._work is not None:
            await self._work()

    async def reach(self, count: int) -> None:
        async with asyncio.timeout(SOON):
            while self.count < count:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


def every_hour(run: Runs, **given: Any) -> Job:
    return Job("count", "counts", "every hour", run, minutes=lambda settings: 60, **given)


async def failing(profile: Assistant) -> dict[str, str | None]:
    """Return the errors of the jobs whose last run failed."""
    return {name: run.error for name, run in (await profile.memory.log.jobs.failing()).items()}


@asynccontextmanager
async def scheduled(
    profile: Assistant, *table: Job, speak: SpeakTo = must_not_notify_profile, **given: Any
) -> AsyncIterator[Jobs]:
    given.setdefault("others_turn", lambda: False)
    running = Jobs(profile.settings, system_clock, jobs=table, **given)
    await running.start({"owner": profile}, speak)
    try:
        yield running
    finally:
        await running.close()


async def settled(profile: Assistant, name: str = "count") -> None:
    """Wait until no run of that job is open."""

    async def is_open() -> bool:
        run = (await profile.memory.log.jobs.latest()).get(name)
        return run is not None and run.ended_at is None

    async with asyncio.timeout(SOON):
        while await is_open():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_jobs_do_not_wait_for_a_time_of_a_clock_that_was_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine starts with the time of its hardware, two hours ahead, and is corrected."""
    ahead = timedelta(hours=2)
    monkeypatch.setattr(scheduler, "LOOK", 0.01)
    monkeypatch.setattr(scheduler, "_now", lambda: datetime.now(UTC) + ahead)
    async with a_profile(tmp_path) as profile:
        run = Runs()
        often = Job("count", "counts", "every second", run, minutes=lambda settings: 1)
        async with scheduled(profile, often, minute=timedelta(seconds=1)):
            await asyncio.sleep(0.1)
            assert run.count == 0
            ahead = timedelta()
            await run.reach(2)


async def test_a_job_runs_when_it_is_poked_and_not_before(tmp_path: Path) -> None:
    async with a_profile(tmp_path) as profile:
        run = Runs()
        async with scheduled(profile, every_hour(run)) as running:
            await asyncio.sleep(0.1)
            assert run.count == 0
            running.poke("count")
            await run.reach(1)
            await settled(profile)
            running.poke("count")
            await run.reach(2)
            running.poke("unknown")
        assert (await profile.memory.log.jobs.latest())["count"].error is None


async def test_another_time_zone_counts_without_a_restart(tmp_path: Path) -> None:
    """As the owner gives it in the introduction, or edits user.md in Obsidian."""
    async with a_profile(tmp_path) as profile:
        daily = Job("list", "lists", "at nine", Runs(), at=time(9))
        run = Runs()
        async with scheduled(profile, every_hour(run, follows_zone=True), daily) as running:
            vault = profile.memory.vault
            note = "---\ntimezone: Asia/Tokyo\n---\n"
            await vault.edit(vault.own("user.md"), lambda _: note, cause="owner")
            running.poke("count")
            await run.reach(1)
            assert str(profile.memory.zone) == "Asia/Tokyo"
            planned = (await running.times(profile))["list"] + timedelta(seconds=1)  # of two clocks
            assert planned.astimezone(ZoneInfo("Asia/Tokyo")).hour == 9
            await log_exchange(profile.memory, "The otter is here", "Oh.", chat="telegram:7")
            await profile.memory.summarise(Echo(), reason="asked")
            day = profile.memory.clock().astimezone(ZoneInfo("Asia/Tokyo")).date()
            assert await vault.read(profile.memory.day_path(day))


async def test_at_the_start_runs_what_wants_to_and_what_was_missed(tmp_path: Path) -> None:
    async with a_profile(tmp_path) as profile:
        first = Runs()
        async with scheduled(profile, every_hour(first, at_start=True)):
            await first.reach(1)
        await settled(profile)
        again = Runs()
        async with scheduled(profile, every_hour(again)):
            await asyncio.sleep(0.1)
            assert again.count == 0, "its hour is not over"
        late = Jobs(
            profile.settings,
            lambda: system_clock() + timedelta(hours=2),
            others_turn=lambda: False,
            jobs=(every_hour(again),),
        )
        await late.start({"owner": profile}, must_not_notify_profile)
        await again.reach(1)
        await late.close()


@pytest.mark.parametrize("has_run", [False, True])
async def test_a_daily_job_whose_hour_the_machine_is_off_runs_at_the_start(
    tmp_path: Path, has_run: bool
) -> None:
    """As on a laptop that is on by day alone, from the first day on."""
    night = (system_clock() - timedelta(hours=2)).replace(minute=0)
    clock = Clock(night - timedelta(hours=18))
    async with a_profile(tmp_path, clock, timezone="UTC") as profile:
        run = Runs()
        daily = Job("count", "counts", "at night", run, at=time(night.hour))
        async with scheduled(profile, daily):
            await asyncio.sleep(0.1)
            assert run.count == 0, "Sam is new"
        await log_exchange(profile.memory, "Hello", "Hello.", chat="telegram:7")
        if has_run:
            runs = profile.memory.log.jobs
            await runs.end(await runs.begin("count"))
        clock.now = system_clock()
        async with scheduled(profile, daily):
            await run.reach(1)
            await settled(profile)
        async with scheduled(profile, daily):
            await asyncio.sleep(0.1)
            assert run.count == 1, "it has run since its hour"


async def test_a_run_at_another_second_moves_no_later_one(tmp_path: Path) -> None:
    """A reminder is sent at its minute, whenever Sam was started."""
    async with a_profile(tmp_path) as profile:
        run = Runs()
        while system_clock().second < 5:  # noqa: ASYNC110
            await asyncio.sleep(0.2)
        async with scheduled(profile, every_hour(run, at_start=True, punctual=True)) as running:
            for count in (1, 2):
                await run.reach(count)
                await settled(profile)
                planned = (await running.times(profile))["count"] + timedelta(seconds=1)
                assert planned.second < 3  # of two clocks
                running.poke("count")


async def test_the_same_job_of_many_profiles_runs_at_many_seconds(tmp_path: Path) -> None:
    async def never(profile: Assistant, speak: Speak) -> None:
        pytest.fail("it is only planned")

    def seconds(job: Job) -> list[int]:
        """Return when it runs next for each of sixty profiles, in seconds from now."""
        jobs = Jobs(Home(tmp_path).settings(), system_clock, others_turn=lambda: False)
        now = datetime.now(UTC)
        found = []
        for number in range(60):
            trigger = jobs._trigger(job, cast(Assistant, SimpleNamespace(name=f"guest{number}")))
            at = trigger.get_next_fire_time(None, now)
            again = trigger.get_next_fire_time(at, at)
            period = timedelta(minutes=job.minutes(jobs._settings) or 0) if job.minutes else None
            assert now < at <= now + period and again - at == period
            found.append(at.second)
        return found

    for minutes in (1, 10):
        job = Job("count", "counts", "often", never, minutes=lambda settings, m=minutes: m)
        found = seconds(job)
        assert max(found.count(second) for second in found) <= 6 and len(set(found)) > 30
        assert sorted(seconds(job)) == sorted(found), "the same after a restart"
        assert set(seconds(replace(job, punctual=True))) == {0}


@asynccontextmanager
async def four_profiles(folder: Path, *jobs: Job) -> AsyncIterator[None]:
    """Run the jobs for four profiles at once."""
    async with AsyncExitStack() as stack:
        profiles = []
        for number in range(4):
            profile = await stack.enter_async_context(a_profile(folder / str(number)))
            profile.name = f"guest{number}"
            profiles.append(profile)
        async with scheduled(profiles[0], *jobs) as running, asyncio.timeout(SOON):
            for profile in profiles[1:]:
                await running.add(profile)
            for profile in profiles:
                for job in jobs:
                    running.poke(job.name, profile.name)
            yield


async def test_paced_jobs_of_many_profiles_begin_one_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "PACE", 1.0)
    asked: dict[str, list[float]] = {}
    begun = set()

    async def due(profile: Assistant) -> bool:
        """Record the time: it is asked at once, and again when the pace allows it."""
        asked.setdefault(profile.name, []).append(asyncio.get_running_loop().time())
        return True

    async def run(profile: Assistant, speak: Speak) -> None:
        begun.add(profile.name)
        while len(begun) < 4:  # noqa: ASYNC110
            await asyncio.sleep(0.01)  # the others do not wait for its end

    summary = Job("summary", "", "", run, minutes=lambda settings: 60, due=due, paced=True)
    async with four_profiles(tmp_path, summary):
        while len(begun) < 4:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    times = sorted(again for _, again in asked.values())
    assert all(later - earlier > 0.99 for earlier, later in pairwise(times))


async def test_other_jobs_wait_for_no_paced_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "PACE", 3600)
    begun: dict[str, set[str]] = {"summary": set(), "reminder": set()}

    def table(name: str, **given: Any) -> Job:
        async def run(profile: Assistant, speak: Speak) -> None:
            begun[name].add(profile.name)

        return Job(name, "", "", run, minutes=lambda settings: 60, **given)

    async with four_profiles(tmp_path, table("summary", paced=True), table("reminder")):
        while not begun["summary"] or len(begun["reminder"]) < 4:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert len(begun["summary"]) == 1


async def test_no_job_runs_twice_at_once_and_a_poke_meanwhile_is_not_lost(tmp_path: Path) -> None:
    async with a_profile(tmp_path) as profile:
        gate = asyncio.Event()
        running_now = 0

        async def work() -> None:
            nonlocal running_now
            running_now += 1
            assert running_now == 1
            await gate.wait()
            running_now -= 1

        run = Runs(work)
        async with scheduled(profile, every_hour(run, at_start=True)) as running:
            await run.reach(1)
            for _ in range(5):
                running.poke("count")
            await asyncio.sleep(0.2)
            assert run.count == 1
            gate.set()
            await run.reach(2)
            await asyncio.sleep(0.2)
            assert run.count == 2, "five pokes want one more run"


async def test_no_job_runs_while_another_process_is_at_it(tmp_path: Path) -> None:
    async with a_profile(tmp_path) as profile:
        run = Runs()
        lock = locked(profile.memory.profile.data / "job-count.lock")
        async with scheduled(profile, every_hour(run)) as running, lock:
            running.poke("count")
            await asyncio.sleep(0.3)
            assert run.count == 0
        async with scheduled(profile, every_hour(run, at_start=True), others_turn=lambda: True):
            await asyncio.sleep(0.2)
            assert run.count == 0


async def test_a_failure_is_recorded_shown_and_tried_again(tmp_path: Path) -> None:
    async with a_profile(tmp_path) as profile:
        wrong: list[Exception] = [ZeroDivisionError("of our own"), SummaryError("the model sleeps")]

        async def work() -> None:
            if wrong:
                raise wrong.pop()

        run = Runs(work)
        retry = timedelta(seconds=2)  # the failure is looked at before that
        async with scheduled(profile, every_hour(run, at_start=True), retry=retry):
            await run.reach(1)
            await settled(profile)
            assert (await failing(profile))["count"] == "the model sleeps"
            await run.reach(2)
            await settled(profile)
            assert "ZeroDivisionError" in str((await failing(profile))["count"])
            await run.reach(3)
            await settled(profile)
            assert await failing(profile) == {}


async def test_what_is_not_due_is_neither_run_nor_recorded(tmp_path: Path) -> None:
    async with a_profile(tmp_path) as profile:
        run = Runs()

        async def never(profile: Assistant) -> bool:
            return False

        async with scheduled(profile, every_hour(run, at_start=True, due=never)):
            await asyncio.sleep(0.2)
        assert run.count == 0
        assert await profile.memory.log.jobs.latest() == {}


async def test_a_failed_check_is_reported_until_it_succeeds(tmp_path: Path) -> None:
    """As of tasks.md that cannot be read: no reminder would come, and nothing would say so."""
    async with a_profile(tmp_path) as profile:
        wrong: list[Exception] = [SummaryError("tasks.md cannot be read"), ZeroDivisionError()]
        checks = asyncio.Event()

        async def check(profile: Assistant) -> bool:
            checks.set()
            if wrong:
                raise wrong[0]
            return False

        run = Runs()
        async with scheduled(profile, every_hour(run, at_start=True, due=check)) as running:
            for said in ("tasks.md cannot be read", "unexpected ZeroDivisionError, see the log"):
                async with asyncio.timeout(SOON):
                    await checks.wait()
                await settled(profile)
                await running.finish("count")
                assert (await failing(profile))["count"] == f"in its check: {said}"
                wrong.pop(0)
                checks.clear()
                running.poke("count")
            async with asyncio.timeout(SOON):
                await checks.wait()
            await running.finish("count")
            assert await failing(profile) == {}
        assert run.count == 0


async def test_a_check_that_failed_before_a_restart_is_cleared_by_one_that_succeeds(
    tmp_path: Path,
) -> None:
    async with a_profile(tmp_path) as profile:
        wrong: list[Exception] = [SummaryError("tasks.md cannot be read")]

        async def check(profile: Assistant) -> bool:
            if wrong:
                raise wrong[0]
            return False

        async def fails() -> None:
            raise SummaryError("the model sleeps")

        run, other = Runs(), Runs(fails)
        table = every_hour(run, due=check), replace(every_hour(other), name="other")
        async with scheduled(profile, *table) as running:
            await running.finish("count")
            await running.finish("other")
            assert len(await failing(profile)) == 2
        wrong.clear()
        table = table[0], replace(table[1], due=check)
        async with scheduled(profile, *table) as running:
            await running.finish("count")
            await running.finish("other")
        assert list(await failing(profile)) == ["other"], "a run that failed stays"
        assert run.count == 0


@pytest.mark.parametrize("restart", [False, True])
async def test_a_failed_run_is_over_once_nothing_is_left_to_do(
    tmp_path: Path, restart: bool
) -> None:
    """As when `sam summarize` did what the end of the day could not."""
    async with a_profile(tmp_path) as profile:
        is_due = is_left = True

        async def due(profile: Assistant) -> bool:
            return is_due

        async def left(profile: Assistant) -> bool:
            return is_left

        async def fails() -> None:
            raise SummaryError("the model sleeps")

        run = Runs(fails)
        jobs = every_hour(run, due=due, left=left), replace(every_hour(run, due=due), name="other")
        async with AsyncExitStack() as stack:
            running = await stack.enter_async_context(scheduled(profile, *jobs))
            await running.finish("count")
            await running.finish("other")
            assert len(await failing(profile)) == 2
            if restart:
                await stack.aclose()
                running = await stack.enter_async_context(scheduled(profile, *jobs))
            is_due = False
            await running.finish("count")
            assert len(await failing(profile)) == 2, "the work waits to be tried again"
            is_left = False
            await running.finish("count")
            await running.finish("other")
            assert list(await failing(profile)) == ["other"]
        assert run.count == 2


async def test_closing_ends_what_runs(tmp_path: Path) -> None:
    async with a_profile(tmp_path) as profile:
        ended = asyncio.Event()

        async def work() -> None:
            try:
                await asyncio.sleep(60)
            finally:
                ended.set()

        run = Runs(work)
        async with scheduled(profile, every_hour(run, at_start=True)):
            await run.reach(1)
        assert ended.is_set()
        assert (await profile.memory.log.jobs.latest())["count"].ended_at is None


# ── the table ────────────────────────────────────────────────────────────────────────────────────


def test_no_job_stands_in_the_hour_that_some_days_lack() -> None:
    assert all(job.at is None or not time(1, 59) < job.at < time(3, 1) for job in JOBS)
    assert all((job.at is None) != (job.minutes is None) for job in JOBS)
    assert len({job.name for job in JOBS}) == len(JOBS)


async def test_what_is_off_is_not_planned(tmp_path: Path) -> None:
    async with a_profile(tmp_path, heartbeat_minutes=0) as profile:
        minutes = {job.name: job.minutes and job.minutes(profile.settings) for job in JOBS}
        assert minutes["heartbeat"] is None and minutes["sync"] is None
        async with scheduled(profile, *JOBS) as running:
            running.poke("heartbeat")
            running.poke("sync")
            await asyncio.sleep(0.2)
        assert "heartbeat" not in await profile.memory.log.jobs.latest()


async def say(profile: Assistant, count: int, at: datetime) -> None:
    """Log that many messages of the owner, each in a finished turn."""
    for number in range(count):
        said = Said(f"k{at}{number}", "terminal", f"I live at number {number}.", at)
        turn = await profile.memory.log.messages.begin(said)
        await profile.memory.log.messages.stop(turn.id)


def by_name(name: str) -> Job:
    return next(job for job in JOBS if job.name == name)


async def test_summaries_are_due_at_the_threshold_or_when_wanted(tmp_path: Path) -> None:
    async with a_profile(tmp_path, Clock(NOW), summary_threshold=3) as profile:
        job = by_name("summarise")
        await say(profile, 2, NOW)
        assert not await job.due(profile)
        profile.job_requests.request_summary("new")
        assert await job.due(profile)
        await job.run(profile, must_not_notify)
        assert profile.job_requests.summary == "" and not await job.due(profile)
        profile.job_requests.request_summary("new")
        assert not await job.due(profile) and profile.job_requests.summary == "", (
            "nothing is left to summarise"
        )
        await say(profile, 3, NOW + timedelta(seconds=1))
        assert await job.due(profile)


async def test_a_summary_wanted_while_one_is_written_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_profile(tmp_path, Clock(NOW)) as profile:
        summarise = Assistant.summarise

        async def late(self: Assistant, reason: str) -> object:
            done = await summarise(self, reason)
            await say(profile, 1, NOW + timedelta(seconds=1))
            profile.job_requests.request_summary("new")
            return done

        monkeypatch.setattr(Assistant, "summarise", late)
        job = by_name("summarise")
        await say(profile, 2, NOW)
        await job.run(profile, must_not_notify)
        assert profile.job_requests.summary == "new" and await job.due(profile)


async def test_the_end_of_a_day_takes_past_days_alone(tmp_path: Path) -> None:
    clock = Clock(NOW)
    async with a_profile(tmp_path, clock) as profile:
        job = by_name("end-of-day")
        await say(profile, 2, NOW)
        assert not await job.due(profile)
        clock.forward(days=1)
        await say(profile, 1, clock.now)
        assert await job.due(profile)
        await job.run(profile, must_not_notify)
        assert not await job.due(profile)
        assert await profile.memory.log.batches.pending() == 1
        assert "I live at" in await profile.memory.vault.read("memories/2026-02-12.md")


async def test_a_message_of_a_past_day_that_comes_meanwhile_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(NOW)
    async with a_profile(tmp_path, clock) as profile:
        await say(profile, 2, NOW)
        clock.forward(days=1)
        summarise = Assistant.summarise

        async def late(self: Assistant, reason: str) -> object:
            done = await summarise(self, reason)
            await say(profile, 1, NOW + timedelta(seconds=1))
            return done

        monkeypatch.setattr(Assistant, "summarise", late)
        job = by_name("end-of-day")
        await job.run(profile, must_not_notify)
        assert await job.due(profile), "it is there for the next run"


async def test_a_shorter_silence_summarises_six_messages_or_more(tmp_path: Path) -> None:
    clock = Clock(NOW)
    async with a_profile(tmp_path, clock, summary_idle_minutes=60) as profile:
        job = by_name("idle")
        await say(profile, 5, NOW)
        clock.forward(hours=2)
        assert not await job.due(profile), "five are too few"
        await say(profile, 1, clock.now)
        assert not await job.due(profile), "it is not silent yet"
        clock.forward(minutes=60)
        assert await job.due(profile)
        await job.run(profile, must_not_notify)
        assert await profile.memory.log.batches.pending() == 0
        assert not await job.due(profile)


async def test_a_short_chat_is_summarised_after_three_hours(tmp_path: Path) -> None:
    clock = Clock(NOW)
    async with a_profile(tmp_path, clock, summary_idle_minutes=60) as profile:
        job = by_name("idle")
        assert not await job.due(profile), "nothing was said"
        await say(profile, 1, NOW)
        clock.forward(hours=2, minutes=59)
        assert not await job.due(profile)
        clock.forward(minutes=1)
        assert await job.due(profile)
        await job.run(profile, must_not_notify)
        assert await profile.memory.log.batches.pending() == 0
        assert not await job.due(profile)


async def test_the_heartbeat_beats_in_active_hours_alone(tmp_path: Path) -> None:
    clock = Clock(NOW)
    async with a_profile(tmp_path, clock, active_hours="08-22", timezone="Asia/Tokyo") as profile:
        assert await by_name("heartbeat").due(profile), "12:00 UTC is 21:00 in Tokyo"
        clock.forward(hours=1)
        assert not await by_name("heartbeat").due(profile)


async def test_the_heartbeat_is_planned_as_often_as_is_set(tmp_path: Path) -> None:
    async with a_profile(tmp_path, heartbeat_minutes=45) as profile:
        minutes = by_name("heartbeat").minutes
        assert minutes is not None and minutes(profile.settings) == 45


async def test_a_reminder_is_said_by_the_scheduler(tmp_path: Path) -> None:
    said: list[str] = []

    async def speak(name: str, text: str, **beside: object) -> None:
        assert name == "owner"
        said.append(text)

    async with a_profile(tmp_path) as profile:
        note = profile.memory.vault.root / "tasks.md"
        at = profile.memory.clock().astimezone(profile.memory.zone)
        note.write_text(f"- [ ] Pay the rent (@{at:%Y-%m-%d %H:%M})\n", "utf-8")
        async with scheduled(profile, by_name("remind"), speak=speak) as running:
            running.poke("remind")
            async with asyncio.timeout(SOON):
                while not said:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            await settled(profile, "remind")
    assert said == ["⏰ Pay the rent"]


@pytest.mark.parametrize("name", ["reconcile", "upkeep"])
async def test_the_index_is_brought_up_to_date(tmp_path: Path, name: str) -> None:
    async with a_profile(tmp_path) as profile:
        profile.memory.watching = True  # so that recall does not scan by itself
        await profile.memory.reconcile()
        (profile.memory.vault.root / "new.md").write_text("# New\n\nA walrus.\n")
        assert (await profile.memory.recall("walrus")).hits == []
        await by_name(name).run(profile, must_not_notify)
        assert (await profile.memory.recall("walrus")).hits[0].path == "new.md"


async def test_files_that_came_long_ago_are_deleted_at_the_start(tmp_path: Path) -> None:
    [job] = [job for job in JOBS if job.name == "media"]
    async with a_profile(tmp_path) as profile:
        files = MediaFiles(profile.memory.profile.files.media)
        files.folder.mkdir()
        old, new = files.path(7, 1, ".jpg"), files.path(7, 2, ".jpg")
        for path, age in ((old, KEPT + timedelta(hours=1)), (new, KEPT - timedelta(hours=1))):
            path.write_bytes(b"x")
            then = (system_clock() - age).timestamp()
            os.utime(path, (then, then))
        async with scheduled(profile, job), asyncio.timeout(SOON):
            while old.exists():  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert new.exists()
