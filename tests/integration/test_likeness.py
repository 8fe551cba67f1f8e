"""How similar the best hits are, on a real index."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.core import Memory
from memory.search import Question
from memory.search.newest.likeness import Likeness, likeness_of
from memory.search.ranking import USUAL_WEIGHT, RankingOptions, examine, likely_hits
from tests.support.memories import WordEmbedder, log_exchange, opened

SAID = (
    "the studio is on the third floor, room 318",
    "the studio is on the fourth floor now, room 402",
    "there is wonderful light in the afternoon, and a view of the river from the studio",
)
ASKED = "which room is the studio in?"


async def _likeness(memory: Memory) -> tuple[dict[str, int], Likeness]:
    vector = await memory.embeddings.query(ASKED) if memory.embedder else None
    db, candidates = await memory.searcher.search_functions()
    asked = Question(ASKED, memory.today())

    def look(db: Any) -> tuple[dict[str, int], Likeness]:
        found = examine(db, asked, vector, RankingOptions(True, USUAL_WEIGHT, 3, candidates))
        hits = likely_hits(db, asked, found)
        ids = {hit.text: hit.chunk_id for hit in hits}
        return ids, likeness_of(db, hits, found.asked.background)

    return await db.read(look)


@pytest.mark.parametrize("embedder", [WordEmbedder(), None])
async def test_hits_are_compared_by_their_vectors(
    tmp_path: Path, embedder: WordEmbedder | None
) -> None:
    async with opened(tmp_path, embedder=embedder) as memory:
        for said in SAID:
            await log_exchange(memory, said)
        await memory.reconcile()
        while embedder and await memory.embeddings.embed(64):
            pass
        ids, likeness = await _likeness(memory)
        old, new, other = (ids[said] for said in SAID)
        if embedder is None:
            assert likeness == {}, "nothing is similar without vectors"
            return
        assert likeness[old][new] == pytest.approx(likeness[new][old], abs=1e-4)
        assert likeness[old][old] > likeness[old][new] > likeness[old][other]
