"""How many syncs run at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

AT_ONCE = 4
"""An rclone takes about 50 MB and, at its start, a tenth of a second of a processor."""
SLOW = 30.0  # seconds


class SyncGate:
    """Lets a few syncs begin at once, and the others in the order in which they came.

    One that runs for longer than `slow` seconds counts no longer: a remote that hangs, or a first
    upload of hours, delays no other profile by more.
    """

    def __init__(self, at_once: int = AT_ONCE, slow: float = SLOW) -> None:
        self._places = asyncio.Semaphore(at_once)
        self._slow = slow

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Wait for a place, and hold it within this context."""
        await self._places.acquire()
        taken = True

        def give_back() -> None:
            nonlocal taken
            if taken:
                taken = False
                self._places.release()

        later = asyncio.get_running_loop().call_later(self._slow, give_back)
        try:
            yield
        finally:
            later.cancel()
            give_back()
