"""The small networks that refine the scores of the best units, and tell whether they answer."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.search import refinement, score_model
from memory.search.evidence import FEATURES, Evidence, QuestionFeatures
from memory.search.refinement import (
    ANSWER_LAYERS,
    LAYERS,
    LINEAR,
    REFINED,
    answer_inputs,
    inputs,
    output,
    refined,
    unpacked,
)

ASKED = QuestionFeatures("Where is it?", asks=True)


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


def scored(rows: Sequence[Sequence[float]]) -> dict[int, float]:
    return refined(units(rows), ASKED).chances


@given(
    st.lists(
        st.tuples(st.floats(0, 1), *[st.floats(-2, 2) for _ in FEATURES[1:]]),
        min_size=1,
        max_size=60,
    )
)
def test_each_unit_has_a_probability(rows: list[tuple[float, ...]]) -> None:
    scores, answered = refined(units(rows), ASKED)
    assert 0.0 <= answered <= 1.0
    assert list(scores) == list(range(len(rows)))
    assert all(0.0 <= score <= 1.0 for score in scores.values())


def test_only_the_best_are_refined_and_the_others_keep_their_order_behind_them() -> None:
    found = units([unit(0.0, 1.2 - n / 50) for n in range(REFINED + 20)])
    scores = refined(found, ASKED).chances
    rest = [scores[n] for n in range(REFINED, REFINED + 20)]
    assert len(inputs(found).rows) == REFINED
    assert rest == sorted(rest, reverse=True)
    assert min(scores[n] for n in range(REFINED)) > rest[0]


def test_more_similar_and_more_words_in_common_is_more_probable() -> None:
    scores = scored([unit(0.5, 0.3), unit(0.5, 1.2), unit(1.0, 1.2)])
    assert scores[0] < scores[1] < scores[2]


def test_the_network_sees_rivals() -> None:
    alone, beside = [unit(0.6, 0.9)], [unit(0.6, 0.9), unit(0.6, 1.3)]
    seen = inputs(units(beside))
    assert not np.allclose(inputs(units(alone)).rows[0], seen.rows[list(seen.order).index(0)])
    assert scored(alone)[0] != pytest.approx(scored(beside)[0])


def test_similar_words_and_vectors_make_an_answer_likely() -> None:
    good, poor = [unit(0.8, 1.3), unit(0.1, 0.1)], [unit(0.2, 0.3), unit(0.1, 0.1)]
    assert refined(units(poor), ASKED).answered < 0.5 < refined(units(good), ASKED).answered


def test_a_unit_that_is_not_refined_may_be_the_most_probable() -> None:
    alike = [unit(0.6, 0.9) for _ in range(REFINED + 20)]
    complete = unit(1.0, 0.6)
    complete[FEATURES.index("asks")] = 1.0
    found = units([*alike, complete])
    assert len(found) - 1 not in inputs(found).order
    odds = np.zeros(len(found))
    odds[-1] = 4.0
    seen = answer_inputs(ASKED, inputs(found), odds)
    assert not seen[7:11].any(), "only refined units count"
    assert 0.0 <= refined(found, ASKED).answered <= 1.0


def test_the_second_network_sees_question_probabilities_and_three_best_units() -> None:
    found = units([unit(n / 10, n / 10) for n in range(5)])
    seen, odds = inputs(found), np.array([-8.0, 2.0, -4.0, 0.4, 1.0])
    asked = QuestionFeatures("?", missing=0.1, unknown=0.3, general=8.0, sams_words=0.5)
    row = answer_inputs(asked, seen, odds)
    assert row.shape == (ANSWER_LAYERS[0],)
    assert row[:7] == pytest.approx([0.1, 0.0, 0.3, 2.0, 0.5, 0.0, np.log1p(5) / 3])
    assert row[7:11] == pytest.approx([0.5, 0.25, 0.1, -2.0])
    for place, at in enumerate((1, 4, 3)):
        of_unit = seen.rows[list(seen.order).index(at)]
        assert row[11:].reshape(3, -1)[place] == pytest.approx([*of_unit, 1.0])
    alone = answer_inputs(asked, inputs(found[:1]), np.array([2.0]))
    assert alone[7:11].tolist() == [0.5] * 4  # a missing unit counts as the last one
    assert not alone[11:].reshape(3, -1)[1:].any()


def test_the_weights_are_those_of_the_layers() -> None:
    count = sum(a * b + b for a, b in itertools.pairwise(LAYERS)) + 1 + 5
    weights = np.frombuffer(refinement.WEIGHTS.read_bytes(), "<f4")
    assert len(weights) == count
    network = unpacked(np.arange(count, dtype=float))
    (matrix, constants), *_, (last, constant) = network.layers
    assert matrix[0].tolist() == list(range(64)) and constants[0] == 30 * 64
    assert last.shape == (64, 1) and constant.tolist() == [count - 7]
    of_answer = np.frombuffer(refinement.ANSWER_WEIGHTS.read_bytes(), "<f4")
    assert len(of_answer) == sum(a * b + b for a, b in itertools.pairwise(ANSWER_LAYERS))
    assert network.share == count - 6 and network.chance.tolist() == list(range(count - 5, count))


def test_the_output_is_that_of_gelu_layers() -> None:
    layers = [
        (np.array([[1.0, -1.0]]), np.array([0.0, 0.5])),
        (np.array([[2.0], [3.0]]), np.ones(1)),
    ]
    hidden = [x / (1 + np.exp(-1.702 * x)) for x in (0.8, -0.3)]
    expected = 2 * hidden[0] + 3 * hidden[1] + 1
    assert output(layers, np.array([[0.8]]))[0] == pytest.approx(expected)


def test_without_what_it_adds_the_order_is_that_of_the_linear_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = units([unit(c / 5, v / 4) for c in range(5) for v in range(5)])
    weights = np.zeros(len(np.frombuffer(refinement.WEIGHTS.read_bytes(), "<f4")))
    weights[-6], weights[-5] = 1.0, 1.0  # only the linear model's worth counts
    monkeypatch.setattr(refinement, "_network", lambda: unpacked(weights))
    scores, worth = refined(found, ASKED).chances, score_model.worths(found, LINEAR)
    expected = {id_: score_model.logistic(value) for id_, value in worth.items()}
    assert scores == pytest.approx(expected)
