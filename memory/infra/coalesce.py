"""Work that several ask for at the same time, done once for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class Together(Generic[T]):
    """Whoever calls it waits for a run of `work` that began after the call, and knew his wishes.

    `work` is given the wishes of all whom no run has served yet.
    """

    def __init__(self, work: Callable[[Sequence[T]], Awaitable[object]]) -> None:
        self._work, self._running = work, asyncio.Lock()
        self._wanted: list[T] = []
        self._asked = self._served = 0

    async def __call__(self, *wanted: T) -> None:
        """Raises what `work` raises to who ran it; the others then run it for themselves."""
        self._asked += 1
        mine = self._asked
        self._wanted += wanted
        await asyncio.sleep(0)  # whoever asks in the same moment is served by the same run
        async with self._running:
            if self._served >= mine:
                return
            served, known = self._asked, tuple(self._wanted)
            await self._work(known)
            del self._wanted[: len(known)]
            self._served = served
