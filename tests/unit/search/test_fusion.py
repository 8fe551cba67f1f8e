"""Fusion of two rankings with given scores into one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.search.fusion import fuse, scaled

scores = st.dictionaries(st.integers(0, 20), st.floats(0, 1), max_size=12)


def test_both_lists_add_up_by_weight() -> None:
    fused = fuse({1: 0.9, 2: 0.5}, {1: 0.4, 3: 1.0}, 0.7)
    assert {k: round(v, 6) for k, v in fused.items()} == {1: 0.75, 2: 0.35, 3: 0.3}


def test_the_worked_example_of_seven_tenths_vectors() -> None:
    fused = fuse({1: 0.85, 2: 0.78, 3: 0.4}, {1: 1.0, 3: 0.5}, 0.7)
    assert {k: round(v, 3) for k, v in fused.items()} == {1: 0.895, 2: 0.546, 3: 0.43}


def test_with_one_list_missing_the_other_counts_fully() -> None:
    assert fuse({}, {3: 1.0, 4: 0.5}, 0.7) == {3: 1.0, 4: 0.5}
    assert fuse({3: 0.8}, {}, 0.7) == {3: 0.8}
    assert fuse({}, {}, 0.7) == {}


def test_scaling_puts_the_best_at_one_and_keeps_a_little_for_the_worst() -> None:
    assert scaled({1: 12.0, 2: 3.0, 3: 7.5}) == {1: 1.0, 2: 0.25, 3: 0.625}
    assert scaled({1: -4.0}) == {1: 1.0}
    assert scaled({}) == {}


@given(scores, scores, st.floats(0, 1))
def test_fused_scores_stay_in_the_unit_interval_and_nobody_is_lost(
    vectors: dict[int, float], keywords: dict[int, float], weight: float
) -> None:
    fused = fuse(scaled(vectors), scaled(keywords), weight)
    assert fused.keys() == vectors.keys() | keywords.keys()
    assert all(0.0 <= score <= 1.0 + 1e-9 for score in fused.values())


@given(scores.filter(bool), st.floats(0, 1))
def test_scaling_keeps_the_order(vectors: dict[int, float], weight: float) -> None:
    result = scaled(vectors)
    for one in vectors:
        for other in vectors:
            if vectors[one] > vectors[other]:
                assert result[one] >= result[other]


def test_what_has_no_vector_yet_counts_by_its_words_alone() -> None:
    fused = fuse({1: 1.0}, {1: 0.5, 2: 0.9, 3: 0.9}, 0.5, unknown={2})
    assert fused == {1: 0.75, 2: 0.9, 3: 0.45}
