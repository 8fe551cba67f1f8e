"""The small network that refines the scores of the best units."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.search import refinement, score_model
from memory.search.evidence import FEATURES, Evidence
from memory.search.refinement import LAYERS, LINEAR, REFINED, inputs, output, refined, unpacked


def units(rows: Sequence[Sequence[float]]) -> list[Evidence]:
    """Messages of different days, so that none is near another."""
    vector = FEATURES.index("vector")
    return [
        Evidence(n, 10 * n, ("", str(n)), tuple(row), 2 * row[vector]) for n, row in enumerate(rows)
    ]


def unit(cover: float, vector: float) -> list[float]:
    row = [0.0] * len(FEATURES)
    row[FEATURES.index("cover")], row[FEATURES.index("vector")] = cover, vector
    return row


def test_nothing_found_has_no_scores() -> None:
    assert refined([]) == {}


@given(
    st.lists(
        st.tuples(st.floats(0, 1), *[st.floats(-2, 2) for _ in FEATURES[1:]]),
        min_size=1,
        max_size=60,
    )
)
def test_each_unit_has_a_probability(rows: list[tuple[float, ...]]) -> None:
    scores = refined(units(rows))
    assert list(scores) == list(range(len(rows)))
    assert all(0.0 <= score <= 1.0 for score in scores.values())


def test_only_the_best_are_refined_and_the_others_keep_their_order_behind_them() -> None:
    found = units([unit(0.0, 1.2 - n / 50) for n in range(REFINED + 20)])
    scores = refined(found)
    rest = [scores[n] for n in range(REFINED, REFINED + 20)]
    assert len(inputs(found).rows) == REFINED
    assert rest == sorted(rest, reverse=True)
    assert min(scores[n] for n in range(REFINED)) > rest[0]


def test_more_similar_and_more_words_in_common_is_more_probable() -> None:
    scores = refined(units([unit(0.5, 0.3), unit(0.5, 1.2), unit(1.0, 1.2)]))
    assert scores[0] < scores[1] < scores[2]


def test_the_network_sees_rivals() -> None:
    alone, beside = units([unit(0.6, 0.9)]), units([unit(0.6, 0.9), unit(0.6, 1.3)])
    of_rival = inputs(beside).rows[list(inputs(beside).order).index(0)]
    assert not np.allclose(inputs(alone).rows[0], of_rival)
    assert refined(alone)[0] != pytest.approx(refined(beside)[0])


def test_the_weights_are_those_of_the_layers() -> None:
    count = sum(a * b + b for a, b in itertools.pairwise(LAYERS)) + 1 + 5
    weights = np.frombuffer(refinement.WEIGHTS.read_bytes(), "<f4")
    assert len(weights) == count
    network = unpacked(np.arange(count, dtype=float))
    (matrix, constants), *_, (last, constant) = network.layers
    assert matrix[0].tolist() == list(range(64)) and constants[0] == 30 * 64
    assert last.shape == (64, 1) and constant.tolist() == [count - 7]
    assert network.share == count - 6 and network.chance.tolist() == list(range(count - 5, count))


def test_the_output_is_that_of_gelu_layers() -> None:
    network = refinement.Network(
        [(np.array([[1.0, -1.0]]), np.array([0.0, 0.5])), (np.array([[2.0], [3.0]]), np.ones(1))],
        1.0,
        np.zeros(5),
    )
    hidden = [x / (1 + np.exp(-1.702 * x)) for x in (0.8, -0.3)]
    expected = 2 * hidden[0] + 3 * hidden[1] + 1
    assert output(network, np.array([[0.8]]))[0] == pytest.approx(expected)


def test_without_what_it_adds_the_order_is_that_of_the_linear_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = units([unit(c / 5, v / 4) for c in range(5) for v in range(5)])
    weights = np.zeros(len(np.frombuffer(refinement.WEIGHTS.read_bytes(), "<f4")))
    weights[-6], weights[-5] = 1.0, 1.0  # only the linear model's worth counts
    monkeypatch.setattr(refinement, "_network", lambda: unpacked(weights))
    scores, worth = refined(found), score_model.worths(found, LINEAR)
    expected = {id_: score_model.logistic(value) for id_, value in worth.items()}
    assert scores == pytest.approx(expected)
