"""Open profiles on demand, and close them when they are idle.

The main profile is always open: the owner's, or the one that a terminal chat or a console is for.
Others are opened for an update, a reply, a due job, or a change
of their vault or log. They are closed after `idle` seconds without use; if too many are open,
earlier, least recently used first. A profile with state that is only in memory stays open. All
other state is on disk, so nothing is lost if the process is killed while a profile is closed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from weakref import WeakValueDictionary

from memory import Clock, LockHeld, SamError, StoreError, VaultGone
from memory.infra import failpoint, last_written
from memory.vault import FileEvents, watch

from ..assistant import Assistant
from ..scheduler import Jobs
from ..speak import SpeakTo
from .background import in_background

log = logging.getLogger(__name__)

MOST_OPEN = 50  # unused open profiles; each takes one to three MB
AT_ONCE, LATER_AT_ONCE = 8, 8  # concurrent visits: urgent ones, and the others
VISIT = 60.0  # seconds after which a running visit no longer counts against the limit
SETTLE = 1.0  # seconds to stay open after an opening or a change: a file event may still come
LOOK = 0.5  # seconds between checks for profiles to close
NAP = 0.05  # seconds between checks whether a visit is over
PERIOD = 10.0  # seconds between checks for closed profiles to open
AGAIN = timedelta(minutes=1)  # until opening a profile is retried
RETRY = timedelta(hours=1)  # until failed indexing or embedding is retried

Make = Callable[[str, AsyncExitStack], Awaitable[tuple[Assistant, asyncio.Event]]]
"""Open a profile; closing the stack closes it. The event is set after its vault's first scan."""
Once = Callable[[Assistant], Awaitable[None]]


@dataclass(slots=True, eq=False)
class _Open:
    """An open profile. Times are those of the event loop."""

    profile: Assistant
    stack: AsyncExitStack
    looked: asyncio.Event
    stirred: float
    """When it was opened, or its vault last changed."""
    used: float = float("-inf")
    """When it was last used; visits do not count."""
    users: int = 0

    def keep_open(self, seconds: float = 0.0) -> None:
        """Keep it open for `seconds` + SETTLE from now."""
        self.stirred = asyncio.get_running_loop().time() + seconds


@dataclass(frozen=True, slots=True)
class _Closed:
    """What is known about a closed profile."""

    times: Mapping[str, datetime] | None
    """The jobs to open it for, and when; None if it has never been open."""
    again: datetime | None
    """When to open it even without a job; None: never."""
    log: Path | None
    """Its log's file; None if the profile could not be opened."""
    written: tuple[int, ...]
    """The state of its log's files when it was closed, to detect later writes."""

    def wanted_by(self, now: datetime) -> set[str]:
        """Return the names of the jobs that are due; "" stands for other work."""
        again = {""} if self.again is not None and self.again <= now else set()
        if self.log is None:
            return again
        changed = {""} if last_written(self.log) != self.written else set()
        return again | changed | {name for name, at in (self.times or {}).items() if at <= now}


def _due(closed: Mapping[str, _Closed], now: datetime) -> dict[str, set[str]]:
    """Map the profiles with due work to the names of what is due. Runs in a thread."""
    return {name: wanted for name, each in closed.items() if (wanted := each.wanted_by(now))}


class Profiles:
    """The profiles of one process. `start` starts the jobs; `close` closes all open profiles."""

    def __init__(
        self,
        vaults: Mapping[str, Path],
        make: Make,
        jobs: Jobs,
        clock: Clock,
        *,
        idle: float,
        files: FileEvents,
    ) -> None:
        """`vaults`: the vault of each profile, the main one's first. `files`: the same object that
        `make` uses."""
        self._vaults, self._make, self._jobs, self._clock = dict(vaults), make, jobs, clock
        self._main = next(iter(self._vaults))
        self._idle, self._files = idle, files
        self._open: dict[str, _Open] = {}
        self._closed: dict[str, _Closed] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._owed: dict[str, list[Once]] = {name: [] for name in vaults}
        self._visits: dict[tuple[str, bool], asyncio.Task[None]] = {}
        self._gates = {True: asyncio.Semaphore(AT_ONCE), False: asyncio.Semaphore(LATER_AT_ONCE)}
        self._ending: set[asyncio.Task[None]] = set()
        self._alternates = False
        """Whether there are profiles that are opened and closed."""
        self._stack = AsyncExitStack()

    @property
    def names(self) -> Collection[str]:
        """The names of all profiles, open or closed."""
        return self._vaults.keys()

    @property
    def main(self) -> Assistant:
        """The profile that is always open; in `sam run` it is the owner's."""
        return self._open[self._main].profile

    @property
    def open(self) -> Mapping[str, Assistant]:
        """The profiles that are open now, by name."""
        return {name: entry.profile for name, entry in self._open.items()}

    @asynccontextmanager
    async def use(self, name: str) -> AsyncIterator[Assistant]:
        """Provide a profile, and keep it open within this context; open it if necessary.

        Raises StoreError if it cannot be opened now.
        """
        entry = await self._enter(name)
        try:
            yield entry.profile
        finally:
            entry.users -= 1
            entry.used = asyncio.get_running_loop().time()

    async def once_per_profile(self, work: Once) -> None:
        """Run `work` once on each profile: now on open ones, and on the others when they are next
        opened, before they are used. Raises what `work` raises."""
        for owed in self._owed.values():
            owed.append(work)
        for name in list(self._open):
            entry = await self._enter(name)
            entry.users -= 1

    # ── from start to end ────────────────────────────────────────────────────────────────────

    async def open_main(self) -> asyncio.Event:
        """Open the main profile. The event is set after the first scan of the vault. Raises
        VaultGone, StoreError, LockHeld."""
        async with self._lock(self._main):
            return (await self._begin(self._main)).looked

    async def start(self, speak: SpeakTo) -> None:
        """Start the jobs of all profiles, including those that were missed while Sam was down."""
        await self._jobs.start(self.open, speak)
        for name in self._vaults:
            if name != self._main:
                self._serve(name)

    def add(self, name: str, vault: Path) -> None:
        """Serve another profile from now on. Call it after `start`."""
        self._vaults[name], self._owed[name] = vault, []
        self._serve(name)

    def _serve(self, name: str) -> None:
        if not self._alternates:
            self._alternates = True
            in_background(self._stack, self._close_idle, "close idle profiles")
            in_background(self._stack, self._open_due, "open due profiles")
        in_background(self._stack, partial(self._follow, name), f"follow {name}")

    async def close(self) -> None:
        """Close all open profiles."""
        await self._stack.aclose()
        visits = list(self._visits.values())
        for visit in visits:
            visit.cancel()
        await asyncio.gather(*visits, *self._ending, return_exceptions=True)
        for name in reversed(list(self._open)):
            await self._open.pop(name).stack.aclose()

    # ── opening ──────────────────────────────────────────────────────────────────────────────

    def _lock(self, name: str) -> asyncio.Lock:
        return self._locks.setdefault(name, asyncio.Lock())

    async def _enter(self, name: str) -> _Open:
        lock = self._lock(name)
        async with lock:
            entry = self._open.get(name)
            if entry is None:
                try:
                    entry = await self._begin(name)
                except (VaultGone, LockHeld) as why:
                    raise StoreError(f"the memory of {name} cannot be opened: {why}") from why
            while self._owed[name]:
                await self._owed[name][0](entry.profile)
                del self._owed[name][0]
            entry.users += 1
            return entry

    async def _begin(self, name: str) -> _Open:
        async with AsyncExitStack() as stack:
            profile, looked = await self._make(name, stack)
            closed = self._closed.get(name)
            try:
                await self._jobs.add(profile, closed.times if closed is not None else None)
            except BaseException:
                self._jobs.remove(name)
                raise
            now = asyncio.get_running_loop().time()
            entry = _Open(profile, stack.pop_all(), looked, now)
            self._closed.pop(name, None)
            self._open[name] = entry
        log.debug("profile=%s is opened", name)
        return entry

    # ── visits ───────────────────────────────────────────────────────────────────────────────

    async def _follow(self, name: str) -> None:
        """Visit a profile at the start, and whenever its vault changes while it is closed."""
        root = self._vaults[name]
        if not root.is_dir():  # it is created when the profile is opened for the first time
            self._visit(name, soon=False)

        async def changed(paths: frozenset[str] | None) -> None:
            if (entry := self._open.get(name)) is not None:
                entry.keep_open()
            if entry is None or paths is None:
                self._visit(name, soon=paths is not None)

        await watch(root, changed, self._files)

    async def _open_due(self) -> None:
        """Open the closed profiles that are due, until cancelled."""
        daily = self._jobs.daily
        while True:
            now = self._clock()
            await asyncio.sleep(PERIOD - now.timestamp() % PERIOD)
            closed, now = dict(self._closed), self._clock()
            for name, wanted in (await asyncio.to_thread(_due, closed, now)).items():
                self._visit(name, soon=not wanted <= daily)

    def _visit(self, name: str, *, soon: bool) -> None:
        """Open a profile for its due work. `soon`: ahead of visits that are not urgent."""
        if (name, soon) not in self._visits:
            visit = asyncio.create_task(self._visited(name, soon), name=f"visit {name}")
            self._visits[name, soon] = visit
            visit.add_done_callback(lambda _: self._visits.pop((name, soon), None))

    async def _visited(self, name: str, soon: bool) -> None:
        async with self._gates[soon]:
            if name in self._open:
                return
            try:
                entry = await self._enter(name)
            except SamError as why:
                before = self._closed.get(name)
                if before is None or before.again is None:  # log only the first failure
                    log.warning("profile=%s cannot be opened: %s", name, why)
                times = before.times if before is not None else None
                self._closed[name] = _Closed(times, self._clock() + AGAIN, None, ())
                return
            entry.users -= 1
            until = asyncio.get_running_loop().time() + VISIT
            while self._jobs.is_busy(name) or not entry.looked.is_set():
                await asyncio.sleep(NAP)
                if asyncio.get_running_loop().time() > until:
                    break  # it continues, and others may start

    # ── closing ──────────────────────────────────────────────────────────────────────────────

    async def _close_idle(self) -> None:
        """Close idle profiles, until cancelled."""
        while True:
            await asyncio.sleep(LOOK)
            now = asyncio.get_running_loop().time()
            idle = sorted(
                (entry for entry in self._open.values() if self._is_idle(entry)),
                key=lambda entry: entry.used,
            )
            over = len(self._open) - MOST_OPEN
            for number, entry in enumerate(idle):
                if now - entry.used >= self._idle or number < over:
                    await self._close(entry)

    def _is_idle(self, entry: _Open) -> bool:
        """Return whether it can be closed now without losing state or interrupting anybody."""
        name = entry.profile.name
        return (
            name != self._main
            and not entry.users
            and entry.looked.is_set()
            and asyncio.get_running_loop().time() - entry.stirred >= SETTLE
            and not entry.profile.has_unsaved_state
            and not self._jobs.is_busy(name)
        )

    async def _close(self, entry: _Open) -> None:
        profile, name = entry.profile, entry.profile.name
        async with self._lock(name):
            try:
                memory = profile.memory
                if await memory.index.behind() or await memory.embeddings.waiting():
                    return
                times = await self._jobs.times(profile)
            except SamError as why:
                log.warning("profile=%s stays open: %s", name, why)
                entry.keep_open(VISIT)
                return
            if not self._is_idle(entry):
                return
            self._jobs.remove(name)
            await asyncio.sleep(0)  # let work start that the scheduler has just submitted
            if self._jobs.is_busy(name):
                await self._jobs.add(profile, times)
                return
            again = self._clock() + RETRY if profile.memory.embeddings.trouble else None
            del self._open[name]
            failpoint("closing_profile")
            ending = asyncio.create_task(entry.stack.aclose(), name=f"close {name}")
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
            try:
                await asyncio.shield(ending)  # Sam's shutdown must not interrupt it
            finally:
                file = profile.memory.profile.log_file
                self._closed[name] = _Closed(times, again, file, last_written(file))
        log.debug("profile=%s is closed", name)
