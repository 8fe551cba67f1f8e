"""Work that several ask for at the same time, done once for all of them. Knows not what it is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


class Together:
    """Whoever calls it waits for a run of `work` that began after the call."""

    def __init__(self, work: Callable[[], Awaitable[object]]) -> None:
        self._work, self._running = work, asyncio.Lock()
        self._asked = self._served = 0

    async def __call__(self) -> None:
        """Raises what `work` raises to who ran it; the others then run it for themselves."""
        self._asked += 1
        mine = self._asked
        await asyncio.sleep(0)  # whoever asks in the same moment is served by the same run
        async with self._running:
            if self._served >= mine:
                return
            served = self._asked
            await self._work()
            self._served = served
