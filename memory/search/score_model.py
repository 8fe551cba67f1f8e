"""The score model: evidence → the probability that a passage answers the question. Pure.

A linear model in three steps: the unit's own evidence, what the best units around it add, and the
resulting probability (docs/dev/recall.md). The weights are fitted on the recall benchmark by
`python -m tests.benchmarks.recall --fit`, which prints them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .evidence import FEATURES, Evidence, QuestionFeatures


class RelatedFeatures(NamedTuple):
    """What tells whether something here is related to a question, or the weight of each.

    `chance`: the best unit's; `cover`: the largest of the three best; `missing`: the share of the
    question's information that occurs nowhere; `names`: that of its names, if none occurs;
    `inside`: 1 if one of the three best is from its period.
    """

    chance: float
    cover: float
    missing: float
    names: float
    inside: float
    one: float = 1.0


class ScoreModel(NamedTuple):
    """The weights for search with or without vectors. `own`: by FEATURES; `around`: of the unit
    itself, the second messages before and after it, and the best of its day; `chance`: see
    `chances`; `related`: see the function of that name."""

    own: tuple[float, ...]
    around: tuple[float, float, float]
    chance: tuple[float, float, float, float, float]
    related: RelatedFeatures


HYBRID = ScoreModel(
    (
        3.76,  # cover
        2.38,  # keywords
        6.86,  # vector
        -3.46,  # both
        1.36,  # before
        0.79,  # after
        -2.04,  # sam
        -0.14,  # note
        -3.61,  # asks
        0.93,  # length
        0.22,  # speaker
        2.84,  # inside
        -0.23,  # soon
        -2.61,  # outside
        1.00,  # manual
        1.20,  # foreign
    ),
    (0.93, 0.86, 0.89),
    (0.37, 0.42, 0.09, 0.32, -3.80),
    RelatedFeatures(11.37, 2.09, -1.35, -11.01, 1.00, -3.07),
)
KEYWORDS = ScoreModel(
    (
        3.34,  # cover
        3.63,  # keywords
        0.00,  # vector
        0.00,  # both
        1.89,  # before
        1.25,  # after
        -2.79,  # sam
        -0.22,  # note
        -3.29,  # asks
        1.11,  # length
        0.68,  # speaker
        2.52,  # inside
        -0.22,  # soon
        -2.30,  # outside
        1.00,  # manual
        1.20,  # foreign
    ),
    (0.95, 0.88, 0.48),
    (0.13, 0.58, 1.33, 0.00, -2.53),
    RelatedFeatures(13.92, 3.75, -1.60, -18.20, 1.84, -3.23),
)

LEAST = 0.07
"""Below this probability that something is related, a question has no hits."""
SURE, SURE_BY_NETWORK = 0.7, 0.55
"""Thresholds below which hits are marked as weak (`is_doubtful`): of the probability that something
is related alone, and of that and a network's that there is an answer. A question that is nearly
answered looks like one that is, so that the first one has to be high to mark most of them."""

UNKNOWN = 10.0
"""Subtracted from the log-odds that something is related, times the share of the question's
information in words that neither the index nor a language knows (unknown_words.py). Not fitted,
since few sets have such questions: from 6 to 12, the invented names that it empties and the right
answers that it hides are much the same."""

GENERAL = 2.0
"""Subtracted from the log-odds that something is related, times the log-odds that the question is
about general knowledge (question_kinds.py). Not fitted, since few sets have such questions: at 2,
it hides about one right answer of a hundred."""

_INSIDE = FEATURES.index("inside")


def shifted(model: ScoreModel, share: float) -> ScoreModel:
    """Return the model with the vectors' weights times `share` (VECTOR_WEIGHT / its default)."""
    if share == 1.0:
        return model
    own = [
        weight * share if name in ("vector", "both") else weight
        for name, weight in zip(FEATURES, model.own, strict=True)
    ]
    return model._replace(own=tuple(own))


def chances(found: Sequence[Evidence], model: ScoreModel) -> dict[int, float]:
    """Map the ids of the units' passages to the probability that each answers the question.

    `chance` weighs the unit's worth, its distance from the best one's, the share of the question
    that it covers, its likeness, and the constant 1.
    """
    worth = worths(found, model)
    best = max(worth.values(), default=0.0)
    worths_, gaps, covers, likeness, one = model.chance
    return {
        each.id: logistic(
            worths_ * worth[each.id]
            + gaps * (worth[each.id] - best)
            + covers * each.features[0]
            + likeness * each.likeness
            + one
        )
        for each in found
    }


_FEW = 3  # best units that tell whether something is related
ALL = 0.99
"""A unit that covers this share of the question's information counts as having all of its words."""


def related(features: RelatedFeatures, asked: QuestionFeatures, model: ScoreModel) -> float:
    """Return the probability that the question is about something here, and not one of somebody
    else: after the features, words that nobody knows count (UNKNOWN), and general knowledge
    (GENERAL)."""
    odds = _dot(model.related, features)
    return logistic(odds - UNKNOWN * asked.unknown - GENERAL * asked.general)


def is_doubtful(related: float, answered: float | None, *, complete: bool) -> bool:
    """Return whether to mark the hits as weak: it is not likely enough that something is related or
    answers. `answered`: the probability of an answer by refinement.py, if known; `complete`: see
    `has_all_words`."""
    if complete:
        return False
    return related < SURE if answered is None else min(related, answered) < SURE_BY_NETWORK


def has_all_words(found: Sequence[Evidence], chances: Mapping[int, float]) -> bool:
    """Return whether one of the best units has all of the question's words."""
    return any(each.covered >= ALL for each in _best(found, chances))


def related_features(
    found: Sequence[Evidence], chances: Mapping[int, float], asked: QuestionFeatures
) -> RelatedFeatures:
    """Return the features of a question with at least one unit."""
    best = _best(found, chances)
    return RelatedFeatures(
        chance=chances[best[0].id],
        cover=max(each.covered for each in best),
        missing=asked.missing,
        names=asked.missing_names,
        inside=max(each.features[_INSIDE] for each in best),
    )


def _best(found: Sequence[Evidence], chances: Mapping[int, float]) -> list[Evidence]:
    return sorted(found, key=lambda each: -chances[each.id])[:_FEW]


def worths(found: Sequence[Evidence], model: ScoreModel) -> dict[int, float]:
    """Return each unit's worth, from itself and its neighbours; comparable within one question."""
    own = {each.id: _dot(model.own, each.features) for each in found}
    return {
        each.id: _dot(model.around, (own[each.id], *near))
        for each, near in zip(found, around(found, own), strict=True)
    }


def around(found: Sequence[Evidence], own: Mapping[int, float]) -> list[tuple[float, float]]:
    """Return for each unit the scores of the second messages before and after it, and of the best
    message of its day in its chat.

    Each score is its odds against the best unit of all, from 0 to 1; 0 for notes. Adjacent messages
    are left out: their words already count, as features of the unit.
    """
    best = max(own.values(), default=0.0)
    odds: dict[tuple[str, str], dict[int, float]] = defaultdict(dict)
    for each in found:
        if each.message is not None:
            odds[each.place][each.message] = math.exp(own[each.id] - best)
    top = {place: max(said.values()) for place, said in odds.items()}
    result = []
    for each in found:
        if each.message is None:
            result.append((0.0, 0.0))
            continue
        said, at = odds[each.place], each.message
        result.append((said.get(at - 2, 0.0) + said.get(at + 2, 0.0), top[each.place]))
    return result


def logistic(value: float) -> float:
    """Return 1 / (1 + e^-x), without overflow."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, value))))


def _dot(weights: Sequence[float], values: Sequence[float]) -> float:
    return sum(map(float.__mul__, weights, values))
