"""In which order updates are handled: those of a chat one after another, chats side by side.

`lane` says which ones wait for each other. The library takes its own semaphore before this code, so
that is wide, and the number of turns is limited in here, after the chat's lock: else one chat's
burst would keep all others waiting.

What was in work when Sam died, again and again, is a suspect: those are handled one at a time
before all others, so that the next death tells which of them it was.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast
from weakref import WeakValueDictionary

from telegram import Update
from telegram.ext import BaseUpdateProcessor

from ..inbox import Received

WIDE = 1024
TURNS = 8  # at once; more only wait for each other's network
SUSPECT = 2  # tries that Sam did not survive, with whatever else was in work


def suspects(taken_up: Sequence[tuple[Received, Update]]) -> list[Update]:
    """Those that were in work when Sam died, twice or more, in the order to handle them one by one.

    The least tried go first: so one that nothing is wrong with is not what dies each time. Those of
    a chat stay in their order. An edit is none: it needs the message that it corrects.
    """
    found = [
        (was, update)
        for was, update in taken_up
        if was.tries >= SUSPECT and update.edited_message is None
    ]
    most: dict[str | None, int] = {}
    for was, _ in found:
        most[was.chat] = max(was.tries, most.get(was.chat, 0))
    return [update for _, update in sorted(found, key=lambda each: most[each[0].chat])]


class ByChat(BaseUpdateProcessor):
    """`lane(update)` names what an update waits behind; None: nothing. `at_once(update)`: whether
    it does not even wait for suspects."""

    __slots__ = (
        "_alone",
        "_at_once",
        "_clear",
        "_closing",
        "_lane",
        "_lanes",
        "_suspects",
        "_turns",
    )

    def __init__(
        self,
        lane: Callable[[object], str | None],
        at_once: Callable[[object], bool],
        *,
        turns: int = TURNS,
    ) -> None:
        super().__init__(WIDE)
        self._lane, self._at_once = lane, at_once
        self._lanes: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._turns = asyncio.Semaphore(turns)
        self._suspects: set[int] = set()
        self._alone, self._clear = asyncio.Lock(), asyncio.Event()
        self._clear.set()
        self._closing = False

    def suspect(self, updates: Sequence[Update]) -> None:
        """These are handled one at a time, in the order in which they come, before all others."""
        self._suspects.update(each.update_id for each in updates)
        if self._suspects:
            self._clear.clear()

    @asynccontextmanager
    async def hold(self, lane: str) -> AsyncIterator[None]:
        """The lane, first come first served, and one of the turns."""
        lock = self._lanes.setdefault(lane, asyncio.Lock())
        async with lock, self._turns:
            yield

    async def do_process_update(self, update: object, coroutine: Awaitable[Any]) -> None:
        try:
            if isinstance(update, Update) and update.update_id in self._suspects:
                await self._by_itself(update, coroutine)
            else:
                if not self._at_once(update):
                    await self._clear.wait()
                await self._in_lane(update, coroutine)
        finally:
            # Not begun: the inbox has the update, and the next start finds it there.
            cast(Coroutine[Any, Any, Any], coroutine).close()

    async def _by_itself(self, update: Update, coroutine: Awaitable[Any]) -> None:
        try:
            async with self._alone:
                await self._in_lane(update, coroutine)
        finally:
            self._suspects.discard(update.update_id)
            if not self._suspects:
                self._clear.set()

    async def _in_lane(self, update: object, coroutine: Awaitable[Any]) -> None:
        lane = self._lane(update)
        if lane is None:
            await self._unless_closing(coroutine)
            return
        async with self.hold(lane):
            await self._unless_closing(coroutine)

    async def _unless_closing(self, coroutine: Awaitable[Any]) -> None:
        if not self._closing:
            await coroutine

    def close(self) -> None:
        """Begin nothing more."""
        self._closing = True
        self._clear.set()

    async def initialize(self) -> None:
        """Nothing to open."""

    async def shutdown(self) -> None:
        """Nothing to close."""
