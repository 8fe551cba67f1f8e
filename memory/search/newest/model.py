"""The fitted weights by which a newer statement is taken to replace an older one.

Three logistic regressions on pairs of hits of the questions of 74 people, of which a tenth ask for
what has changed: with vectors of the local model, which also tell how changeable the answer is
(question_kinds.py), with vectors of other models, and without.
`python -m tests.benchmarks.recall --fit-newest` prints these weights (docs/dev/recall.md).
"""

from __future__ import annotations

from typing import NamedTuple


class Features(NamedTuple):
    """The features of a pair of statements, or their weights.

    `score`, `old_score`: logarithms of both scores; `place`: the logarithm of half the newer one's
    place among the hits, from 1; `near`: how similar the two are, in standard deviations; `rival`:
    by how much that is more than the newer one's similarity with any other older statement;
    `old_rival`: likewise, than the older one's with any other statement; `shared`: share of the
    shorter text's words that the other has; `cover`, `old_cover`: shares of the question's words
    that each has; `change`: 1 if the newer one mentions a change; `same_form`: 1 if it has a number
    that is written like one of the older one's; `no_number`: 1 if it has none where the older one
    has; `other_name`: 1 if it lacks a name of the question that the older one has; `shorter`: the
    logarithm of how many times shorter it is; `wordy`: that of the shorter one's words as a
    multiple of twelve, if more; `in_row`: 1 if it was said right after the older one and corrects
    nothing; `unrelated`: 1 if it shares no word with the older one or the question.
    """

    score: float
    old_score: float
    place: float
    near: float
    rival: float
    old_rival: float
    shared: float
    cover: float
    old_cover: float
    change: float
    same_form: float
    no_number: float
    other_name: float
    shorter: float
    wordy: float
    in_row: float
    unrelated: float
    one: float = 1.0


BY_LOCAL_VECTORS = Features(
    score=0.79,
    old_score=0.17,
    place=-0.88,
    near=0.29,
    rival=0.21,
    old_rival=0.28,
    shared=2.60,
    cover=-0.68,
    old_cover=1.78,
    change=0.67,
    same_form=0.67,
    no_number=0.06,
    other_name=0.19,
    shorter=-0.19,
    wordy=-0.39,
    in_row=-2.34,
    unrelated=-0.45,
    one=0.00,
)
BY_VECTORS = Features(
    score=0.80,
    old_score=0.12,
    place=-0.82,
    near=0.37,
    rival=0.19,
    old_rival=0.20,
    shared=2.37,
    cover=-0.41,
    old_cover=2.32,
    change=0.79,
    same_form=0.81,
    no_number=0.06,
    other_name=-0.04,
    shorter=-0.25,
    wordy=-0.53,
    in_row=-2.21,
    unrelated=-0.37,
    one=-1.59,
)
BY_WORDS = Features(
    score=0.38,
    old_score=0.55,
    place=-1.08,
    near=0.00,
    rival=0.00,
    old_rival=0.00,
    shared=5.52,
    cover=0.80,
    old_cover=1.33,
    change=1.13,
    same_form=1.25,
    no_number=-0.50,
    other_name=-0.04,
    shorter=-0.24,
    wordy=-0.27,
    in_row=-0.94,
    unrelated=-0.74,
    one=-2.27,
)
