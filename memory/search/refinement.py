"""Refine the scores of the best units with a small neural network. Pure.

The score model is linear: a word in common counts the same whether or not the vectors agree, and
whether or not another unit has it, too. The network sees the features of a unit together, beside
those of its rivals (docs/recall.md). It is fitted on people whom the embedder was not trained on:
`python -m tests.benchmarks.recall --fit-refinement` writes its weights.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .evidence import FEATURES, Evidence
from .score_model import ALL, HYBRID, around, logistic

WEIGHTS = Path(__file__).with_name("refinement.f32")
"""For each layer the matrix, (inputs, outputs), and the constants; then the share of the linear
model's worth, and the weights of `chance`. Float32."""
LINEAR = HYBRID  # the linear model with which the network was fitted
REFINED = 40  # best units by the linear model; all others stay behind them
LAYERS = (30, 64, 64, 1)
_COVER, _KEYWORDS, _VECTOR = map(FEATURES.index, ("cover", "keywords", "vector"))
_LARGEST = 3.0  # of an input
_MEAN_OF = 5  # most similar units


class Network(NamedTuple):
    """The weights: pairs of a matrix and constants; see WEIGHTS."""

    layers: Sequence[tuple[Any, Any]]
    share: float
    chance: Any


class Inputs(NamedTuple):
    """What the network sees. `rows`: of the best units, (up to REFINED, LAYERS[0]); `order`: their
    places among all units, best first; `worth`: of all units, by the linear model."""

    rows: Any
    order: Any
    worth: Any


def refined(found: Sequence[Evidence]) -> dict[int, float]:
    """Map the ids of the units' passages to the probability that each answers the question, as
    `score_model.chances` does. The vectors must be those of the local model."""
    if not found:
        return {}
    network, given = _network(), inputs(found)
    odds = chance_features(found, given, output(network, given.rows), network.share)
    return {
        each.id: logistic(value)
        for each, value in zip(found, (odds @ network.chance).tolist(), strict=True)
    }


def inputs(found: Sequence[Evidence]) -> Inputs:
    """Return what the network sees of at least one unit: the features of each, its worth, that of
    the units around it and its likeness, each also beside the best, and the best of all."""
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


def output(network: Network, rows: Any) -> Any:
    """Return what the network adds to the worth of each row, (n,)."""
    import numpy as np

    value = rows
    for number, (matrix, constants) in enumerate(network.layers, 1):
        value = value @ matrix + constants
        if number < len(network.layers):
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
    import numpy as np

    return unpacked(np.frombuffer(WEIGHTS.read_bytes(), "<f4").astype(np.float64))


def unpacked(weights: Any) -> Network:
    """Return the network of all weights in a row, as in WEIGHTS."""
    layers, at = [], 0
    for given, out in itertools.pairwise(LAYERS):
        matrix = weights[at : at + given * out].reshape(given, out)
        at += given * out
        layers.append((matrix, weights[at : at + out]))
        at += out
    return Network(layers, float(weights[at]), weights[at + 1 :])
