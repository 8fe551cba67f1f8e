"""Resume what another process left: replies, open turns, and received updates."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from functools import partial
from typing import Any

from telegram import Update
from telegram.ext import ExtBot

from memory import SamError, StoreError
from memory.infra import Backoff
from memory.text import speaking

from ...assistant import Assistant
from ...assistant.profiles import Profiles
from ...inbox import Inbox, Received, Reply
from ..api.connection import read, unreadable_update
from .dispatcher import ByChat, suspects
from .inbox_queue import InboxQueue

log = logging.getLogger(__name__)

FILE_KEY = "file:"  # begins the keys of files: the press of a button makes and sends them
BACKOFF = Backoff(first=1.0, longest=60.0)


class Resumer:
    """Resume the last process's work: replies, then suspected updates, then the rest in order."""

    def __init__(
        self,
        inbox: Inbox,
        profiles: Profiles,
        order: ByChat,
        queue: InboxQueue,
        bot: ExtBot[None],
        *,
        arrived: Callable[[Update], object],
        send: Callable[[Reply], Awaitable[None]],
        later: Callable[[Coroutine[Any, Any, object]], None],
    ) -> None:
        """`arrived` is called with each update before it is queued. `send` sends and records a
        reply, `later` runs work in the background."""
        self._inbox, self._profiles = inbox, profiles
        self._order, self._queue, self._bot = order, queue, bot
        self._arrived, self._send, self._later = arrived, send, later

    async def resume_all(self) -> None:
        """Resume the last process' work, of all profiles."""
        received = await self._inbox.updates.received()
        replies = await self._inbox.replies.unsettled()
        if received or replies:
            log.info("resuming updates=%d replies=%d", len(received), len(replies))
        close = await self.resume_replies(received, replies)
        await self._profiles.once_per_profile(close)
        await asyncio.sleep(0)  # the replies enter their chats' lanes before the updates
        self.queue_updates([(each, self.parse_update(each)) for each in received])

    async def resume_replies(
        self, received: Sequence[Received], replies: Sequence[Reply]
    ) -> Callable[[Assistant], Coroutine[Any, Any, None]]:
        """Send the replies. Return a function that closes a profile's open turns whose update was
        set aside or lost. `received`: the waiting updates."""
        waiting = {f"{FILE_KEY}{each.update_id}" for each in received}
        for reply in replies:
            if reply.key.startswith(FILE_KEY) and reply.key not in waiting:
                await self._inbox.replies.give_up(reply.key, "its press was set aside")
                await self._inbox.replies.settle(reply.key)
            self._later(self.finish(reply))
        waiting_chats = {each.chat for each in received}
        replied = {(each.profile, each.turn) for each in replies}
        return partial(_close_turns, waiting_chats, replied)

    def parse_update(self, received: Received) -> Update:
        """Return the update; an empty one if it cannot be read."""
        try:
            return read(received.payload, self._bot)
        except ValueError as wrong:
            log.error("update=%s cannot be read: %s", received.update_id, type(wrong).__name__)
            return unreadable_update(received.update_id)

    def queue_updates(self, found: Sequence[tuple[Received, Update]]) -> None:
        """Queue the updates; those that may have crashed the process are handled alone."""
        for _, update in found:
            self._arrived(update)
        alone = suspects(found)
        self._order.suspect(alone)
        for update in [*alone, *(other for _, other in found if other not in alone)]:
            self._queue.put_nowait(update)

    async def finish(self, reply: Reply) -> None:
        """Send and record a stored reply, in its chat's turn; retry until a store takes it."""
        waits = BACKOFF.waits()
        while True:
            try:
                async with self._order.locked(reply.where.chat):
                    now = await self._inbox.replies.get(reply.key)
                    if now is not None and not now.settled:
                        with speaking(await self._language(now.profile)):
                            await self._send(now)
                return
            except StoreError as full:
                log.error("reply=%s waits for a store: %s", reply.key, full)
            await asyncio.sleep(next(waits))

    async def _language(self, name: str) -> str:
        """Return the language of a profile; "" for one that is gone, or cannot be opened now."""
        if name in self._profiles.names:
            with contextlib.suppress(SamError):
                async with self._profiles.use(name) as profile:
                    return await profile.language()
        return ""


async def _close_turns(
    waiting: Collection[str | None], replied: Collection[tuple[str, int | None]], profile: Assistant
) -> None:
    """Close the turns that the last process left open, and whose update is set aside or lost.

    `waiting`: the chats of the updates that it left; `replied`: the turns of its replies.
    """
    for turn in await profile.memory.log.turns.open("telegram:"):
        if turn.chat not in waiting and (profile.name, turn.id) not in replied:
            log.warning("turn=%s was left open, its update is gone", turn.id)
            await profile.turns.fail(turn, "interrupted")
