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
    for hit in hits[:_BEST]:
        answer = _answer_to(hit, hits)
        if answer is not None and order.index(answer) > order.index(hit):
            order.remove(answer)
            order.insert(order.index(hit), answer._replace(score=max(answer.score, hit.score)))
    return order


def _answer_to(hit: Hit, hits: Sequence[Hit]) -> Hit | None:
    """Return the hit that is Sam's answer to this message of the owner's, if any."""
    if not hit.is_message or hit.role != "user":
        return None
    wanted = ((hit.message_ids[0] + 1,), hit.chat, hit.date, "assistant")
    found = (hit for hit in hits if (hit.message_ids, hit.chat, hit.date, hit.role) == wanted)
    return next(found, None)
