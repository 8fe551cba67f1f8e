"""Coalesce concurrent requests into one run (single-flight)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """Run `work` once for all concurrent callers.

    Each caller waits for a run that began after its call. `work` gets the arguments of all callers
    that no run has served yet.
    """

    def __init__(self, work: Callable[[Sequence[T]], Awaitable[object]]) -> None:
        self._work, self._running = work, asyncio.Lock()
        self._wanted: list[T] = []
        self._asked = self._served = 0

    async def __call__(self, *wanted: T) -> None:
        """An error of `work` is raised to the caller that ran it; the others then run it
        themselves."""
        self._asked += 1
        mine = self._asked
        self._wanted += wanted
        await asyncio.sleep(0)  # concurrent calls join the same run
        async with self._running:
            if self._served >= mine:
                return
            served, known = self._asked, tuple(self._wanted)
            await self._work(known)
            del self._wanted[: len(known)]
            self._served = served
