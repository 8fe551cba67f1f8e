"""The question map: its effect on vectors, the shipped file's name, and that fitting recovers a map
planted in a store."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from memory.embedding import question_map
from memory.embedding.local import MODELS
from tests.benchmarks.recall.question_map import FOLDS, Store, by_fold, fitted


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


def turned(name: str, seed: int, kind: str = "turned") -> Store:
    """Return a store whose questions are their answers' vectors with the two halves swapped."""
    draw = np.random.default_rng(seed)
    passages = draw.normal(size=(40, 8)).astype(np.float32)
    passages /= np.linalg.norm(passages, axis=1, keepdims=True)
    questions = np.hstack((passages[:30, 4:], passages[:30, :4]))
    return Store(kind, name, questions, passages, [np.array([at]) for at in range(30)])


def found(store: Store, moved: Any) -> float:
    """Return the share of questions whose answer is the nearest."""
    near = question_map.apply(store.questions, moved.astype(np.float32)) @ store.passages.T
    return float(
        np.mean([row.argmax() in gold for row, gold in zip(near, store.gold, strict=True)])
    )


def test_a_fit_carries_over_to_another_store() -> None:
    moved = fitted([turned("a", 1), turned("b", 2)], steps=800)
    other = turned("c", 3)
    assert found(other, moved) > found(other, np.zeros_like(moved)) + 0.3


def test_a_store_is_measured_with_a_map_that_it_had_no_part_in() -> None:
    stores = [turned(name, seed) for seed, name in enumerate("abcdefgh")]
    maps = by_fold(stores)
    assert maps.keys() == set("abcdefgh") and len({m.tobytes() for m in maps.values()}) == FOLDS
    mates = {name for name in maps if maps[name] is maps["a"]}
    rest = [each for each in stores if each.name not in mates]
    assert np.array_equal(maps["a"], fitted(rest))
