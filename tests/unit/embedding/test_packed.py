"""Several vectors in one blob: the best cosine per blob, within rounding."""

from __future__ import annotations

import numpy as np
import pytest

from memory.embedding.packed import best_cosines, pack, unit_vectors


def test_the_best_cosine_of_each_blob_is_that_of_its_vectors() -> None:
    chance = np.random.default_rng(3)
    groups = [chance.normal(size=(n, 96)).astype(np.float32) * 7.0 for n in (1, 4, 2)]
    asked = chance.normal(size=96).astype(np.float32) * 3.0
    found = best_cosines(asked.tobytes(), [pack(group) for group in groups])
    unit = asked / np.linalg.norm(asked)
    wanted = [max(row @ unit / np.linalg.norm(row) for row in group) for group in groups]
    assert found == pytest.approx(wanted, abs=0.002)
    assert len(pack(groups[1])) == 4 * (96 + 4)


def test_a_vector_without_direction_is_similar_to_nothing() -> None:
    blob = pack(np.zeros((2, 8), np.float32))
    assert best_cosines(np.ones(8, np.float32).tobytes(), [blob]) == [0.0]
    assert best_cosines(np.ones(8, np.float32).tobytes(), []) == []


def test_vectors_of_blobs_have_length_one() -> None:
    rows = np.array([[3.0, 4.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 2.0]], np.float32)
    found = unit_vectors([row.tobytes() for row in rows])
    assert found == pytest.approx(np.array([[0.6, 0.8, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
    with pytest.raises(ValueError):
        unit_vectors([rows[0].tobytes(), rows[1:].tobytes()])
