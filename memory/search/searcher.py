"""Answer questions from the index; update the index while the questions are embedded."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import StoreError
from ..index import Index
from ..index.embedding_queue import EmbeddingQueue
from ..index.vectorizer import Backlog, backlog
from ..infra.malloc import return_free_memory
from ..infra.sqlite import Connection, Database
from ..text.catalogue import mark, tr
from .candidates.query import Hit, Mode, Question, Recalled
from .candidates.sql import BY_SQL, Candidates
from .fusion import merge_wordings
from .ranking import Ranked, RankingOptions, hits, rank

if TYPE_CHECKING:
    from .in_memory.cache import SearchCache

log = logging.getLogger(__name__)
T = TypeVar("T")

SLOW = mark("it was slow, so only words were searched, and not the newest notes")
HANGS = mark("it did not answer in time, so nothing was recalled")

Find = Callable[[Sequence[Question], bool], Coroutine[Any, Any, list[Recalled]]]
"""Answer questions; with True by keyword only, from the index as it is."""


async def in_time(
    find: Find, questions: Sequence[Question], seconds: float | None
) -> list[Recalled]:
    """Answer each question within twice `seconds`; None: no limit.

    After `seconds`, stop waiting and search by keyword only; after as many again, return an empty
    answer. Both set `degraded`.
    """
    for quick, note in ((False, ""), (True, SLOW)):
        try:
            found = await within(seconds, find(questions, quick))
            slow = tr(note) if note else None
            return [replace(each, degraded=slow or each.degraded, late=quick) for each in found]
        except TimeoutError:
            log.warning("recall did not answer in seconds=%s quick=%s", seconds, quick)
    return [Recalled(each.text, "keywords", degraded=tr(HANGS), late=True) for each in questions]


async def within(seconds: float | None, work: Coroutine[Any, Any, T]) -> T:
    """Return the work's result, or raise TimeoutError after so many seconds; None: no limit.

    A hanging thread cannot be cancelled, so it is abandoned.
    """
    task = asyncio.create_task(work)
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        task.cancel()
        raise
    if done:
        return task.result()
    task.cancel()
    task.add_done_callback(lambda late: late.cancelled() or late.exception())
    raise TimeoutError


NEAREST = 3  # nearest passages that are reported if there are no hits
_RECENT = timedelta(days=1)  # so old may be what was just said
_TRIED_AGAIN = 20  # questions after which it is checked again whether the index is worth caching


class Searcher:
    """Answer questions from one index; `refresh` updates it for the given questions."""

    def __init__(
        self,
        index: Index,
        embeddings: EmbeddingQueue,
        refresh: Callable[..., Awaitable[None]],
        *,
        by_keywords: bool,
        vector_weight: float,
        candidate_multiplier: int,
    ) -> None:
        """`by_keywords`: use keywords besides vectors; without vectors they are always used."""
        self._index, self._embeddings, self._refresh = index, embeddings, refresh
        self._by_keywords = by_keywords
        self._weight, self._multiplier = vector_weight, candidate_multiplier
        self._generation: Database | None = None
        self._cache: SearchCache | None = None
        self._reading: asyncio.Task[None] | None = None
        self._asked, self._closed = 0, False

    async def find(self, questions: Sequence[Question], *, quick: bool = False) -> list[Recalled]:
        """Return the hits of each question, best first. All must have the same text. Raises
        StoreError.

        `quick`: search by keyword only, in the index as it is, without waiting for the embedder or
        the indexing.
        """
        texts = list(dict.fromkeys([questions[0].text, *questions[0].wordings]))
        vectors: list[bytes | None] = [None] * len(texts)
        degraded = ""
        if not quick:
            asked, up_to_date = self._vectors(texts), self._bring_up_to_date(questions)
            (vectors, degraded), _ = await asyncio.gather(asked, up_to_date)
            if (vectors[0] is not None) != await self._index.has_vectors():
                # Meanwhile it got its first vectors, or was found damaged and was replaced.
                vectors, degraded = await self._vectors(texts)
        by_keywords = self._by_keywords or vectors[0] is None
        # Only now, because the generation may have changed while the embedder worked. Searching
        # keywords meanwhile would not help: two computing threads wait for each other.
        db, candidates = await self.search_functions()
        options = RankingOptions(by_keywords, self._weight, self._multiplier, candidates)
        rankers = [partial(rank, vector=vector, options=options) for vector in vectors]

        def look(db: Connection) -> tuple[Backlog | None, list[tuple[list[Hit], list[Hit]]]]:
            waiting = backlog(db) if vectors[0] is not None else None
            return waiting, [_looked(db, each, texts, rankers) for each in questions]

        mode: Mode = "keywords"
        if vectors[0] is not None:
            mode = "hybrid" if by_keywords else "vectors"
        waiting, answers = await db.read(look)
        degraded = degraded or (waiting.described() if waiting is not None else "")
        return [
            Recalled(texts[0], mode, found, degraded or None, nearest) for found, nearest in answers
        ]

    async def search_functions(self) -> tuple[Database, Candidates]:
        """Return the database and how to search it: by SQL, or in the in-memory cache once it is
        loaded.

        SQL answers a single question faster than the cache can be loaded. Loading starts in the
        background with the second question (in the process that runs Sam, with the first one), and
        is retried now and then while the index is too small.
        """
        db = await self._current()
        self._asked += 1
        cache = self._cache if self._cache and self._cache.is_sound else None
        first = 1 if self._index.is_sole else 2
        wanted = cache.is_stale if cache else self._asked % _TRIED_AGAIN == first
        if wanted and (self._reading is None or self._reading.done()):
            self._reading = asyncio.create_task(self.load_cache())
        return db, cache.candidates() if cache else BY_SQL

    async def load_cache(self) -> None:
        """Load the in-memory search cache; do nothing if the index is small."""
        from .in_memory.cache import SearchCache  # NumPy, which a single question does not need

        try:
            db = await self._current()

            def wanted() -> bool:
                return self._index.serves(db) and not self._closed

            cache = await asyncio.to_thread(SearchCache.read, db.path, wanted)
            if wanted():
                self._cache = cache
            # The previous cache, and buffers of about its size.
            await asyncio.to_thread(return_free_memory)
        except StoreError as why:
            log.warning("index is searched by SQL alone: %s", why)

    async def refresh_cache(self) -> None:
        """Refresh the in-memory search cache ahead of the next question."""
        db = await self._current()  # first: it drops the cache of another generation
        if self._cache is not None:
            await db.read(self._cache.follow)

    async def close(self) -> None:
        """Wait until the cache is loaded; call this before the index is closed."""
        self._closed = True
        if self._reading is not None:
            await asyncio.wait([self._reading])

    async def _current(self) -> Database:
        """Return the published generation; drop the cache of another one."""
        db = await self._index.db()
        if db is not self._generation:
            self._generation, self._cache, self._asked = db, None, 0
        return db

    async def _bring_up_to_date(self, questions: Sequence[Question]) -> None:
        await self._refresh(*questions)
        known = frozenset[int]().union(*(each.without_messages for each in questions))
        await self._embeddings.embed_just_said(questions[0].today - _RECENT, known)

    async def _vectors(self, texts: Sequence[str]) -> tuple[list[bytes | None], str]:
        """Return the vector of each wording, and the reason if there are none."""
        found = [await self._embeddings.ask(text) for text in texts]
        return [vector for vector, _ in found], found[0][1]


def _looked(
    db: Connection, question: Question, texts: Sequence[str], rankers: Sequence[Ranked]
) -> tuple[list[Hit], list[Hit]]:
    """Return the hits, and if there are none, the nearest passages regardless of their score."""

    def look(question: Question) -> list[Hit]:
        lists = [
            hits(db, replace(question, text=text), ranker)
            for text, ranker in zip(texts, rankers, strict=True)
        ]
        return merge_wordings(lists, question) if len(lists) > 1 else lists[0]

    found = look(question)
    if found or question.every or not question.text.strip():
        return found, []
    return [], look(replace(question, every=True))[:NEAREST]
