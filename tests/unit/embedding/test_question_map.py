"""The question map: its effect on vectors, and that the shipped file belongs to its revision."""

from __future__ import annotations

import hashlib

import numpy as np

from memory.embedding import question_map
from memory.embedding.local import MODELS


def test_a_map_adds_what_its_factors_say() -> None:
    down, up = np.array([[1.0, 0.0]]), np.array([[0.0, 2.0]])
    rows = np.array([[3.0, 4.0], [0.0, 1.0]])
    assert question_map.apply(rows, np.stack((down, up))).tolist() == [[3.0, 10.0], [0.0, 1.0]]


def test_a_map_of_zeros_changes_nothing() -> None:
    rows = np.array([[3.0, 4.0]])
    assert question_map.apply(rows, np.zeros((2, 5, 2))).tolist() == rows.tolist()


def test_the_shipped_map_fits_the_joint_model_and_its_revision() -> None:
    shipped = question_map.load()
    assert shipped.dtype == np.float32
    assert shipped.shape[0] == 2 and shipped.shape[2] == MODELS[0].dimension
    assert np.isfinite(shipped).all() and np.abs(shipped).max() > 0.01
    content = question_map.QUESTION_MAP.read_bytes()
    assert hashlib.sha256(content).hexdigest().startswith(question_map.REVISION)
    assert len(question_map.REVISION) == 8
