"""Refine the scores of the best units with a small neural network, and tell with another one
whether they answer the question. Pure.

The score model is linear: a word in common counts the same whether or not the vectors agree, and
whether or not another unit has it, too. The first network sees the features of a unit together,
beside those of its rivals; the second one those of the three best units (docs/dev/recall.md). They
are fitted on people whom the embedder was not trained on, and some questions of other sets: `python
-m tests.benchmarks.recall --fit-refinement` writes the weights.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .evidence import FEATURES, Evidence, QuestionFeatures
from .score_model import ALL, HYBRID, around, logistic

WEIGHTS = Path(__file__).with_name("refinement.f32")
"""For each layer the matrix, (inputs, outputs), and the constants; then the share of the linear
model's worth, and the weights of `chance`. Float32."""
ANSWER_WEIGHTS = Path(__file__).with_name("answered.f32")
"""The layers of the network that tells whether there is an answer, likewise."""
LINEAR = HYBRID  # the linear model with which the network was fitted
REFINED = 40  # best units by the linear model; the worth of all others stays below theirs
LAYERS = (30, 64, 64, 1)
TELLING = 3  # best units that tell whether there is an answer
_RANKS = (0, 1, 2, 4)  # of the units whose probabilities tell it, too
_OF_QUESTION = 7  # properties of the question that tell it
ANSWER_LAYERS = (_OF_QUESTION + len(_RANKS) + TELLING * (LAYERS[0] + 1), 32, 1)
_COVER, _KEYWORDS, _VECTOR = map(FEATURES.index, ("cover", "keywords", "vector"))
_LARGEST = 3.0  # of an input
_MEAN_OF = 5  # most similar units


class Network(NamedTuple):
    """The weights: pairs of a matrix and constants; see WEIGHTS."""

    layers: Sequence[tuple[Any, Any]]
    share: float
    chance: Any


class Inputs(NamedTuple):
    """What the first network sees. `rows`: of the best units, (up to REFINED, LAYERS[0]); `order`:
    their places among all units, best first; `worth`: of all units, by the linear model."""

    rows: Any
    order: Any
    worth: Any


class Refined(NamedTuple):
    """`chances`: the ids of the units' passages and the probability that each answers the question,
    as by `score_model.chances`. `answered`: the probability that one of the best does."""

    chances: dict[int, float]
    answered: float


def refined(found: Sequence[Evidence], asked: QuestionFeatures) -> Refined:
    """Return what the networks tell of at least one unit with vectors."""
    given = inputs(found)
    odds = log_odds(found, given, _network())
    chances = [logistic(value) for value in odds.tolist()]
    answered = output(_answer_layers(), answer_inputs(asked, given, odds)[None])
    ids = (each.id for each in found)
    return Refined(dict(zip(ids, chances, strict=True)), logistic(float(answered[0])))


def log_odds(found: Sequence[Evidence], given: Inputs, network: Network) -> Any:
    """Return the log-odds that each unit answers the question, (n,)."""
    gained = output(network.layers, given.rows)
    return chance_features(found, given, gained, network.share) @ network.chance


def inputs(found: Sequence[Evidence]) -> Inputs:
    """Return what the first network sees of at least one unit: the features of each, its worth,
    that of the units around it and its likeness, each also beside the best, and the best of all."""
    import numpy as np  # not where there are no vectors: importing it takes 0.1 s

    x = np.array([each.features for each in found])
    likeness = np.array([each.likeness for each in found])
    own = dict(zip((each.id for each in found), (x @ LINEAR.own).tolist(), strict=True))
    near = np.array(around(found, own))
    worth = np.column_stack([[*own.values()], near]) @ LINEAR.around
    order = np.argsort(-worth, kind="stable")
    place = np.empty(len(found))
    place[order] = np.arange(len(found))
    cover, vector = x[:, _COVER], x[:, _VECTOR]
    nearest = np.sort(vector)[::-1]
    second = nearest[min(1, len(nearest) - 1)]
    of_question = [
        cover.max(),
        nearest[0],
        nearest[:_MEAN_OF].mean(),
        x[:, _KEYWORDS].max(),
        (cover >= ALL).sum() / _MEAN_OF,
    ]
    columns = [
        x,
        worth[:, None] / 4,
        (worth - worth.max())[:, None] / 4,
        near,
        likeness[:, None] / 4,
        np.log1p(place)[:, None] / 3,
        (vector - second)[:, None],
        (vector - nearest[0])[:, None],
        (cover - cover.max())[:, None],
        np.tile(of_question, (len(found), 1)),
    ]
    order = order[:REFINED]
    rows = np.hstack(columns)[order].clip(-_LARGEST, _LARGEST)
    return Inputs(rows, order, worth)


def answer_inputs(asked: QuestionFeatures, given: Inputs, odds: Any) -> Any:
    """Return what the second network sees, (ANSWER_LAYERS[0],).

    These are properties of the question, the log-odds of the best units (if there are fewer, of the
    last one again), and for each of the three best what the first network sees, and 1; zeros for a
    missing one. `odds`: of all units, (n,); only the refined ones count.
    """
    import numpy as np

    of_refined = odds[given.order]
    best = np.argsort(-of_refined, kind="stable")
    ranks = np.minimum(_RANKS, len(best) - 1)
    few = best[:TELLING]
    rows = np.zeros((TELLING, LAYERS[0] + 1))
    rows[: len(few), :-1], rows[: len(few), -1] = given.rows[few], 1.0
    of_question = (
        asked.missing,
        asked.missing_names,
        asked.unknown,
        asked.general / 4,
        asked.sams_words,
        float(asked.asks),
        math.log1p(len(odds)) / 3,
    )
    seen = np.concatenate([of_question, of_refined[best[ranks]] / 4, rows.ravel()])
    return seen.clip(-_LARGEST, _LARGEST)


def output(layers: Sequence[tuple[Any, Any]], rows: Any) -> Any:
    """Return the last layer's value for each row, (n,)."""
    import numpy as np

    value = rows
    for number, (matrix, constants) in enumerate(layers, 1):
        value = value @ matrix + constants
        if number < len(layers):
            value = value / (1.0 + np.exp(-1.702 * value))  # GELU, as by Hendrycks and Gimpel 2016
    return value[:, 0]


def chance_features(found: Sequence[Evidence], given: Inputs, gained: Any, share: float) -> Any:
    """Return what the probability of each unit is computed from, (n, 5): its worth, the distance
    from the best one's, the share of the question that it covers, its likeness, and 1."""
    import numpy as np

    worth = share * given.worth + gained.min()
    worth[given.order] += gained - gained.min()
    covers = [each.covered for each in found]
    likeness = [each.likeness for each in found]
    return np.array([worth, worth - worth.max(), covers, likeness, np.ones(len(found))]).T


@functools.cache
def _network() -> Network:
    return unpacked(_read(WEIGHTS))


@functools.cache
def _answer_layers() -> Sequence[tuple[Any, Any]]:
    return unpacked_layers(_read(ANSWER_WEIGHTS), ANSWER_LAYERS)


def _read(path: Path) -> Any:
    import numpy as np

    return np.frombuffer(path.read_bytes(), "<f4").astype(np.float64)


def unpacked(weights: Any) -> Network:
    """Return the first network of all weights in a row, as in WEIGHTS."""
    return Network(unpacked_layers(weights, LAYERS), float(weights[-6]), weights[-5:])


def unpacked_layers(weights: Any, sizes: Sequence[int]) -> Sequence[tuple[Any, Any]]:
    """Return the layers of these sizes, whose weights come first in a row."""
    layers, at = [], 0
    for given, out in itertools.pairwise(sizes):
        matrix = weights[at : at + given * out].reshape(given, out)
        at += given * out
        layers.append((matrix, weights[at : at + out]))
        at += out
    return layers
