"""What is known about closed profiles: when each has to be opened, and for what.

A process that runs alone remembers it (`KnownHere`); several workers keep it in leases (`Leased`).
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from memory import Clock, StoreError
from memory.infra import last_written

if TYPE_CHECKING:
    from memory import Leases

log = logging.getLogger(__name__)

AGAIN = timedelta(minutes=1)  # until opening a profile is retried
Times = Mapping[str, datetime]
"""The jobs to open a profile for, and when."""
MOST = 16  # due profiles that one look takes, so that other workers get some too


class ClosedProfiles(Protocol):
    """Asked before a profile is opened, and notified after it was closed."""

    @property
    def visits_all(self) -> bool:
        """Return whether each profile has to be visited at the start: nothing is known of it."""

    async def opening(self, name: str) -> Times | None:
        """Return the times that were passed to `closed`; None: they are not known. Raises
        ServedElsewhere, StoreError: it may not be opened now."""

    def opened(self, name: str) -> None:
        """Record that it is open."""

    async def failed(self, name: str) -> None:
        """Record that it could not be opened: another attempt is due soon."""

    async def closed(self, name: str, times: Times, again: datetime | None, log: Path) -> None:
        """Record that it is closed. `again`: when to open it even without a job. `log`: the file
        that changes with each write to its log."""

    async def due(self) -> dict[str, set[str]]:
        """Map the profiles that have to be opened now to the names of the jobs that are due; ""
        stands for other work."""


@dataclass(frozen=True, slots=True)
class _Closed:
    times: Times | None
    """None if it has never been open."""
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


class KnownHere:
    """Those of the only process: it remembers them, and visits each profile at the start."""

    visits_all = True

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._closed: dict[str, _Closed] = {}

    async def opening(self, name: str) -> Times | None:
        closed = self._closed.get(name)
        return closed.times if closed is not None else None

    def opened(self, name: str) -> None:
        """Forget the times: they are those of a closed profile."""
        self._closed.pop(name, None)

    async def failed(self, name: str) -> None:
        """Plan another attempt, for the same jobs."""
        self._closed[name] = _Closed(await self.opening(name), self._clock() + AGAIN, None, ())

    async def closed(self, name: str, times: Times, again: datetime | None, log: Path) -> None:
        self._closed[name] = _Closed(times, again, log, last_written(log))

    async def due(self) -> dict[str, set[str]]:
        """Look at the times, and at the files of the logs."""
        closed, now = dict(self._closed).items(), self._clock()
        return await asyncio.to_thread(
            lambda: {name: due for name, each in closed if (due := each.wanted_by(now))}
        )


class Leased:
    """Those that this worker has leases of, or might take. `names`: all profiles."""

    visits_all = False

    def __init__(self, leases: Leases, names: Callable[[], Collection[str]]) -> None:
        self._leases, self._names = leases, names
        self._not_given_back: dict[str, tuple[Times | None, datetime | None]] = {}
        """The leases that could not be returned to the database yet."""
        self._changing: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """Owned, by profile, while its lease is taken or given back once more."""

    async def opening(self, name: str) -> Times | None:
        """Take the lease. Raises ServedElsewhere, StoreError."""
        async with self._changing[name]:
            times = await self._leases.take(name)
            self._not_given_back.pop(name, None)
        if times is None:
            return None
        return {job: datetime.fromtimestamp(at, UTC) for job, at in times.items()}

    def opened(self, name: str) -> None:
        """Do nothing: the lease says it."""

    async def failed(self, name: str) -> None:
        """Give the lease back for a while: another worker may have more luck."""
        if name in self._leases.taken:
            await self._give_back(name, {}, datetime.now(UTC) + AGAIN)

    async def closed(self, name: str, times: Times, again: datetime | None, log: Path) -> None:
        """Give the lease back, with the times."""
        await self._give_back(name, times, again)

    async def due(self) -> dict[str, set[str]]:
        """Return the free profiles that are due. Raises StoreError."""
        for name in list(self._not_given_back):
            async with self._changing[name]:
                if name in self._not_given_back:  # it was not opened meanwhile
                    await self._give_back(name, *self._not_given_back[name])
        return {name: {""} for name in await self._leases.due(self._names(), MOST)}

    async def _give_back(self, name: str, times: Times | None, again: datetime | None) -> None:
        stored = None if times is None else {job: at.timestamp() for job, at in times.items()}
        due_at = again.timestamp() if again is not None else None
        self._not_given_back.pop(name, None)
        try:
            await self._leases.give_back(name, stored, due_at)
        except StoreError as why:
            log.warning("profile=%s stays with this worker: %s", name, why)
            self._not_given_back[name] = times, again
