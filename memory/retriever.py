"""A question's way to its hits: its words are looked for while its vector is made.

Knows the index and the queue of embedding; no vault, no log and no model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from .config import MemorySettings
from .db import Database
from .embedding import EmbeddingQueue
from .index import Index
from .recall import Candidates, Mode, Question, Recalled, candidate_count, latest, rank


class Retriever:
    """Answers questions from one index; `refresh` brings it up to date before each."""

    def __init__(
        self,
        index: Index,
        embeddings: EmbeddingQueue,
        settings: MemorySettings,
        refresh: Callable[[], Awaitable[None]],
    ) -> None:
        self._index, self._embeddings = index, embeddings
        self._settings, self._refresh = settings, refresh

    async def find(self, question: Question) -> Recalled:
        """The passages nearest to the question, best first. StoreError."""
        asked = self._embeddings.ask(question.text)
        (vector, degraded), (db, candidates) = await asyncio.gather(asked, self._words(question))
        if vector is not None and not await self._index.has_vectors():
            # Another generation by now: it was damaged.
            vector, degraded = await self._embeddings.ask(question.text)
        if await self._index.db() is not db:  # published while the embedder was waited for
            db, candidates = await self._index.searched()
        by_keywords = self._settings.fts_enabled or vector is None
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

    async def _words(self, question: Question) -> tuple[Database, Candidates]:
        """Where to search, with what was found there by the question's words."""
        await self._refresh()
        db, candidates = await self._index.searched()
        if not self._settings.fts_enabled or not question.text.strip():
            return db, candidates
        count = candidate_count(question, self._settings.candidate_multiplier)
        found = await db.read(lambda connection: candidates.keywords(connection, question, count))
        return db, replace(candidates, keywords=lambda *_: found)
