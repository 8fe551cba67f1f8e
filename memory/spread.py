"""Spread: an answer's last hits come from other days and notes than its first ones. Pure.

What is asked for often stands in several places ("what books has she read?"), and one long talk
about it would fill the whole list. The first hits stay as they are. It knows no index.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .recall import Hit

LAST = 0.4  # of the hits wanted: measured with ten, docs/recall.md
NEAR = 0.5  # of the score of the hit that stands back: else it stays
DEPTH = 3  # times as many hits as are wanted are looked at


def spread(hits: Sequence[Hit], limit: int) -> list[Hit]:
    """The best `limit` of the hits, which are best first; the last ones from new places, if near.

    A place is a day of a chat, or a note.
    """
    first = limit - int(LAST * limit)
    chosen, left = list(hits[:first]), list(hits[first:])
    seen = {(hit.chat, hit.path) for hit in chosen}
    while left and len(chosen) < limit:
        new = next((hit for hit in left if (hit.chat, hit.path) not in seen), left[0])
        taken = new if new.score >= NEAR * left[0].score else left[0]
        left.remove(taken)
        chosen.append(taken)
        seen.add((taken.chat, taken.path))
    return sorted(chosen, key=lambda hit: -hit.score)  # stable
