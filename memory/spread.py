"""Spread: an answer's last hits come from other days and notes than its first ones. Pure.

What is asked for often stands in several places ("what books has she read?"), and one long talk
about it would fill the whole list. One place that holds the answer stands out by its scores; where
they are flat, many places are as likely, and more of them are shown. It knows no index.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .recall import Hit

LAST = 0.4  # of the hits wanted: measured with ten, docs/recall.md
LAST_OF_FLAT = 0.8  # where the scores are flat
FLAT = 0.7  # of the best score is what the hit in the middle has, or more
NEAR = 0.5  # of the score of the hit that stands back: else it stays
DEPTH = 4  # times as many hits as are wanted are looked at


def spread(hits: Sequence[Hit], limit: int) -> list[Hit]:
    """The best `limit` of the hits, which are best first; the last ones from new places, if near.

    A place is a day of a chat, or a note.
    """
    first = limit - int((LAST_OF_FLAT if _flat(hits, limit) else LAST) * limit)
    chosen, left = list(hits[:first]), list(hits[first:])
    seen = {(hit.chat, hit.path) for hit in chosen}
    while left and len(chosen) < limit:
        new = next((hit for hit in left if (hit.chat, hit.path) not in seen), left[0])
        taken = new if new.score >= NEAR * left[0].score else left[0]
        left.remove(taken)
        chosen.append(taken)
        seen.add((taken.chat, taken.path))
    return sorted(chosen, key=lambda hit: -hit.score)  # stable


def _flat(hits: Sequence[Hit], limit: int) -> bool:
    """Whether the hit in the middle of those wanted is nearly as good as the best one."""
    middle = max(2, (limit + 1) // 2)
    return len(hits) >= middle and hits[middle - 1].score >= FLAT * hits[0].score
