"""The day's US dollars of all profiles of an installation, and what is left for one of them.

BUDGET_DAILY_USD is for all of them together. Of it, guests and groups may spend
BUDGET_OTHERS_PERCENT, all together; the owner may spend whatever nobody has spent yet. So the rest
of that share is the owner's alone. A day is the owner's local day.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, tzinfo
from pathlib import Path

from memory import OWNER, Clock, DataDir
from memory.infra import local_day, locked
from memory.log import spent_in

from ..settings import Settings


@dataclass(frozen=True, slots=True)
class Day:
    """What was spent on a day, and the limits, in US dollars; `limit` 0: there is none.

    Estimates of calls in progress are included.
    """

    limit: float
    others_limit: float
    owner: float
    others: float

    @property
    def total(self) -> float:
        """What all have spent."""
        return self.owner + self.others

    def left(self, profile: str) -> float:
        """Return what that profile may still spend; infinite without a limit."""
        if not self.limit:
            return float("inf")
        left = self.limit - self.total
        return left if profile == OWNER else min(left, self.others_limit - self.others)

    def used(self, profile: str) -> tuple[float, float]:
        """Return what is spent, and the limit, of the share that ends first for that profile."""
        is_by_all = profile == OWNER or self.left(profile) == self.limit - self.total
        return (self.total, self.limit) if is_by_all else (self.others, self.others_limit)

    def said(self, profile: str, own: float) -> str:
        """Return what the day cost, as `$0.40 of $1.00`; for other profiles than the owner's, what
        they spent themselves."""
        if profile != OWNER:
            return f"${own:.2f}"
        return f"${self.total:.2f}" + (f" of ${self.limit:.2f}" if self.limit else "")

    def shares(self, profile: str, profiles: Collection[str]) -> list[str]:
        """Return how the limit is divided, a line each; [] where the owner is alone."""
        if not self.limit or not (len(profiles) > 1 or self.others):
            return []
        others = (
            f"guests and groups together ${self.others:.2f} of at most ${self.others_limit:.2f}"
        )
        if profile == OWNER:
            return [f"Of it you ${self.owner:.2f}; {others}"]
        lines = [others[0].upper() + others[1:]]
        if self.left(profile) < self.others_limit - self.others:
            lines.append(f"Left of what all may spend: ${max(0.0, self.limit - self.total):.2f}")
        return lines


class Spending:
    """What an installation spends. It is read from the logs of all its profiles, so that other
    processes see the same."""

    def __init__(self, settings: Settings, clock: Clock, zone: Callable[[], tzinfo]) -> None:
        """`zone`: the owner's."""
        self._clock, self._zone = clock, zone
        self._limit = settings.budget_daily_usd
        self._others_limit = self._limit * settings.budget_others_percent / 100
        self._owner, self._profiles = DataDir(settings.data_dir), settings.profiles_dir

    @property
    def limited(self) -> bool:
        """Whether there is a limit."""
        return self._limit > 0

    def day(self) -> tuple[date, tzinfo]:
        """Return the owner's local day, and their time zone."""
        zone = self._zone()
        return local_day(self._clock(), zone), zone

    async def today(self) -> Day:
        """Return what was spent on this day. Raises StoreError."""
        owner, others = await asyncio.to_thread(self._look)
        return Day(self._limit, self._others_limit, owner, others)

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[Day]:
        """Return what was spent, which nobody can add to within this context. Raises LockHeld."""
        async with locked(self._owner.spending_lock):
            yield await self.today()

    def _look(self) -> tuple[float, float]:
        day, zone = self.day()

        def spent(log: Path) -> float:
            return spent_in(log, day, zone)

        others = sorted(self._profiles.glob("*/data/log.db"))
        return spent(self._owner.log), sum(map(spent, others))
