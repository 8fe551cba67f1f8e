"""Waiting for a provider that is busy or away, within limits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from ..errors import EmbedderDown
from ..infra.retry import Backoff
from .embedder import Kind

T = TypeVar("T")


class Limited(EmbedderDown):
    """Too many requests or tokens a minute. `wait`: the seconds the provider asked for, or None."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        self.wait = wait
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to go on trying, in seconds.

    A query keeps a person waiting, and keywords answer without it. Documents have time: three
    requests a minute are allowed on Voyage's free tier, so a limit passes within a minute.
    """

    query: float = 6.0
    document: float = 150.0
    query_timeout: float = 5.0
    document_timeout: float = 60.0
    first: float = 0.5
    most: float = 30.0

    def total(self, kind: Kind) -> float:
        """Seconds until the last attempt may begin."""
        return self.query if kind == "query" else self.document

    def timeout(self, kind: Kind) -> float:
        """Seconds for one request."""
        return self.query_timeout if kind == "query" else self.document_timeout


async def patiently(call: Callable[[], Awaitable[T]], kind: Kind, patience: Patience) -> T:
    """The call's result, tried again on EmbedderDown, twice as late each time.

    Raises the last EmbedderDown when the patience is over, anything else at once.
    """
    end = time.monotonic() + patience.total(kind)
    waits = Backoff(patience.first, longest=patience.most).waits()
    while True:
        try:
            return await call()
        except EmbedderDown as down:
            asked = down.wait if isinstance(down, Limited) else None
            wait = next(waits) if asked is None else asked
            if time.monotonic() + wait > end:
                raise
        await asyncio.sleep(wait)
