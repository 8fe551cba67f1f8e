"""Which messages a summary came from: hits meet the bullets in the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..log.batches import Batches
from ..notes.markdown import lines, plain
from .candidates.query import Hit


async def sourced(hits: Sequence[Hit], batches: Batches) -> list[Hit]:
    """The hits; those of summaries with the ids of the messages that their bullets came from."""
    paths = {hit.path for hit in hits if hit.kind == "summary"}
    told = {path: await _told(path, batches) for path in paths}
    return [
        hit._replace(message_ids=_ids(hit, told[hit.path])) if hit.kind == "summary" else hit
        for hit in hits
    ]


async def _told(path: str, batches: Batches) -> dict[str, tuple[int, ...]]:
    return {plain(line): ids for line, ids in (await batches.sources_of(path)).items()}


def _ids(hit: Hit, told: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
    rows = (row.removeprefix("- ") for row in lines(hit.text))
    return tuple(sorted({id_ for row in rows for id_ in told.get(row, ())}))
