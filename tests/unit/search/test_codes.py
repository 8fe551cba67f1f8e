"""Quantized vectors find the nearest neighbours, even if vectors have much in common."""

from __future__ import annotations

import numpy as np
import pytest

from memory.search.in_memory import vector_codes
from memory.search.in_memory.vector_codes import Codes

COUNT, DIMENSION, WANTED = 4_000, 256, 24


def test_how_long_a_vector_is_and_how_far_along_the_mean_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        vector_codes, "_LEAST", 300
    )  # by their angles alone half of them would be missing
    source = np.random.default_rng(0)
    common = source.standard_normal(DIMENSION)

    def some(count: int) -> np.ndarray:
        shares, lengths = source.uniform(0, 2, (count, 1)), source.uniform(0.5, 1.5, (count, 1))
        made = source.standard_normal((count, DIMENSION)) + shares * common
        units = made * lengths / np.linalg.norm(made, axis=1, keepdims=True)
        return np.asarray(units, np.float32)

    vectors = some(COUNT)
    held = Codes(vectors)
    held.grow(COUNT)
    held.put(np.arange(COUNT), vectors)
    found = 0
    for asked in some(50):
        near, products = held.nearest(asked, np.ones(COUNT, bool), WANTED)
        assert products == pytest.approx(vectors[near] @ asked, abs=5e-3)
        found += len(np.intersect1d(near, np.argsort(-(vectors @ asked))[:WANTED]))
    assert found >= 0.975 * 50 * WANTED, found


@pytest.mark.parametrize("share", [1.0, 0.3, 0.02])
def test_the_first_pass_keeps_those_with_the_smallest_distances(share: float) -> None:
    draw = np.random.default_rng(5)
    values = np.round(draw.standard_normal(20_000), 2)  # many are equal
    values = np.where(draw.random(20_000) < share, values, np.inf)
    for each in (values, np.sort(values), np.sort(values)[::-1]):
        limit = np.sort(each)[299]
        assert vector_codes._smallest(each, 300).tolist() == np.flatnonzero(each <= limit).tolist()
