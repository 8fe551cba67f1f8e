"""The queue between polling and handling, which stores updates before it accepts them.

Telegram deletes an update when the next poll confirms it, and the library confirms it after `put`.
So `put` returns only once the update is in the inbox: it retries until then, and never raises,
because an error would end the polling task silently.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from telegram import Update

from memory.infra import Backoff, failpoint

from ...inbox import Updates

log = logging.getLogger(__name__)

BACKOFF = Backoff(first=0.5, longest=10.0)


class InboxQueue(asyncio.Queue[object]):
    """`trouble`: why updates cannot be stored at present, or None; `tried_at`: loop time."""

    def __init__(
        self,
        updates: Updates,
        chat_of: Callable[[Update], str | None],
        payload_of: Callable[[Update], str],
        stored: Callable[[Update], None] = lambda update: None,
    ) -> None:
        """`stored` is called with each update that is in the inbox, before it is handled."""
        super().__init__()
        self._tell = stored
        self._updates, self._chat_of, self._payload_of = updates, chat_of, payload_of
        self.trouble: str | None = None
        self.tried_at = 0.0

    async def put(self, item: object) -> None:
        """Store an update, then queue it; a known one is not queued again."""
        if not isinstance(item, Update):  # the library's stop signal
            await super().put(item)
            return
        if await self._stored(item):
            failpoint("after_inbox")
            await super().put(item)

    def put_nowait(self, item: object) -> None:
        """Queue an update that is in the inbox; called by `put`, too."""
        if isinstance(item, Update):
            self._tell(item)
        super().put_nowait(item)

    async def _stored(self, update: Update) -> bool:
        waits = BACKOFF.waits()
        while True:
            self.tried_at = asyncio.get_running_loop().time()
            try:
                new = await self._updates.receive(
                    update.update_id, self._chat_of(update), self._payload_of(update)
                )
            except Exception as wrong:
                # Any error: without returning nothing is confirmed, and Telegram keeps the update.
                self.trouble = f"messages cannot be stored: {wrong}"
                log.error("update=%s cannot be stored: %s", update.update_id, wrong)
                await asyncio.sleep(next(waits))
            else:
                self.trouble = None
                return new
