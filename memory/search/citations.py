"""Find the messages that a summary's hits came from, by the bullets in the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..log.batches import Batches
from ..notes.markdown import lines, plain
from .candidates.query import Hit


async def sourced(hits: Sequence[Hit], batches: Batches) -> list[Hit]:
    """Return the hits; those of summaries with the ids of the messages behind their bullets."""
    paths = {hit.path for hit in hits if hit.kind == "summary"}
    by_path = {path: await _messages_by_line(path, batches) for path in paths}
    return [
        hit._replace(message_ids=_ids(hit, by_path[hit.path])) if hit.kind == "summary" else hit
        for hit in hits
    ]


async def _messages_by_line(path: str, batches: Batches) -> dict[str, tuple[int, ...]]:
    return {plain(line): ids for line, ids in (await batches.sources_of(path)).items()}


def _ids(hit: Hit, by_line: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
    rows = (row.removeprefix("- ") for row in lines(hit.text))
    return tuple(sorted({id_ for row in rows for id_ in by_line.get(row, ())}))
