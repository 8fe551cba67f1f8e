"""The queue of updates: offsets, long polls, conflicts."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Any

from tests.fakes.telegram_text import Refused

UNASKED = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
"""Kinds of updates that a bot gets only if it lists them in `allowed_updates`."""

CONFLICT = (
    "Conflict: terminated by other getUpdates request; "
    "make sure that only one bot instance is running"
)
LONGEST_POLL = 50  # seconds; Telegram caps the timeout at this


class Polls:
    """Unconfirmed updates, and the one long poll that may be waiting."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self.pending: list[dict[str, Any]] = []
        self.conflicts = 0
        self.handed: dict[int, float] = {}
        self._changed = changed
        self._allowed: frozenset[str] | None = None
        self._next_id = 70_000_001
        self._waiting: asyncio.Future[None] | None = None
        self._closed = False
        self._again: list[dict[str, Any]] = []
        self._repeats = 0
        self._shuffles = 0

    def add(self, kind: str, value: dict[str, Any]) -> int:
        """Queue an update and return its id; drop kinds that the bot did not subscribe to."""
        update_id = self._next_id
        self._next_id += 1
        wanted = kind not in UNASKED if self._allowed is None else kind in self._allowed
        if wanted:
            self.pending.append({"update_id": update_id, kind: value})
            self._wake()
        return update_id

    def repeat(self, times: int) -> None:
        self._repeats += times

    def shuffle(self, times: int) -> None:
        self._shuffles += times

    def close(self) -> None:
        """End the waiting poll with no updates."""
        self._closed = True
        self._wake()

    async def poll(
        self,
        offset: int = 0,
        limit: int = 100,
        timeout: int = 0,
        allowed_updates: list[str] | None = None,
    ) -> list[dict[str, Any]]:
        """Answer getUpdates. A poll that was already waiting ends with a 409."""
        self._end_older()
        if allowed_updates is not None:
            self._allowed = frozenset(allowed_updates) or None
        self._confirm(offset)
        self._changed()
        if not (self.pending or self._again) and timeout > 0 and not self._closed:
            waiting = self._waiting = asyncio.get_running_loop().create_future()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(waiting, min(timeout, LONGEST_POLL))
        batch = self._batch(limit if 1 <= limit <= 100 else 100)
        for each in batch:
            self.handed.setdefault(each["update_id"], time.monotonic())
        return batch

    def _end_older(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self.conflicts += 1
            self._waiting.set_exception(Refused(409, CONFLICT))
        self._waiting = None

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def _confirm(self, offset: int) -> None:
        if offset < 0:
            self.pending = self.pending[offset:]
        elif offset > 0:
            self.pending = [each for each in self.pending if each["update_id"] >= offset]

    def _batch(self, limit: int) -> list[dict[str, Any]]:
        fresh = self.pending[:limit]
        batch = [*self._again, *(each for each in fresh if each not in self._again)]
        self._again = []
        if batch and self._repeats:
            self._repeats -= 1
            self._again = list(batch)
        if len(batch) > 1 and self._shuffles:
            self._shuffles -= 1
            batch.reverse()
        return batch[:limit]
