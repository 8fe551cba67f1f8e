"""What is known about closed profiles: when each has to be opened, and for what."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from memory import Clock
from memory.infra import last_written

AGAIN = timedelta(minutes=1)  # until opening a profile is retried

Times = Mapping[str, datetime]
"""The jobs to open a profile for, and when."""


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
