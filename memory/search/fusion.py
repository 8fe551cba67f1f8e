"""Fusion: rankings → one ranking. Pure.

Candidates of each kind are scaled to [0, 1] within their list, then weighted and added. Where one
list is missing altogether the other counts fully; a candidate that only one of two lists has keeps
the share of that list. Measured against reciprocal-rank fusion: docs/recall.md.
"""

from __future__ import annotations

from collections.abc import Container, Mapping


def scaled(scores: Mapping[int, float]) -> dict[int, float]:
    """Scores of one list, larger is better → (0, 1], the best 1.

    The worst of the list keeps a little, so that being found at all still counts for something.
    """
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if high == low:
        return dict.fromkeys(scores, 1.0)
    floor = 1.0 / (len(scores) + 1)
    return {
        item: floor + (1.0 - floor) * (score - low) / (high - low) for item, score in scores.items()
    }


def fuse(
    vectors: Mapping[int, float],
    keywords: Mapping[int, float],
    weight: float,
    *,
    unknown: Container[int] = (),
) -> dict[int, float]:
    """Two lists of scores in [0, 1] → one; `weight` is the vectors' share.

    A candidate of one list: its score × that list's weight; of both: the weighted sum. With one
    list empty the weights are renormalised, so that a strong keyword hit is not halved for want of
    vectors; so they are for the `unknown`, which have no vector yet.
    """
    if not vectors or not keywords:
        return dict(vectors or keywords)
    return {
        item: keywords[item]
        if item in unknown and item in keywords
        else weight * vectors.get(item, 0.0) + (1.0 - weight) * keywords.get(item, 0.0)
        for item in vectors.keys() | keywords.keys()
    }
