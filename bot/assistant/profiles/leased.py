"""The closed profiles of several workers: a profile is opened under its lease, and what is due for
it is known to all of them."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memory import StoreError

from .closed import AGAIN, Times

if TYPE_CHECKING:
    from memory import Leases

    from .profiles import Profiles

log = logging.getLogger(__name__)

MOST = 16  # due profiles that one look takes, so that other workers get some too


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
