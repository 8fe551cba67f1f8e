"""A question's way to its hits: the index is brought up to date while its vector is made.

Knows the index and the queue of embedding; no vault, no log and no model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from .config import MemorySettings
from .db import Connection
from .embedding import EmbeddingQueue
from .index import Index
from .recall import Hit, Mode, Question, Recalled, hits, rank


class Retriever:
    """Answers questions from one index; `refresh` brings it up to date for some."""

    def __init__(
        self,
        index: Index,
        embeddings: EmbeddingQueue,
        settings: MemorySettings,
        refresh: Callable[..., Awaitable[None]],
    ) -> None:
        self._index, self._embeddings = index, embeddings
        self._settings, self._refresh = settings, refresh

    async def find(self, questions: Sequence[Question]) -> list[Recalled]:
        """For each the passages nearest to it, best first; all have the same text. StoreError."""
        text = questions[0].text
        asked = self._embeddings.ask(text)
        (vector, degraded), _ = await asyncio.gather(asked, self._refresh(*questions))
        if vector is not None and not await self._index.has_vectors():
            # Another generation by now: it was damaged.
            vector, degraded = await self._embeddings.ask(text)
        by_keywords = self._settings.fts_enabled or vector is None
        # Last, and read at once: the generation may be another after the embedder was waited for.
        # Words alone are not looked for before: two threads that compute wait for each other.
        db, candidates = await self._index.searched()

        ranked = partial(
            rank,
            vector=vector,
            by_keywords=by_keywords,
            weight=self._settings.vector_weight,
            multiplier=self._settings.candidate_multiplier,
            candidates=candidates,
        )

        def look(db: Connection) -> list[list[Hit]]:
            return [hits(db, each, ranked) for each in questions]

        mode: Mode = "keywords"
        if vector is not None:
            mode = "hybrid" if by_keywords else "vectors"
        return [Recalled(text, mode, found, degraded or None) for found in await db.read(look)]
