"""In which order updates are handled: those of a chat one after another, chats side by side.

It knows no update's content; `lane` says which ones wait for each other. The library takes its own
semaphore before this code, so that is wide, and the number of turns is limited in here, after the
chat's lock: else one chat's burst would keep all others waiting.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, cast
from weakref import WeakValueDictionary

from telegram.ext import BaseUpdateProcessor

WIDE = 1024
TURNS = 8  # at once; more only wait for each other's network


class ByChat(BaseUpdateProcessor):
    """`lane(update)` names what an update waits behind; None: nothing."""

    __slots__ = ("_closing", "_lane", "_lanes", "_turns")

    def __init__(self, lane: Callable[[object], str | None], *, turns: int = TURNS) -> None:
        super().__init__(WIDE)
        self._lane = lane
        self._lanes: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._turns = asyncio.Semaphore(turns)
        self._closing = False

    @asynccontextmanager
    async def hold(self, lane: str) -> AsyncIterator[None]:
        """The lane, first come first served, and one of the turns."""
        lock = self._lanes.setdefault(lane, asyncio.Lock())
        async with lock, self._turns:
            yield

    async def do_process_update(self, update: object, coroutine: Awaitable[Any]) -> None:
        lane = self._lane(update)
        try:
            if lane is None:
                await self._unless_closing(coroutine)
                return
            async with self.hold(lane):
                await self._unless_closing(coroutine)
        finally:
            # Not begun: the inbox has the update, and the next start finds it there.
            cast(Coroutine[Any, Any, Any], coroutine).close()

    async def _unless_closing(self, coroutine: Awaitable[Any]) -> None:
        if not self._closing:
            await coroutine

    def close(self) -> None:
        """Begin nothing more."""
        self._closing = True

    async def initialize(self) -> None:
        """Nothing to open."""

    async def shutdown(self) -> None:
        """Nothing to close."""
