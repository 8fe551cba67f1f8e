"""Run the JOBS of the open profiles on one AsyncIOScheduler, for the terminal and Telegram alike.

Each job runs for each profile separately, and never twice at once, not even in two processes. A
missed job runs late; a failed one is recorded, shown in /status, and retried soon. Of a closed
profile only the times for which it must be opened are known.
"""

from __future__ import annotations

import asyncio
import logging
import zlib
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from memory import Clock, LockHeld, SamError
from memory.infra import locked, parse_utc
from memory.text import speaking

from ..metrics import Measures
from ..settings import Settings
from .assistant import Assistant
from .jobs import JOBS, Job
from .unprompted import Speak, SpeakTo

if TYPE_CHECKING:
    from apscheduler.schedulers.asyncio import AsyncIOScheduler

log = logging.getLogger(__name__)

MINUTE = timedelta(minutes=1)
RETRY = timedelta(minutes=10)  # a provider that is down is seldom back within seconds
AT_ONCE = timedelta(seconds=1)  # a job that is due within this time is waited for
PACE = 0.5  # seconds between the beginnings of paced jobs
LOOK = 30.0  # seconds between looks at the clock
CHECK = "in its check: "  # how the error of a check begins, unlike that of a run


class Jobs:
    """The running scheduler: `start`, `poke`, `close`; `add` and `remove` a profile."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        *,
        others_turn: Callable[[], bool],
        jobs: tuple[Job, ...] = JOBS,
        retry: timedelta = RETRY,
        minute: timedelta = MINUTE,
        measures: Measures | None = None,
    ) -> None:
        """`others_turn`: whether another process (`sam run`) runs the jobs for now. `minute`: how
        long a minute of the periods is. `measures`: of the process; None: the jobs' own."""
        self._measures = measures or Measures()
        self._settings, self._clock = settings, clock
        self._others_turn, self._jobs, self._retry = others_turn, jobs, retry
        self._minute = minute
        self._scheduler: AsyncIOScheduler | None = None
        self._clock_watch: asyncio.Task[None] | None = None
        self._speak: SpeakTo | None = None
        self._running: dict[str, asyncio.Task[None]] = {}
        self._pace, self._paced_at = asyncio.Lock(), float("-inf")
        self._once_more: set[str] = set()
        self._failures: dict[str, str] = {}  # job → the error of its last run or check

    async def start(self, profiles: Mapping[str, Assistant], speak: SpeakTo) -> None:
        """Schedule every job of these profiles, beginning with those missed while Sam was down."""
        from apscheduler.schedulers.asyncio import AsyncIOScheduler

        self._scheduler = AsyncIOScheduler(
            timezone="UTC",
            job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1},
        )
        self._speak = speak
        for profile in profiles.values():
            await self.add(profile)
        self._scheduler.start()
        self._clock_watch = asyncio.create_task(self._watch_clock(), name="watch the clock")

    async def add(self, profile: Assistant, times: Mapping[str, datetime] | None = None) -> None:
        """Schedule the jobs of a profile that was opened. `times`: what `times` returned when it
        was closed; None: it is opened for the first time. Before the start this does nothing."""
        if self._scheduler is None or self._speak is None:
            return
        lasts: dict[str, datetime] = {}
        began: datetime | None = None  # of what never ran, it is as if it had run then
        if times is None:
            runs = await profile.memory.log.jobs.latest()
            lasts = {name: run.started_at for name, run in runs.items()}
            for name, run in runs.items():
                if run.error is not None:  # before a restart
                    self._failures[_id(name, profile.name)] = run.error
            if first := await profile.memory.log.began():
                began = parse_utc(first)
        for job in self._jobs:
            speak = partial(self._speak, profile.name)
            self._plan(job, profile, speak, lasts.get(job.name, began), times)

    async def times(self, profile: Assistant) -> dict[str, datetime]:
        """Return the jobs for which the profile must be opened once it is closed, and when."""
        found: dict[str, datetime] = {}
        for job in self._jobs:
            planned = self._planned(job.name, profile.name)
            if planned is None or planned.next_run_time is None:
                continue
            at: datetime | None = planned.next_run_time + (self._clock() - _now())
            assert at is not None
            if job.opens is not None:
                at = await job.opens(profile, at)
            elif job.at is None and not await job.due(profile):
                at = None
            if at is not None:
                found[job.name] = at
        return found

    def remove(self, profile: str) -> None:
        """Start no more jobs of a profile that is about to be closed."""
        for job in self._jobs:
            if (planned := self._planned(job.name, profile)) is not None:
                planned.remove()

    def is_busy(self, profile: str) -> bool:
        """Return whether a job of the profile runs, or is about to."""
        soon = _now() + AT_ONCE
        for job in self._jobs:
            planned = self._planned(job.name, profile)
            at = planned.next_run_time if planned is not None else None
            if _id(job.name, profile) in self._running or (at is not None and at <= soon):
                return True
        return False

    @property
    def daily(self) -> frozenset[str]:
        """The names of the jobs that run at a time of day, for which nobody waits."""
        return frozenset(job.name for job in self._jobs if job.at is not None)

    def _planned(self, job: str, profile: str) -> Any:
        """Return the scheduler's entry; None for none."""
        return self._scheduler and self._scheduler.get_job(_id(job, profile))

    def _plan(
        self,
        job: Job,
        profile: Assistant,
        speak: Speak,
        last: datetime | None,
        times: Mapping[str, datetime] | None,
    ) -> None:
        assert self._scheduler is not None
        if (trigger := self._trigger(job, profile)) is None:
            return
        due: datetime | None = None
        if last is not None:
            is_daily = job.minutes is None
            due = trigger.get_next_fire_time(None, last) if is_daily else last + trigger.interval
        if times is None:
            # A job whose next run is past was missed: run it at once.
            missed = due is not None and due <= self._clock()
            first = _now() if job.at_start or missed else None
        elif job.name in times:
            first = max(_now(), times[job.name] - (self._clock() - _now()))
        else:  # what concerns the present state is looked at whenever the profile is opened
            first = _now() if job.at_start and job.minutes is not None else None
        at_once = {"next_run_time": first} if first is not None else {}
        self._scheduler.add_job(
            self._run, trigger, (job, profile, speak), id=_id(job.name, profile.name), **at_once
        )

    def _trigger(self, job: Job, profile: Assistant) -> Any:
        """Return the trigger of a job, by the present time and zone; None for one that is off."""
        if job.minutes is not None:
            minutes = job.minutes(self._settings)
            if minutes is None:
                return None
            seconds = (minutes * self._minute).total_seconds()
            begin = _now().replace(second=0, microsecond=0)
            if not job.punctual:
                begin -= _part(profile.name) * self._minute
            return _steady()(seconds=seconds, start_date=begin)
        from apscheduler.triggers.cron import CronTrigger

        assert job.at is not None
        return CronTrigger(hour=job.at.hour, minute=job.at.minute, timezone=profile.memory.zone)

    async def _watch_clock(self) -> None:
        """Plan all jobs again when the machine's clock was set back, until cancelled: they would
        wait for the time that it showed before."""
        last = _now()
        while True:
            await asyncio.sleep(LOOK)
            now = _now()
            if now < last and self._scheduler is not None:
                log.warning("the clock was set back by %s: all jobs are planned again", last - now)
                for planned in self._scheduler.get_jobs():
                    job, profile, _ = planned.args
                    planned.reschedule(self._trigger(job, profile))
                    if planned.id in self._failures:
                        self._again(job.name, profile.name, self._retry)
            last = now

    async def _follow_zone(self, profile: Assistant) -> None:
        """Run the daily jobs by the local time of the zone that user.md names now."""
        await profile.follow_zone()
        for job in self._jobs:
            planned = self._planned(job.name, profile.name) if job.at is not None else None
            # /timezone may have followed before.
            if planned and str(planned.trigger.timezone) != str(profile.memory.zone):
                planned.reschedule(self._trigger(job, profile))

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
        job = self._planned(name, profile)
        when = _now() + after
        if job is not None and (job.next_run_time is None or job.next_run_time > when):
            job.modify(next_run_time=when)

    async def _run(self, job: Job, profile: Assistant, speak: Speak) -> None:
        task, name = asyncio.current_task(), _id(job.name, profile.name)
        assert task is not None
        self._running[name] = task
        try:
            if job.follows_zone:
                await self._follow_zone(profile)
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
        if self._others_turn():
            return
        failed = self._failures.get(_id(job.name, profile.name))
        work: Callable[[], Awaitable[object]] = partial(job.run, profile, speak)
        where = ""
        try:
            if not await job.due(profile):
                if failed is None or not await _is_over(failed, job, profile):
                    return
                work = _nothing  # a run that clears the failure
            elif job.paced:
                await self._wait_for_pace()
                if not await job.due(profile):
                    return
        except Exception as wrong:  # recorded as a failed run, or nobody would know
            work, where = partial(_fail, wrong), CHECK
            if failed == f"{where}{_shown(wrong)}":
                return
        try:
            async with locked(profile.memory.profile.files.job_lock(job.name), timeout=0):
                await self._recorded(job, profile, work, where)
        except LockHeld:
            log.debug("job=%s profile=%s runs in another process", job.name, profile.name)

    async def _wait_for_pace(self) -> None:
        """Return PACE after the last paced job began, of whichever profile."""
        async with self._pace:
            clock = asyncio.get_running_loop().time
            await asyncio.sleep(max(0.0, self._paced_at + PACE - clock()))
            self._paced_at = clock()

    async def _recorded(
        self, job: Job, profile: Assistant, work: Callable[[], Awaitable[object]], where: str
    ) -> None:
        """Do the work, and record it. `where`: the start of its error."""
        runs = profile.memory.log.jobs
        run = await runs.begin(job.name)
        error: str | None = None
        try:
            with speaking(await profile.language()):
                await work()
        except LockHeld as busy:
            # Another process does the same work: not a failure.
            log.info("job=%s profile=%s: %s", job.name, profile.name, busy)
        except SamError as failed:
            log.warning("job=%s profile=%s failed: %s", job.name, profile.name, failed)
            error = f"{where}{_shown(failed)}"
        except Exception as unexpected:
            # A bug in one job must not end the others; it is shown in /status like any failure.
            log.exception("job=%s profile=%s failed", job.name, profile.name)
            error = f"{where}{_shown(unexpected)}"
        await runs.end(run, error)
        self._measures.job_ended(job.name, failed=error is not None)
        if error is None:
            self._failures.pop(_id(job.name, profile.name), None)
        else:
            self._failures[_id(job.name, profile.name)] = error
            self._again(job.name, profile.name, self._retry)

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
        """Start no more jobs; cancel those that run, wherever they are, and wait for them."""
        if self._clock_watch is not None:
            self._clock_watch.cancel()
            await asyncio.gather(self._clock_watch, return_exceptions=True)
        if self._scheduler is not None:
            if self._scheduler.running:  # not after an error at the start
                self._scheduler.shutdown(wait=False)  # this cancels the jobs without waiting
            self._scheduler = None
        await asyncio.gather(*self._running.values(), return_exceptions=True)


def _now() -> datetime:
    """Return the machine's time, which the scheduler uses, whatever clock the messages have."""
    return datetime.now(UTC)


def _part(profile: str) -> float:
    """Return a number from 0 to 1 that is always the same for a profile, and another for each."""
    return zlib.crc32(profile.encode()) / 2**32


@cache
def _steady() -> Any:
    """Return the class of triggers for each full period; APScheduler is imported at the start."""
    from apscheduler.triggers.interval import IntervalTrigger

    class Steady(IntervalTrigger):  # type: ignore[misc]
        """IntervalTrigger counts from the last run: one at the start or after a poke, at any second
        of a minute, would move all later ones, and reminders would be up to a minute late."""

        def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime | None:
            after: datetime | None = super().get_next_fire_time(None, now + datetime.resolution)
            return after

    return Steady


async def _is_over(error: str, job: Job, profile: Assistant) -> bool:
    """Return whether the failure of a job that is not due is over: its check works again, or its
    work was done elsewhere, as by `sam summarize`."""
    return error.startswith(CHECK) or (job.left is not None and not await job.left(profile))


def _shown(wrong: Exception) -> str:
    """Return an error as it is recorded, and shown in /status."""
    known = isinstance(wrong, SamError)
    return str(wrong) if known else f"unexpected {type(wrong).__name__}, see the log"


async def _fail(wrong: Exception) -> None:
    raise wrong


async def _nothing() -> None:
    pass


def _id(job: str, profile: str) -> str:
    return f"{job}:{profile}"
