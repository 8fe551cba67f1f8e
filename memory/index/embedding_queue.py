"""Embed the chunks of the queue while no turn runs, and the questions of recall."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from datetime import date
from functools import partial
from weakref import WeakValueDictionary

from ..embedding import Embedder
from ..errors import EmbedderDown, EmbedderRefused, EmbedError, StoreError
from ..infra.sqlite import Connection, Row
from ..text.catalogue import tr
from .index import Index
from .tables import count_unsplit, count_waiting, set_meta
from .tables import waiting as next_waiting
from .vectorizer import RATE, embed_chunks, embed_query, embed_sentences, embed_some

log = logging.getLogger(__name__)

GIVE_WAY = 0.5  # seconds between two pages of notes: most turns have their context by then

JUST_SAID, JUST_SAID_SECONDS = 4, 1.0  # messages that may be embedded before an answer
SHORT = 100  # words of such a message: embedding it takes a tenth of a second

SAME_TURN = 10.0
"""Seconds before a question that could not be embedded is retried: one turn asks it for rules,
summaries and notes, and would wait for the embedder's timeout each time."""

keywords_alone: ContextVar[bool] = ContextVar("keywords_alone", default=False)
"""Whether questions must not be embedded, and are searched by keyword only."""


class EmbeddingQueue:
    """Embed chunks a few at a time, pausing while a turn runs."""

    def __init__(self, index: Index, embedder: Embedder | None, *, cache: bool) -> None:
        self._index, self._embedder, self._cache = index, embedder, cache
        self._shared = index.vector_file if cache else None
        self._turns = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._rate = 0.0
        self._failed: tuple[str, float, str] = ("", 0.0, "")  # question, when, why
        self._catching_up = asyncio.Lock()  # one turn asks several times concurrently
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.trouble = ""
        """Why embedding fails, in a sentence; empty while it works."""

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Start no further chunks within this context."""
        self._turns += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._turns -= 1
            if not self._turns:
                self._idle.set()

    async def idle(self) -> None:
        """Wait until no turn runs."""
        await self._idle.wait()

    async def give_way(self) -> None:
        """Yield to a running turn for at most GIVE_WAY seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(GIVE_WAY):
                await self.idle()

    async def embed(self, count: int) -> int:
        """Embed up to `count` chunks when no turn runs; return how many are left.

        When all of them have a vector, embed their sentences, likewise.

        Raises EmbedderDown and EmbedderRefused; `trouble` keeps the reason until it works again.
        """
        if self._embedder is None or not await self._index.has_embedder():
            return 0
        await self.idle()
        db, began = await self._index.db(), time.monotonic()
        try:
            done = await embed_some(
                db, self._embedder, count, cache=self._cache, shared=self._shared
            )
            took = time.monotonic() - began
            if done < count:
                await embed_sentences(
                    db, self._embedder, count - done, cache=self._cache, shared=self._shared
                )
        except Exception as why:
            self.trouble = str(why)
            raise
        self.trouble = ""
        if done and took > 0:
            rate = done / took
            self._rate = rate if not self._rate else 0.8 * self._rate + 0.2 * rate
            await db.write(partial(set_meta, name=RATE, value=f"{self._rate:.3g}"))
        return await db.read(_count_left)

    async def embed_just_said(self, since: date, without: Collection[int]) -> None:
        """Embed what people wrote last, since that day and without these messages, so that a
        question finds it by its meaning, too. It is embedded in the background later if it fails
        here, takes longer than JUST_SAID_SECONDS, or much else waits.

        Only with the local model, which takes some 30 ms for a message.
        """
        if self._embedder is None or self._embedder.identity.provider != "local":
            return
        if keywords_alone.get():
            return

        def is_just_said(row: Row) -> bool:
            is_recent = row["role"] == "user" and (row["date"] or "") >= since.isoformat()
            return is_recent and row["message_id"] not in without and row["words"] <= SHORT

        try:
            async with asyncio.timeout(JUST_SAID_SECONDS), self._catching_up:
                if not await self._index.has_embedder():
                    return
                db = await self._index.db()
                # Among few vectors, any message looks similar to any question.
                if await db.read(count_waiting) > 2 * JUST_SAID:
                    return
                # Sam's replies are between them.
                found = await db.read(partial(next_waiting, count=2 * JUST_SAID, only=is_just_said))
                chunks = found[:JUST_SAID]
                await embed_chunks(
                    db, self._embedder, chunks, cache=self._cache, shared=self._shared
                )
        except (TimeoutError, EmbedError, StoreError) as why:
            log.info("what was just said has no vector yet: %s", why or "it takes too long")

    async def waiting(self) -> int:
        """Count the chunks that can be embedded now, or their sentences; 0 while embedding
        fails."""
        if self._embedder is None or self.trouble:
            return 0
        return await (await self._index.db()).read(_count_left)

    async def ask(self, question: str) -> tuple[bytes | None, str]:
        """Return the question's vector as float32 bytes, or the reason for searching by keyword
        only."""
        if self._embedder is None or keywords_alone.get() or not question.strip():
            return None, ""
        try:
            if await self._index.has_vectors():
                return await self.query(question), ""
            why = tr("the vectors are not made yet")
        except EmbedError as failed:
            why = str(failed).removesuffix(".")  # it becomes a part of a sentence
        return None, tr("searched by keywords alone: {why}", why=why)

    async def query(self, question: str) -> bytes:
        """Return the question's vector as float32 bytes. Raises EmbedderDown, EmbedderRefused."""
        if self._embedder is None:
            raise EmbedderRefused("there is no embedder")
        if keywords_alone.get():
            raise EmbedderRefused("the question is not to be embedded")
        # One turn asks for it several times concurrently: only the first call reaches the embedder.
        async with self._asking.setdefault(question, asyncio.Lock()):
            failed, at, why = self._failed
            if question == failed and time.monotonic() - at < SAME_TURN:
                raise EmbedderDown(why)
            db = await self._index.db()
            try:
                return await embed_query(
                    db, self._embedder, question, cache=self._cache, shared=self._shared
                )
            except EmbedderDown as down:
                self._failed = (question, time.monotonic(), str(down))
                raise

    def seconds_left(self, waiting: int) -> float | None:
        """Estimate the time for the waiting chunks; None while the rate is unknown."""
        return waiting / self._rate if self._rate else None

    def describe(self) -> str:
        """Return provider and model, with `trouble` if there is any."""
        if self._embedder is None:
            return "none"
        named = f"{self._embedder.identity.provider}/{self._embedder.identity.model}"
        return f"{named} ({self.trouble})" if self.trouble else named


def _count_left(db: Connection) -> int:
    return count_waiting(db) + count_unsplit(db)
