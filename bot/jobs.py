"""What Sam does by itself, and when: JOBS, on one AsyncIOScheduler. Knows no job's inside.

A job may be called too early, too late or twice and must end the same. It runs for each profile
by itself, never twice at once, not even in two processes; one that was missed runs late; one that
fails is written to the log, shown in /status, and tried again soon. No clock time here lies
between 02:00 and 03:00, an hour that some days have twice and some not at all.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from memory.clock import Clock, local_day, parse_utc
from memory.errors import LockHeld, SamError
from memory.locks import hold
from memory.log.records import JobRun

from .config import Settings
from .heartbeat import beat, is_awake
from .profile import Profile

if TYPE_CHECKING:
    from apscheduler.schedulers.asyncio import AsyncIOScheduler

log = logging.getLogger(__name__)

RETRY = timedelta(minutes=10)  # a provider that is down is seldom back within seconds
IDLE_LEAST = 6  # pending messages that are worth a summary of their own (DESIGN §3)


async def _always(profile: Profile) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Job:
    """One row of JOBS: either every so many `minutes` (None: never), or `at` a local time.

    `due` is asked first, and cheap: when it says no, nothing runs and nothing is recorded.
    """

    name: str
    what: str
    when: str
    run: Callable[[Profile], Awaitable[None]]
    minutes: Callable[[Settings], int | None] | None = None
    at: time | None = None
    due: Callable[[Profile], Awaitable[bool]] = _always
    at_start: bool = False


async def _enough_pending(profile: Profile) -> bool:
    pending = await profile.memory.log.batches.pending()
    return pending >= (1 if profile.wanted else profile.settings.summary_threshold)


async def _summarise(profile: Profile) -> None:
    await profile.summarise(profile.wanted or "threshold")
    profile.wanted = ""


async def _a_day_is_over(profile: Profile) -> bool:
    memory = profile.memory
    today = local_day(memory.clock(), memory.zone)
    return await memory.log.batches.pending(zone=memory.zone, before=today) > 0


async def _it_is_quiet(profile: Profile) -> bool:
    batches = profile.memory.log.batches
    last = await batches.last_pending_at()
    if last is None or await batches.pending() < IDLE_LEAST:
        return False
    silence = timedelta(minutes=profile.settings.summary_idle_minutes)
    return profile.memory.clock() - parse_utc(last) >= silence


async def _summarise_past_days(profile: Profile) -> None:
    await profile.summarise("day")


async def _summarise_after_silence(profile: Profile) -> None:
    await profile.summarise("idle")


async def _reconcile(profile: Profile) -> None:
    await profile.memory.reconcile()


async def _upkeep(profile: Profile) -> None:
    await profile.memory.catch_up()


async def _may_speak(profile: Profile) -> bool:
    memory = profile.memory
    return is_awake(memory.clock().astimezone(memory.zone), profile.settings.active_hours)


JOBS = (
    Job(
        "summarise",
        "when SUMMARY_THRESHOLD messages are pending, writes them into the day's file",
        "after each turn, at /new, and every minute",
        _summarise,
        minutes=lambda settings: 1,
        due=_enough_pending,
        at_start=True,
    ),
    Job(
        "end-of-day",
        "writes what is left of past days into their files",
        "at 00:05, and at the start",
        _summarise_past_days,
        at=time(0, 5),
        due=_a_day_is_over,
        at_start=True,
    ),
    Job(
        "idle",
        "after SUMMARY_IDLE_MINUTES of silence, writes what is pending (six messages or more)",
        "every 10 minutes",
        _summarise_after_silence,
        minutes=lambda settings: 10,
        due=_it_is_quiet,
    ),
    Job(
        "reconcile",
        "looks through the whole vault for what the file events did not tell",
        "every hour",
        _reconcile,
        minutes=lambda settings: 60,
    ),
    Job(
        "sync",
        "exchanges the vault with RCLONE_REMOTE",
        "after a summary, every SYNC_INTERVAL_MINUTES, and at the start",
        Profile.exchange,
        minutes=lambda s: s.sync_interval_minutes if s.rclone_remote else None,
        at_start=True,
    ),
    Job(
        "heartbeat",
        "reads heartbeat.md and the tasks that are due, and speaks when there is something to say",
        "every HEARTBEAT_MINUTES, within ACTIVE_HOURS",
        beat,
        minutes=lambda settings: settings.heartbeat_minutes or None,
        due=_may_speak,
    ),
    Job(
        "upkeep",
        "finishes what a crash has left: batches, transcripts, an index that does not fit",
        "at 04:10",
        _upkeep,
        at=time(4, 10),
    ),
)


class Jobs:
    """The running scheduler: `start`, `poke`, `close`."""

    def __init__(
        self,
        settings: Settings,
        profiles: Mapping[str, Profile],
        clock: Clock,
        *,
        others_turn: Callable[[], bool] = lambda: False,
        jobs: tuple[Job, ...] = JOBS,
        retry: timedelta = RETRY,
    ) -> None:
        """`others_turn` says that another process (`sam run`) does the jobs for now."""
        self._settings, self._profiles, self._clock = settings, profiles, clock
        self._others_turn, self._jobs, self._retry = others_turn, jobs, retry
        self._scheduler: AsyncIOScheduler | None = None
        self._running: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Plan every job, those first that were missed while Sam was down."""
        from apscheduler.schedulers.asyncio import AsyncIOScheduler

        self._scheduler = AsyncIOScheduler(
            timezone="UTC",
            job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1},
        )
        for profile in self._profiles.values():
            runs = await profile.memory.log.jobs.latest()
            for job in self._jobs:
                self._plan(job, profile, runs.get(job.name))
        self._scheduler.start()

    def _plan(self, job: Job, profile: Profile, last: JobRun | None) -> None:
        assert self._scheduler is not None
        from apscheduler.triggers.cron import CronTrigger
        from apscheduler.triggers.interval import IntervalTrigger

        trigger: Any
        if job.minutes is not None:
            minutes = job.minutes(self._settings)
            if minutes is None:
                return
            trigger, period = IntervalTrigger(minutes=minutes), timedelta(minutes=minutes)
        else:
            assert job.at is not None
            zone = profile.memory.zone
            trigger = CronTrigger(hour=job.at.hour, minute=job.at.minute, timezone=zone)
            period = timedelta(days=1)
        # A job that ran before, and should have run again by now, was missed: it runs at once.
        missed = last is not None and self._clock() - last.started_at >= period
        at_once = {"next_run_time": _now()} if job.at_start or missed else {}
        self._scheduler.add_job(
            self._run, trigger, (job, profile), id=_id(job.name, profile.name), **at_once
        )

    def poke(self, name: str, profile: str = "owner") -> None:
        """Let that job run now; while it runs already, or is off, nothing happens."""
        self._again(name, profile, timedelta())

    def _again(self, name: str, profile: str, after: timedelta) -> None:
        if self._scheduler is None:
            return
        job = self._scheduler.get_job(_id(name, profile))
        when = _now() + after
        if job is not None and (job.next_run_time is None or job.next_run_time > when):
            job.modify(next_run_time=when)

    async def _run(self, job: Job, profile: Profile) -> None:
        if self._others_turn() or not await job.due(profile):
            return
        task = asyncio.current_task()
        assert task is not None
        self._running.add(task)
        try:
            async with hold(profile.memory.settings.data_dir / f"job-{job.name}.lock", timeout=0):
                await self._recorded(job, profile)
        except LockHeld:
            log.debug("job=%s profile=%s runs in another process", job.name, profile.name)
        finally:
            self._running.discard(task)

    async def _recorded(self, job: Job, profile: Profile) -> None:
        runs = profile.memory.log.jobs
        run = await runs.started(job.name)
        try:
            await job.run(profile)
        except LockHeld as held:
            # Another process is at the very same thing: not a failure, and done when it is done.
            log.info("job=%s profile=%s: %s", job.name, profile.name, held)
            await runs.ended(run)
        except SamError as failed:
            log.warning("job=%s profile=%s failed: %s", job.name, profile.name, failed)
            await runs.ended(run, str(failed))
            self._again(job.name, profile.name, self._retry)
        except Exception as unexpected:
            # A bug in one job must not end the others; it is shown in /status like any failure.
            log.exception("job=%s profile=%s failed", job.name, profile.name)
            await runs.ended(run, f"unexpected {type(unexpected).__name__}: {unexpected}")
            self._again(job.name, profile.name, self._retry)
        else:
            await runs.ended(run)

    async def close(self) -> None:
        """Begin nothing more; what runs is cancelled (a job may be killed anywhere) and awaited."""
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=False)
            self._scheduler = None
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


def _now() -> datetime:
    """The scheduler lives on the machine's time, whatever clock the messages have."""
    return datetime.now(UTC)


def _id(job: str, profile: str) -> str:
    return f"{job}:{profile}"


async def failing(profile: Profile) -> dict[str, JobRun]:
    """The jobs whose last run failed, by name."""
    runs = await profile.memory.log.jobs.latest()
    return {name: run for name, run in runs.items() if run.error is not None}
