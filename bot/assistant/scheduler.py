"""Run the JOBS on one AsyncIOScheduler, for the terminal and Telegram alike.

Each job runs for each profile separately, and never twice at once, not even in two processes. A
missed job runs late; a failed one is recorded, shown in /status, and retried soon.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from memory import Clock, LockHeld, SamError
from memory.infra import locked
from memory.log import JobRun

from ..settings import Settings
from .assistant import Assistant
from .jobs import JOBS, Job
from .speak import Speak, SpeakTo

if TYPE_CHECKING:
    from apscheduler.schedulers.asyncio import AsyncIOScheduler

log = logging.getLogger(__name__)

MINUTE = timedelta(minutes=1)
RETRY = timedelta(minutes=10)  # a provider that is down is seldom back within seconds


class Jobs:
    """The running scheduler: `start`, `poke`, `close`."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        *,
        others_turn: Callable[[], bool],
        jobs: tuple[Job, ...] = JOBS,
        retry: timedelta = RETRY,
        minute: timedelta = MINUTE,
    ) -> None:
        """`others_turn`: whether another process (`sam run`) runs the jobs for now. `minute`: how
        long a minute of the periods is."""
        self._settings, self._clock = settings, clock
        self._others_turn, self._jobs, self._retry = others_turn, jobs, retry
        self._minute = minute
        self._scheduler: AsyncIOScheduler | None = None
        self._running: dict[str, asyncio.Task[None]] = {}
        self._once_more: set[str] = set()

    async def start(self, profiles: Mapping[str, Assistant], speak: SpeakTo) -> None:
        """Schedule every job of these profiles, beginning with those missed while Sam was down."""
        from apscheduler.schedulers.asyncio import AsyncIOScheduler

        self._scheduler = AsyncIOScheduler(
            timezone="UTC",
            job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1},
        )
        for profile in profiles.values():
            runs = await profile.memory.log.jobs.latest()
            for job in self._jobs:
                self._plan(job, profile, partial(speak, profile.name), runs.get(job.name))
        self._scheduler.start()

    def _plan(self, job: Job, profile: Assistant, speak: Speak, last: JobRun | None) -> None:
        assert self._scheduler is not None
        from apscheduler.triggers.cron import CronTrigger
        from apscheduler.triggers.interval import IntervalTrigger

        trigger: Any
        if job.minutes is not None:
            minutes = job.minutes(self._settings)
            if minutes is None:
                return
            # On the minute, so that reminders are not up to a minute late.
            period = minutes * self._minute
            start = _now().replace(second=0)
            trigger = IntervalTrigger(seconds=period.total_seconds(), start_date=start)
        else:
            assert job.at is not None
            zone = profile.memory.zone
            trigger = CronTrigger(hour=job.at.hour, minute=job.at.minute, timezone=zone)
            period = timedelta(days=1)
        # A job whose next run is past was missed: run it at once.
        missed = last is not None and self._clock() - last.started_at >= period
        at_once = {"next_run_time": _now()} if job.at_start or missed else {}
        self._scheduler.add_job(
            self._run, trigger, (job, profile, speak), id=_id(job.name, profile.name), **at_once
        )

    def poke(self, name: str, profile: str = "owner") -> None:
        """Run that job now, or again after its present run; a disabled job stays disabled.

        So is every job before the start.
        """
        if _id(name, profile) in self._running:
            self._once_more.add(_id(name, profile))
        else:
            self._again(name, profile, timedelta())

    def _again(self, name: str, profile: str, after: timedelta) -> None:
        if self._scheduler is None:
            return
        job = self._scheduler.get_job(_id(name, profile))
        when = _now() + after
        if job is not None and (job.next_run_time is None or job.next_run_time > when):
            job.modify(next_run_time=when)

    async def _run(self, job: Job, profile: Assistant, speak: Speak) -> None:
        task, name = asyncio.current_task(), _id(job.name, profile.name)
        assert task is not None
        self._running[name] = task
        try:
            # Handles pokes during the run, which the scheduler itself would skip.
            again = True
            while again:
                self._once_more.discard(name)
                await self._if_due(job, profile, speak)
                again = name in self._once_more
        except asyncio.CancelledError:
            if self._scheduler is not None:
                raise
            # `close` cancels the jobs; the scheduler would log that as an error of theirs.
            log.debug("job=%s profile=%s is cut short", job.name, profile.name)
        finally:
            del self._running[name]

    async def _if_due(self, job: Job, profile: Assistant, speak: Speak) -> None:
        if self._others_turn() or not await job.due(profile):
            return
        try:
            async with locked(profile.memory.profile.files.job_lock(job.name), timeout=0):
                await self._recorded(job, profile, speak)
        except LockHeld:
            log.debug("job=%s profile=%s runs in another process", job.name, profile.name)

    async def _recorded(self, job: Job, profile: Assistant, speak: Speak) -> None:
        runs = profile.memory.log.jobs
        run = await runs.started(job.name)
        try:
            await job.run(profile, speak)
        except LockHeld as busy:
            # Another process does the same work: not a failure.
            log.info("job=%s profile=%s: %s", job.name, profile.name, busy)
            await runs.ended(run)
        except SamError as failed:
            log.warning("job=%s profile=%s failed: %s", job.name, profile.name, failed)
            await runs.ended(run, str(failed))
            self._again(job.name, profile.name, self._retry)
        except Exception as unexpected:
            # A bug in one job must not end the others; it is shown in /status like any failure.
            log.exception("job=%s profile=%s failed", job.name, profile.name)
            await runs.ended(run, f"unexpected {type(unexpected).__name__}, see the log")
            self._again(job.name, profile.name, self._retry)
        else:
            await runs.ended(run)

    async def finish(self, name: str, *, profile: str = "owner", seconds: float = 30) -> None:
        """Wait until that job has run, if it runs or is due; at most `seconds`."""
        assert self._scheduler is not None, "finish comes after start"
        task = self._running.get(_id(name, profile)) or asyncio.create_task(
            self._if_due(*self._scheduler.get_job(_id(name, profile)).args)
        )
        done, _ = await asyncio.wait([task], timeout=seconds)
        if not done:
            task.cancel()  # a job may be interrupted anywhere; it runs at the next start
            await asyncio.gather(task, return_exceptions=True)

    async def close(self) -> None:
        """Start no more jobs; cancel the running ones (a job may be killed anywhere) and wait for
        them."""
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=False)  # this cancels the jobs without waiting
            self._scheduler = None
        await asyncio.gather(*self._running.values(), return_exceptions=True)


def _now() -> datetime:
    """Return the machine's time, which the scheduler uses, whatever clock the messages have."""
    return datetime.now(UTC)


def _id(job: str, profile: str) -> str:
    return f"{job}:{profile}"
