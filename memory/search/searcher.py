"""A question's way to its hits: the index is brought up to date while its vector is made.

Knows the index and the queue of embedding; no vault, no log and no model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from ..config import MemorySettings
from ..db import Connection
from ..embedding import EmbeddingQueue
from ..index import Index
from ..index.embedding import waiting_note
from .query import Hit, Mode, Question, Recalled
from .ranking import Ranked, hits, merged, rank

NEAREST = 3  # passages that are told where nothing is found


class Searcher:
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
        texts = list(dict.fromkeys([questions[0].text, *questions[0].wordings]))
        asked = self._vectors(texts)
        (vectors, degraded), _ = await asyncio.gather(asked, self._refresh(*questions))
        if vectors[0] is not None and not await self._index.has_vectors():
            # Another generation by now: it was damaged.
            vectors, degraded = await self._vectors(texts)
        by_keywords = self._settings.fts_enabled or vectors[0] is None
        # Last, and read at once: the generation may be another after the embedder was waited for.
        # Words alone are not looked for before: two threads that compute wait for each other.
        db, candidates = await self._index.searched()
        ways = [
            partial(
                rank,
                vector=vector,
                by_keywords=by_keywords,
                weight=self._settings.vector_weight,
                multiplier=self._settings.candidate_multiplier,
                candidates=candidates,
            )
            for vector in vectors
        ]

        def look(db: Connection) -> tuple[str, list[tuple[list[Hit], list[Hit]]]]:
            note = waiting_note(db) if vectors[0] is not None else ""
            return note, [_looked(db, each, texts, ways) for each in questions]

        mode: Mode = "keywords"
        if vectors[0] is not None:
            mode = "hybrid" if by_keywords else "vectors"
        waiting, answers = await db.read(look)
        return [
            Recalled(texts[0], mode, found, degraded or waiting or None, nearest)
            for found, nearest in answers
        ]

    async def _vectors(self, texts: Sequence[str]) -> tuple[list[bytes | None], str]:
        """The vector of each wording, and why there is none, if there is none."""
        found = [await self._embeddings.ask(text) for text in texts]
        return [vector for vector, _ in found], found[0][1]


def _looked(
    db: Connection, question: Question, texts: Sequence[str], ways: Sequence[Ranked]
) -> tuple[list[Hit], list[Hit]]:
    """The hits; and where there are none, the nearest passages all the same."""

    def look(question: Question) -> list[Hit]:
        lists = [
            hits(db, replace(question, text=text), way)
            for text, way in zip(texts, ways, strict=True)
        ]
        return merged(lists, question) if len(lists) > 1 else lists[0]

    found = look(question)
    if found or question.every or not question.text.strip():
        return found, []
    return [], look(replace(question, every=True))[:NEAREST]
