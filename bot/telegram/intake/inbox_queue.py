"""The queue between receiving and handling updates, which stores them before it accepts them.

Telegram deletes an update when the next poll confirms it, and the library confirms it after `put`.
So `put` returns only once the update is in the inbox: it retries until then, and never raises,
because an error would end the polling task silently.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from telegram import Update

from memory import StoreError
from memory.infra import Backoff, failpoint

from ...inbox import Updates

log = logging.getLogger(__name__)

STORE_BACKOFF = Backoff(first=0.5, longest=10.0)


class InboxQueue(asyncio.Queue[object]):
    """`trouble`: why updates cannot be stored now, or None; `tried_at`: loop time of the last
    attempt."""

    def __init__(
        self,
        updates: Updates,
        chat_of: Callable[[Update], str | None],
        payload_of: Callable[[Update], str],
        on_stored: Callable[[Update], None] = lambda update: None,
        *,
        on_failure: Callable[[Update, str], Awaitable[None]] | None = None,
        shared: bool = False,
    ) -> None:
        """`on_stored` is called with each update that is in the inbox, before it is handled;
        `on_failure` with one that cannot be stored, and why, before each further attempt.
        `shared`: several workers take the updates from the inbox, so none is queued here."""
        super().__init__()
        self._on_stored, self._on_failure, self._shared = on_stored, on_failure, shared
        self._updates, self._chat_of, self._payload_of = updates, chat_of, payload_of
        self._unsure: set[int] = set()  # updates that a failed try may have stored
        self.trouble: str | None = None
        self.tried_at = 0.0

    async def put(self, item: object) -> None:
        """Store an update, then queue it; a known one is not queued again."""
        if not isinstance(item, Update):  # the library's stop signal
            await super().put(item)
            return
        if await self._store_until_it_works(item):
            await self._pass_on(item)

    async def accept(self, update: Update) -> None:
        """Store an update of a webhook; queue it unless it is known. Raises StoreError."""
        try:
            new = await self._receive(update)
        except StoreError as wrong:
            self.trouble = f"messages cannot be stored: {wrong}"
            raise
        self.trouble = None
        if new:
            await self._pass_on(update)

    async def _pass_on(self, update: Update) -> None:
        failpoint("after_inbox")
        if not self._shared:
            await super().put(update)

    def put_nowait(self, item: object) -> None:
        """Queue an update that is in the inbox; also called by `put`."""
        if isinstance(item, Update):
            self._on_stored(item)
        super().put_nowait(item)

    async def _receive(self, update: Update) -> bool:
        """Store it; return whether to queue it. Raises StoreError.

        A try that failed may have stored it all the same, if the connection broke before the answer
        came. So an update that is known after such a try is queued as well; one that is queued
        twice is handled once.
        """
        chat, payload = self._chat_of(update), self._payload_of(update)
        try:
            new = await self._updates.receive(update.update_id, chat, payload)
        except BaseException:
            self._unsure.add(update.update_id)
            raise
        if update.update_id in self._unsure:
            self._unsure.remove(update.update_id)
            return True
        return new

    async def _store_until_it_works(self, update: Update) -> bool:
        """Store it, as often as it takes; return whether to queue it."""
        waits = STORE_BACKOFF.waits()
        while True:
            self.tried_at = asyncio.get_running_loop().time()
            try:
                new = await self._receive(update)
            except Exception as wrong:
                # Any error: without returning nothing is confirmed, and Telegram keeps the update.
                self.trouble = f"messages cannot be stored: {wrong}"
                log.error("update=%s cannot be stored: %s", update.update_id, wrong)
                if self._on_failure is not None:
                    await self._on_failure(update, self.trouble)
                await asyncio.sleep(next(waits))
            else:
                self.trouble = None
                return new
