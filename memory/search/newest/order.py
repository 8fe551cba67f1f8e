"""Rank the newest statement of a subject before those that it replaces. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..candidates.query import Hit
from .likeness import Likeness
from .replacement import ReplacementOdds

LED = 2  # best hits before which a newer statement may be moved
COMPARED = 12  # best hits among which newer statements are searched
DEPTH = 24  # best hits that similarities are compared with


def newest_first(
    hits: Sequence[Hit],
    likeness: Likeness,
    question: str,
    changeability: float | None = None,
    scores: Mapping[int, float] | None = None,
) -> list[Hit]:
    """Move each newer statement before the best ones that it replaces; those get its day as
    `until`. `changeability`: see question_kinds.py; `scores`: see `ReplacementOdds`.

    Only statements of the owner and other people are compared: Sam's answers repeat them.
    """
    order, left = list(hits[:COMPARED]), hits[COMPARED:]
    replacements = ReplacementOdds(hits[:DEPTH], likeness, question, changeability, scores)
    at = 0
    while at < min(LED, len(order)):
        old = order[at]
        odds, lead = max(
            ((replacements.odds(new, old), new) for new in order[at + 1 :]),
            key=lambda pair: pair[0],
            default=(0.0, old),
        )
        if odds <= 0.0:
            at += 1
            continue
        order.remove(lead)
        order.insert(at, lead._replace(score=max(lead.score, old.score)))
    for place, old in enumerate(order):
        leads = [new for new in order[: min(place, LED)] if replacements.odds(new, old) > 0.0]
        if leads:
            order[place] = old._replace(until=min(new.date for new in leads if new.date))
    return [*order, *left]
