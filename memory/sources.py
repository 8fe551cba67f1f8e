"""Which messages a summary came from: hits meet the bullets in the log. Knows no index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .log.batches import Batches
from .note import plain
from .recall import Hit


async def sourced(hits: Sequence[Hit], batches: Batches) -> list[Hit]:
    """The hits; those of summaries with the ids of the messages that their bullets came from."""
    told = {
        path: [(plain(line), ids) for line, ids in (await batches.sources_of(path)).items()]
        for path in {hit.path for hit in hits if hit.kind == "summary"}
    }
    return [
        replace(hit, message_ids=_ids(hit, told[hit.path])) if hit.kind == "summary" else hit
        for hit in hits
    ]


def _ids(hit: Hit, told: Sequence[tuple[str, tuple[int, ...]]]) -> tuple[int, ...]:
    return tuple(sorted({id_ for line, ids in told if line in hit.text for id_ in ids}))
