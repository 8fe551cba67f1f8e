"""Dispatch updates: those of a chat one after another, different chats concurrently.

Updates of one `lane` wait for each other. The library acquires its own semaphore before this code,
so that is large, and the number of turns is limited here, after the chat's lock: otherwise one
chat's burst would block all others.

Updates in flight during repeated crashes ("poison messages") are retried one at a time before all
others, so that the next crash shows which of them causes it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, nullcontext
from typing import Any, cast
from weakref import WeakValueDictionary

from telegram import Update
from telegram.ext import BaseUpdateProcessor

from memory.text import mark, tr

from ...inbox import Received
from ...markdown_escape import escape

WIDE = 1024
TURNS = 8  # concurrent; more would only wait for the network
SUSPECT = 2  # tries during which Sam crashed, together with other updates


CRASHED, BUG = mark("Sam crashed each time"), mark("a bug, described in my log")
SET_ASIDE = mark(
    "I tried several times to handle a message of yours, and failed ({}). It is set aside in my "
    "inbox for 30 days: `sam inbox` shows it. Sending it again may help."
)
NOT_KEPT = mark(
    "I tried several times to handle a message of yours, and failed ({}). It was incognito: "
    "`sam inbox` shows only that it arrived. Sending it again may help."
)
NOT_READ = mark(
    "You sent something that I cannot read ({}). It is set aside in my inbox for 30 days: `sam "
    "inbox` shows it. Can you put it differently?"
)
NEITHER = mark(
    "You sent something that I cannot read ({}). It was incognito: `sam inbox` shows only that it "
    "arrived. Can you put it differently?"
)


def suspects(taken_up: Sequence[tuple[Received, Update]]) -> list[Update]:
    """Return the updates in flight during two or more crashes, in the order to retry them.

    The least tried go first, so that a harmless update is not hit by each crash. Updates of a chat
    stay in order. Edits are never suspects: they need the message that they correct.
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
    """`lane(update)`: the queue of an update; None: no queue. `at_once(update)`: whether it does
    not wait for suspects either."""

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
        """Handle these one at a time, in the order in which they come, before all others."""
        self._suspects.update(each.update_id for each in updates)
        if self._suspects:
            self._clear.clear()

    @asynccontextmanager
    async def locked(self, lane: str) -> AsyncIterator[None]:
        """Own the lane (first come, first served) and one of the TURNS within this context."""
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
            # Do not begin it: the next start finds the update in the inbox.
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
        async with self.locked(lane) if lane is not None else nullcontext():
            if not self._closing:
                await coroutine

    def close(self) -> None:
        """Begin no more updates."""
        self._closing = True
        self._clear.set()

    async def initialize(self) -> None:
        """No-op: nothing to open."""

    async def shutdown(self) -> None:
        """No-op: nothing to close."""


def set_aside_notice(reason: str, *, is_read: bool, kept: bool) -> str:
    """Return the notice to the sender of an update that was set aside, as Markdown.

    `is_read`: it could be parsed; `kept`: it can be shown, because it was not incognito.
    """
    words = (SET_ASIDE if kept else NOT_KEPT) if is_read else (NOT_READ if kept else NEITHER)
    return tr(words).format(escape(tr(reason if " " in reason else BUG)))
