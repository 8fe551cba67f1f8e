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
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from memory import Clock, LockHeld, SamError, ServedElsewhere, StoreError, VaultGone
from memory.infra import failpoint
from memory.vault import FileEvents, watch

from ..assistant import Assistant
from ..scheduler import Jobs
from ..unprompted import SpeakTo
from .background import in_background
from .closed import ClosedProfiles, KnownHere

if TYPE_CHECKING:
    from memory import Leases

log = logging.getLogger(__name__)

MOST_OPEN = 50  # unused open profiles; each takes one to three MB
AT_ONCE, LATER_AT_ONCE = 8, 8  # concurrent visits: urgent ones, and the others
VISIT = 60.0  # seconds after which a running visit no longer counts against the limit
SETTLE = 1.0  # seconds to stay open after an opening or a change: a file event may still come
LOOK = 0.5  # seconds between checks for a profile to close
NAP = 0.05  # seconds between checks whether a visit is over
PERIOD = 10.0  # seconds between checks for closed profiles to open
RETRY = timedelta(hours=1)  # until failed indexing or embedding is retried

Make = Callable[[str, AsyncExitStack], Awaitable[tuple[Assistant, asyncio.Event]]]
"""Open a profile; closing the stack closes it. The event is set after its vault's first scan."""
Once = Callable[[Assistant], Awaitable[None]]


@dataclass(slots=True, eq=False)
class _Open:
    """An open profile. Times are those of the event loop."""

    profile: Assistant
    stack: AsyncExitStack
    scanned: asyncio.Event
    last_change: float
    """When it was opened, or its vault last changed."""
    used: float = float("-inf")
    """When it was last used; visits do not count."""
    users: int = 0

    def keep_open(self, seconds: float = 0.0) -> None:
        """Keep it open for `seconds` + SETTLE from now."""
        self.last_change = asyncio.get_running_loop().time() + seconds


class Profiles:
    """The profiles of one process. `start` starts the jobs; `close` closes all open profiles."""

    def __init__(
        self,
        names: Iterable[str],
        vault_of: Callable[[str], Path],
        make: Make,
        jobs: Jobs,
        clock: Clock,
        *,
        idle: float,
        files: FileEvents,
        closed: ClosedProfiles | None = None,
    ) -> None:
        """`names`: of the profiles, the main one's first. `files`: the same object that `make`
        uses. `closed`: None if no other process serves them; otherwise no profile is always
        open."""
        self._vault_of, self._make, self._jobs, self._clock = vault_of, make, jobs, clock
        self._vaults = {name: vault_of(name) for name in names}
        self._main = next(iter(self._vaults)) if closed is None else None
        self._idle, self._files = idle, files
        self._open: dict[str, _Open] = {}
        self._closed = closed or KnownHere(clock)
        self._failing: set[str] = set()
        """The profiles that could not be opened the last time."""
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._owed: dict[str, list[Once]] = {name: [] for name in self._vaults}
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
        assert self._main is not None, "with several workers no profile is always open"
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
        assert self._main is not None, "with several workers no profile is always open"
        async with self._lock(self._main):
            return (await self._begin(self._main)).scanned

    async def start(self, speak: SpeakTo) -> None:
        """Start the jobs of all profiles, including those that were missed while Sam was down."""
        await self._jobs.start(self.open, speak)
        for name in self._vaults:
            if name != self._main:
                self._begin_to_serve(name)

    def serve(self, name: str) -> None:
        """Serve a profile from now on, if it is not served yet. Call it after `start`."""
        if name not in self._vaults:
            self._vaults[name], self._owed[name] = self._vault_of(name), []
            self._begin_to_serve(name)

    def _begin_to_serve(self, name: str) -> None:
        if not self._alternates:
            self._alternates = True
            in_background(self._stack, self._close_idle, "close idle profiles")
            in_background(self._stack, self._open_due, "open due profiles")
        in_background(self._stack, partial(self._follow, name), f"follow {name}")

    async def close(self) -> None:
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
        times = await self._closed.opening(name)
        try:
            async with AsyncExitStack() as stack:
                profile, scanned = await self._make(name, stack)
                try:
                    await self._jobs.add(profile, times)
                except BaseException:
                    self._jobs.remove(name)
                    raise
                now = asyncio.get_running_loop().time()
                entry = _Open(profile, stack.pop_all(), scanned, now)
        except BaseException:
            await self._closed.failed(name)
            raise
        self._closed.opened(name)
        self._failing.discard(name)
        self._open[name] = entry
        log.debug("profile=%s is opened", name)
        return entry

    # ── visits ───────────────────────────────────────────────────────────────────────────────

    async def _follow(self, name: str) -> None:
        """Visit a profile at the start, and whenever its vault changes while it is closed."""
        root = self._vaults[name]
        if self._closed.visits_all and not root.is_dir():
            self._visit(name, soon=False)  # the first opening creates it

        async def changed(paths: frozenset[str] | None) -> None:
            if (entry := self._open.get(name)) is not None:
                entry.keep_open()
            wanted = self._closed.visits_all if paths is None else entry is None
            if wanted:
                self._visit(name, soon=paths is not None)

        await watch(root, changed, self._files)

    async def _open_due(self) -> None:
        """Open the closed profiles that are due, until cancelled."""
        daily = self._jobs.daily
        while True:
            now = self._clock()
            await asyncio.sleep(PERIOD - now.timestamp() % PERIOD)
            try:
                due = await self._closed.due()
            except StoreError as why:
                log.warning("what is due is not known now: %s", why)
                continue
            for name, wanted in due.items():
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
            except ServedElsewhere:
                return
            except SamError as why:
                if name not in self._failing:  # log only the first failure
                    log.warning("profile=%s cannot be opened: %s", name, why)
                self._failing.add(name)
                return
            entry.users -= 1
            until = asyncio.get_running_loop().time() + VISIT
            while self._jobs.is_busy(name) or not entry.scanned.is_set():
                await asyncio.sleep(NAP)
                if asyncio.get_running_loop().time() > until:
                    break  # it continues, and others may start

    # ── closing ──────────────────────────────────────────────────────────────────────────────

    async def _close_idle(self) -> None:
        """Close idle profiles at each check, until cancelled."""
        while True:
            await asyncio.sleep(LOOK)
            await self._check()

    async def _check(self) -> int:
        """Close one idle profile, and all of which there are too many; return how many. Closing
        takes processor time, which those who write then would miss."""
        now = asyncio.get_running_loop().time()
        over, closed = len(self._open) - MOST_OPEN, 0
        for entry in sorted(self._open.values(), key=lambda entry: entry.used):
            if closed >= over and (closed or now - entry.used < self._idle):
                break  # the others were used later
            if self._is_idle(entry):
                closed += await self._close(entry)
        return closed

    def _is_idle(self, entry: _Open) -> bool:
        """Return whether it can be closed now without losing state or interrupting anybody."""
        name = entry.profile.name
        return (
            name != self._main
            and not entry.users
            and entry.scanned.is_set()
            and asyncio.get_running_loop().time() - entry.last_change >= SETTLE
            and not entry.profile.has_unsaved_state
            and not self._jobs.is_busy(name)
        )

    async def _close(self, entry: _Open) -> bool:
        """Close a profile, unless there is work for it; return whether it was closed."""
        profile, name = entry.profile, entry.profile.name
        async with self._lock(name):
            try:
                memory = profile.memory
                if await memory.index.behind() or await memory.embeddings.waiting():
                    return False
                times = await self._jobs.times(profile)
            except SamError as why:
                log.warning("profile=%s stays open: %s", name, why)
                entry.keep_open(VISIT)
                return False
            if not self._is_idle(entry):
                return False
            self._jobs.remove(name)
            await asyncio.sleep(0)  # let work start that the scheduler has just submitted
            if self._jobs.is_busy(name):
                await self._jobs.add(profile, times)
                return False
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
                await self._closed.closed(name, times, again, file)
        log.debug("profile=%s is closed", name)
        return True


@asynccontextmanager
async def holding(leases: Leases, profiles: Profiles, name: str) -> AsyncIterator[None]:
    """Have the lease of a profile within this context: by opening it, or, if it is for other
    programs and never opened here, by taking it alone. Raises ServedElsewhere, StoreError."""
    if name in profiles.names:
        async with profiles.use(name):
            yield
        return
    await leases.take(name, due=False)
    try:
        yield
    finally:
        await leases.give_back(name, {})
