"""The syncs of profiles without a Telegram user: groups, and profiles for other programs.

The owner is notified about them, without file names.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext

from memory import OWNER, Clock, LockHeld, SamError, profile_of
from memory.errors import ServedElsewhere

from ...errors import SyncStopped
from ...inbox import telegram_users
from ...settings import Settings, known_profiles, remote_of
from . import alerts
from .opening import Tell, open_sync

log = logging.getLogger(__name__)

AT_ONCE = 4
"""An rclone takes about 50 MB and, at its start, a tenth of a second of a processor."""
SLOW = 30.0  # seconds
PATIENCE = 60.0
"""Seconds that the job waits for these syncs: longer ones continue in the background."""
Hold = Callable[[str], AbstractAsyncContextManager[object]]
"""Lets this process write to a profile within the context. Raises ServedElsewhere, StoreError."""


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


class OtherSyncs:
    """The syncs started by the owner's job; `close` cancels those that still run."""

    def __init__(
        self, settings: Settings, clock: Clock, gate: SyncGate, hold: Hold = nullcontext
    ) -> None:
        """`hold`: of one of several workers, which may write only to what it has the lease of."""
        self._settings, self._clock, self._gate, self._hold = settings, clock, gate, hold
        self._running: dict[str, asyncio.Task[None]] = {}

    async def names(self) -> list[str]:
        """Return the profiles whose sync is looked after here. Raises StoreError."""
        users = await telegram_users(self._settings, self._clock)
        return await asyncio.to_thread(self._without, {OWNER, *users.values()})

    def _without(self, looked_after: set[str]) -> list[str]:
        return [
            name
            for name in known_profiles(self._settings)
            if name not in looked_after
            and remote_of(self._settings, name).remote
            and profile_of(self._settings, name).log_file.exists()
        ]

    async def run(self, speak: Tell) -> None:
        """Start each one that is not running. `speak` notifies the owner of pending decisions, and
        of the remote's changes to Sam's instructions."""
        for name in await self.names():
            if name not in self._running:
                self._running[name] = asyncio.create_task(self._sync(name, speak))
        if self._running:
            await asyncio.wait(set(self._running.values()), timeout=PATIENCE)

    async def close(self) -> None:
        """Cancel the running ones, and wait for their end."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _sync(self, name: str, speak: Tell) -> None:
        try:
            await self._run(name, speak)
        except (LockHeld, ServedElsewhere) as busy:  # the next run of the job tries again
            log.info("sync profile=%s: %s", name, busy)
        except SamError as failed:  # its text may name files: the sync's state keeps it
            log.warning("sync profile=%s failed: %s", name, type(failed).__name__)
        except Exception as unexpected:
            log.warning("sync profile=%s failed: unexpected %s", name, type(unexpected).__name__)
        finally:
            del self._running[name]

    async def _run(self, name: str, speak: Tell) -> None:
        async with (
            self._gate.slot(),
            self._hold(name),
            open_sync(self._settings, name, clock=self._clock) as (sync, store),
        ):
            try:
                done = await sync.run()
            except SyncStopped as why:
                await alerts.tell_stopped_elsewhere(store, speak, name, why)
                raise
            await alerts.end_stop(store)
        if done.instructions:
            await speak(alerts.instructions_elsewhere_message(name, done.instructions))
