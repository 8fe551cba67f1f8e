"""Order the hits of a question for what Sam said ("what did you say about the plumber?"). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .candidates.query import Hit

_BEST = 3  # hits before which an answer is put


def sams_answers_first(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits, best first; a message of the owner's among the best few comes behind Sam's
    answer to it, if that was found, which gets the better score. By themselves, both have the
    question's words."""
    order = list(hits)
    for hit in (hit for hit in hits[:_BEST] if hit.is_message and hit.role == "user"):
        at = order.index(hit)
        wanted = ((hit.message_ids[0] + 1,), hit.chat, hit.date, "assistant")
        for later in range(at + 1, len(order)):
            other = order[later]
            if (other.message_ids, other.chat, other.date, other.role) == wanted:
                order.insert(at, order.pop(later)._replace(score=hit.score))
                break
    return order
