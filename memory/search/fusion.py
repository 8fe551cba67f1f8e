"""Fuse rankings into one: of keywords and vectors, and of several wordings. Pure.

Candidates of each kind are scaled to [0, 1] within their list, then weighted and added. If one list
is empty, the other counts fully; a candidate in only one list gets that list's share.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from datetime import date

from .candidates.query import Hit, Question


def scaled(scores: Mapping[int, float]) -> dict[int, float]:
    """Scale the scores of one list, larger is better, to (0, 1]; the best is 1.

    The worst of the list stays above 0, so that every find counts.
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
    """Fuse two lists of scores in [0, 1]; `weight` is the vectors' share.

    The result is the weighted sum; a candidate in only one list gets its score × the weight of that
    list. If a list is empty, the weights are renormalised, so that a strong keyword hit is not
    halved without vectors; the same applies to the `unknown`, which have no vector yet.
    """
    if not vectors or not keywords:
        return dict(vectors or keywords)
    return {
        item: keywords[item]
        if item in unknown and item in keywords
        else weight * vectors.get(item, 0.0) + (1.0 - weight) * keywords.get(item, 0.0)
        for item in vectors.keys() | keywords.keys()
    }


def merge_wordings(lists: Sequence[Sequence[Hit]], question: Question) -> list[Hit]:
    """Merge the hits of several wordings of one question: each with its best score, in the order of
    the sums of their scores.

    What was replaced by a newer hit under one wording has its last day under all, and comes after
    that hit.
    """
    best: dict[int, Hit] = {}
    sums: dict[int, float] = defaultdict(float)
    replaced: list[tuple[date, int, int]] = []  # the last day, the hit, and the newer one
    for hits in lists:
        for place, hit in enumerate(hits):
            id_ = hit.chunk_id
            sums[id_] += hit.score
            if id_ not in best or hit.score > best[id_].score:
                best[id_] = hit
            if (until := hit.until) is not None:
                replaced += ((until, id_, n.chunk_id) for n in hits[:place] if n.date == until)
    last: dict[int, date] = {}
    for until, old, new in sorted(replaced):
        last.setdefault(old, until)
        sums[new] = max(sums[new], sums[old])
        best[new] = best[new]._replace(score=max(best[new].score, best[old].score))
    found = [hit._replace(until=last.get(hit.chunk_id, hit.until)) for hit in best.values()]
    found.sort(key=lambda hit: (-sums[hit.chunk_id], hit.until is not None, -hit.chunk_id))
    return found[: question.limit]
