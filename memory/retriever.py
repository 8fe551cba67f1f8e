"""A question's way to its hits: the index is brought up to date while its vector is made.

Knows the index and the queue of embedding; no vault, no log and no model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from .config import MemorySettings
from .embedding import EmbeddingQueue
from .index import Index
from .recall import Mode, Question, Recalled, latest, rank


class Retriever:
    """Answers questions from one index; `refresh` brings it up to date for each."""

    def __init__(
        self,
        index: Index,
        embeddings: EmbeddingQueue,
        settings: MemorySettings,
        refresh: Callable[[Question], Awaitable[None]],
    ) -> None:
        self._index, self._embeddings = index, embeddings
        self._settings, self._refresh = settings, refresh

    async def find(self, question: Question) -> Recalled:
        """The passages nearest to the question, best first. StoreError."""
        asked = self._embeddings.ask(question.text)
        (vector, degraded), _ = await asyncio.gather(asked, self._refresh(question))
        if vector is not None and not await self._index.has_vectors():
            # Another generation by now: it was damaged.
            vector, degraded = await self._embeddings.ask(question.text)
        by_keywords = self._settings.fts_enabled or vector is None
        # Last, and read at once: the generation may be another after the embedder was waited for.
        # Words alone are not looked for before: two threads that compute wait for each other.
        db, candidates = await self._index.searched()
        ranked = partial(
            rank,
            question=question,
            vector=vector,
            by_keywords=by_keywords,
            weight=self._settings.vector_weight,
            multiplier=self._settings.candidate_multiplier,
            candidates=candidates,
        )
        look = ranked if question.text.strip() else partial(latest, question=question)
        hits = await db.read(look)
        mode: Mode = "keywords"
        if vector is not None:
            mode = "hybrid" if by_keywords else "vectors"
        return Recalled(question.text, mode, hits, degraded or None)
