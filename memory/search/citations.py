"""Find the messages that hits in notes came from: by a summary's bullets, by a fact's line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..notes.markdown import lines, plain
from .candidates.query import Hit

if TYPE_CHECKING:
    from ..log import Log

_FACTS = ("fact", "rule")


async def sourced(hits: Sequence[Hit], source: Log) -> list[Hit]:
    """Return the hits; those of summaries and facts with the ids of the messages behind them."""
    by_path: dict[str, dict[str, tuple[int, ...]]] = {}
    for path, kind in {(hit.path, hit.kind) for hit in hits}:
        if kind == "summary":
            of_day = await source.batches.sources_of(path)
            by_path[path] = {plain(line): ids for line, ids in of_day.items()}
        elif kind in _FACTS:
            rows = (await source.facts.of_path(path)).values()
            by_path[path] = {plain(row.text): row.sources for row in rows}
    return [
        hit._replace(message_ids=_ids(hit, by_path[hit.path])) if hit.path in by_path else hit
        for hit in hits
    ]


def _ids(hit: Hit, by_line: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
    rows = (row.removeprefix("- ") for row in lines(hit.text))
    return tuple(sorted({id_ for row in rows for id_ in by_line.get(row, ())}))
