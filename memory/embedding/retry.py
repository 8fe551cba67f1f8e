"""Retry with exponential back-off for embedding providers, within time limits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from ..errors import EmbedderDown
from ..infra.retry import Backoff
from .embedder import InputType

T = TypeVar("T")


class RateLimited(EmbedderDown):
    """The rate limit was hit. `wait`: the seconds to wait, as the provider says, or None."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        self.wait = wait
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class RetryLimits:
    """Time limits of the retries, in seconds.

    A query is short, because the user is waiting and keyword search can answer without vectors.
    Documents can wait: Voyage's free tier allows three requests a minute, so a rate limit passes
    within a minute.
    """

    query: float = 6.0
    document: float = 150.0
    query_timeout: float = 5.0
    document_timeout: float = 60.0
    first: float = 0.5
    most: float = 30.0

    def total(self, kind: InputType) -> float:
        """Return the seconds within which the last attempt must begin."""
        return self.query if kind == "query" else self.document

    def timeout(self, kind: InputType) -> float:
        """Return the timeout of one request, in seconds."""
        return self.query_timeout if kind == "query" else self.document_timeout


async def with_retries(
    call: Callable[[], Awaitable[T]], kind: InputType, patience: RetryLimits
) -> T:
    """Return the call's result; retry on EmbedderDown with exponential back-off.

    Raises the last EmbedderDown when the time is up, and any other error immediately.
    """
    end = time.monotonic() + patience.total(kind)
    waits = Backoff(patience.first, longest=patience.most).waits()
    while True:
        try:
            return await call()
        except EmbedderDown as down:
            asked = down.wait if isinstance(down, RateLimited) else None
            wait = asked or next(waits)  # some ask for 0 seconds, and refuse again
            if time.monotonic() + wait > end:
                raise
        await asyncio.sleep(wait)
