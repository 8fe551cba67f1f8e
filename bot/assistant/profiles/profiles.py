"""Which profiles are open: each from its first use until nobody has needed it for a while.

The owner's is always open. Another is opened for an update, a reply, a due job, or a change of its
vault or log, and closed when nobody has used it for `idle` seconds; with too many open, earlier,
the least recently used first. What is in memory alone keeps a profile open. Everything else that
an open profile knows is on disk, so that one that is killed while it is closed loses nothing.
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

from memory import OWNER, Clock, LockHeld, SamError, StoreError, VaultGone
from memory.infra import failpoint, last_written
from memory.vault import FileEvents, watch

from ..assistant import Assistant
from ..scheduler import Jobs
from ..speak import SpeakTo
from .background import in_background

log = logging.getLogger(__name__)

MOST_OPEN = 50  # of those that nobody uses; each has one to three MB
AT_ONCE, LATER_AT_ONCE = 8, 8  # visits: those that somebody waits for, and the others
VISIT = 60.0  # seconds after which a visit that goes on lets others begin
SETTLE = 1.0  # seconds since it was opened or changed: a file event may still come
LOOK = 0.5  # seconds between two looks for profiles to close
NAP = 0.05  # seconds between two looks whether a visit is over
PERIOD = 10.0  # seconds between two looks for closed profiles to open
AGAIN = timedelta(minutes=1)  # until a profile that could not be opened is tried again
RETRY = timedelta(hours=1)  # until what could not be indexed or embedded is tried again

Make = Callable[[str, AsyncExitStack], Awaitable[tuple[Assistant, asyncio.Event]]]
"""Opens a profile, until the stack is closed. The event is set when its vault was looked at."""
Once = Callable[[Assistant], Awaitable[None]]


@dataclass(slots=True, eq=False)
class _Open:
    """An open profile. The times are the loop's."""

    profile: Assistant
    stack: AsyncExitStack
    looked: asyncio.Event
    stirred: float
    """When it was opened, or its vault changed last."""
    used: float = float("-inf")
    """When somebody has last used it; never in a visit."""
    users: int = 0

    def stir(self, seconds: float = 0.0) -> None:
        """Leave it open for SETTLE longer, counted from so many seconds from now."""
        self.stirred = asyncio.get_running_loop().time() + seconds


@dataclass(frozen=True, slots=True)
class _Closed:
    """What is known of a closed profile."""

    times: Mapping[str, datetime] | None
    """The jobs for which it is opened, and when; None: it was not open yet."""
    again: datetime | None
    """When it is opened for no job."""
    log: Path | None
    """None: it could not be opened."""
    written: tuple[int, ...]
    """When its log was written last, and by us."""

    def wanted_by(self, now: datetime) -> set[str]:
        """Return the names of the jobs that are due; "" for what is no job."""
        again = {""} if self.again is not None and self.again <= now else set()
        if self.log is None:
            return again
        changed = {""} if last_written(self.log) != self.written else set()
        return again | changed | {name for name, at in (self.times or {}).items() if at <= now}


def _due(closed: Mapping[str, _Closed], now: datetime) -> dict[str, set[str]]:
    """Return what is due, of those profiles of which something is. Runs in a thread."""
    return {name: wanted for name, each in closed.items() if (wanted := each.wanted_by(now))}


class Profiles:
    """The profiles of one process. `start` begins the jobs; `close` closes all that are open."""

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
        """`vaults`: the profiles, each with its vault; the owner's first. `files`: as `make` uses
        it."""
        self._vaults, self._make, self._jobs, self._clock = dict(vaults), make, jobs, clock
        self._idle, self._files = idle, files
        self._open: dict[str, _Open] = {}
        self._closed: dict[str, _Closed] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._owed: dict[str, list[Once]] = {name: [] for name in vaults}
        self._visits: dict[tuple[str, bool], asyncio.Task[None]] = {}
        self._gates = {True: asyncio.Semaphore(AT_ONCE), False: asyncio.Semaphore(LATER_AT_ONCE)}
        self._ending: set[asyncio.Task[None]] = set()
        self._stack = AsyncExitStack()

    @property
    def names(self) -> Collection[str]:
        """The names of all profiles, open or closed."""
        return self._vaults.keys()

    @property
    def owner(self) -> Assistant:
        """The owner's, which is always open."""
        return self._open[OWNER].profile

    @property
    def open(self) -> Mapping[str, Assistant]:
        """Those that are open now, by name."""
        return {name: entry.profile for name, entry in self._open.items()}

    @asynccontextmanager
    async def use(self, name: str) -> AsyncIterator[Assistant]:
        """Provide a profile, opened where it is closed, which stays open within this context.

        Raises StoreError where it cannot be opened now.
        """
        entry = await self._enter(name)
        try:
            yield entry.profile
        finally:
            entry.users -= 1
            entry.used = asyncio.get_running_loop().time()

    async def once(self, work: Once) -> None:
        """Do this with each profile: at once with those that are open, with others when they are
        opened next, before anybody uses them. Raises what it raises."""
        for owed in self._owed.values():
            owed.append(work)
        for name in list(self._open):
            entry = await self._enter(name)
            entry.users -= 1

    # ── from start to end ────────────────────────────────────────────────────────────────────

    async def open_owner(self) -> asyncio.Event:
        """Open the owner's. The event is set when their vault was looked at. Raises VaultGone,
        StoreError, LockHeld."""
        async with self._lock(OWNER):
            return (await self._begin(OWNER)).looked

    async def start(self, speak: SpeakTo) -> None:
        """Begin the jobs of all profiles, with those that were missed while Sam was down."""
        await self._jobs.start(self.open, speak)
        others = [name for name in self._vaults if name != OWNER]
        if not others:
            return
        for name in others:
            in_background(self._stack, partial(self._follow, name), f"follow {name}")
        in_background(self._stack, self._close_idle, "close idle profiles")
        in_background(self._stack, self._open_due, "open due profiles")

    async def close(self) -> None:
        """Close all that are open."""
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
        if not root.is_dir():  # it is made when the profile is opened for the first time
            self._visit(name, soon=False)

        async def changed(paths: frozenset[str] | None) -> None:
            if (entry := self._open.get(name)) is not None:
                entry.stir()
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
        """Open a profile for what is due in it. `soon`: before those for which nobody waits."""
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
                if before is None or before.again is None:  # it is tried again: once is enough
                    log.warning("profile=%s cannot be opened: %s", name, why)
                times = before.times if before is not None else None
                self._closed[name] = _Closed(times, self._clock() + AGAIN, None, ())
                return
            entry.users -= 1
            until = asyncio.get_running_loop().time() + VISIT
            while self._jobs.is_busy(name) or not entry.looked.is_set():
                await asyncio.sleep(NAP)
                if asyncio.get_running_loop().time() > until:
                    break  # it goes on, and lets others begin

    # ── closing ──────────────────────────────────────────────────────────────────────────────

    async def _close_idle(self) -> None:
        """Close the profiles that nobody needs, until cancelled."""
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
        """Return whether closing it now would lose nothing and interrupt nobody."""
        name = entry.profile.name
        return (
            name != OWNER
            and not entry.users
            and entry.looked.is_set()
            and asyncio.get_running_loop().time() - entry.stirred >= SETTLE
            and not entry.profile.holds_unsaved
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
                entry.stir(VISIT)
                return
            if not self._is_idle(entry):
                return
            self._jobs.remove(name)
            await asyncio.sleep(0)  # what the scheduler has just submitted begins
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
                await asyncio.shield(ending)  # the end of Sam must not interrupt it
            finally:
                file = profile.memory.profile.files.log
                self._closed[name] = _Closed(times, again, file, last_written(file))
        log.debug("profile=%s is closed", name)
