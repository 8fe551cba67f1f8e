"""Delivery of updates to a webhook: one after another, each until it is accepted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import aiohttp

from tests.fakes.telegram_polls import Polls
from tests.fakes.telegram_store import Store

AGAIN = 0.2  # seconds until a refused update is sent again
LOOK = 0.02


class Deliveries:
    """Delivers while a webhook is set. `statuses`: of all attempts; 0: no connection."""

    def __init__(self, store: Store, polls: Polls, changed: Callable[[], None]) -> None:
        self.statuses: list[int] = []
        self._store, self._polls, self._changed = store, polls, changed

    async def run(self) -> None:
        """Deliver until cancelled."""
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
            while True:
                if not self._store.webhook or not self._polls.pending:
                    await asyncio.sleep(LOOK)
                    continue
                update = self._polls.pending[0]
                secret = {"X-Telegram-Bot-Api-Secret-Token": self._store.webhook_secret}
                try:
                    async with session.post(
                        self._store.webhook, json=update, headers=secret
                    ) as answer:
                        status = answer.status
                except (aiohttp.ClientError, TimeoutError):
                    status = 0
                self.statuses.append(status)
                if status == 200:
                    self._polls.pending.remove(update)
                else:
                    await asyncio.sleep(AGAIN)
                self._changed()
