"""The question adapter: it changes questions as the same change of e5's weights would, passages not
at all, and the shipped file belongs to its revision."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import starmap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memory.embedding.models import question_adapter
from memory.embedding.models.e5_numpy import E5, LAYERS
from memory.embedding.models.question_adapter import LayerChange, LowRank
from tests.support.e5 import weights

TEXTS = ["When is the boiler's service?", "¿Quién trae la tarta?", "the pin?", "x " * 300]
RANK, CHANGED = 3, 2


def planted() -> list[LayerChange]:
    """Return a random change of the last two layers."""
    draw = np.random.default_rng(1)

    def part(inputs: int, outputs: int) -> LowRank:
        up, down = draw.normal(size=(outputs, RANK)), draw.normal(size=(RANK, inputs))
        return LowRank(up.astype(np.float32) * 0.05, down.astype(np.float32) * 0.05)

    return [LayerChange(*starmap(part, question_adapter.SIZES)) for _ in range(CHANGED)]


def merged(adapter: list[LayerChange]) -> E5:
    """Return e5 with the change added to its weights."""
    model = E5(weights())

    def added(matrix: Any, change: LowRank | None) -> Any:
        assert change is not None
        return matrix + np.pad(change.up @ change.down, ((0, 0), (0, 1)))

    for at, change in enumerate(adapter, LAYERS - len(adapter)):
        layer = model._layers[at]
        model._layers[at] = replace(
            layer,
            qkv=added(layer.qkv, change.qkv),
            out=added(layer.out, change.out),
            up=added(layer.up, change.up),
            down=added(layer.down, change.down),
        )
    return model


def test_questions_are_changed_as_by_changed_weights_and_passages_are_not() -> None:
    adapter = planted()
    plain, adapted, changed = E5(weights()), E5(weights(), adapter), merged(adapter)
    found = adapted.encode(TEXTS, "query")
    assert np.abs(found - changed.encode(TEXTS, "query")).max() < 1e-4
    assert np.abs(found - plain.encode(TEXTS, "query")).max() > 0.01
    assert adapted.encode(TEXTS, "document").tobytes() == plain.encode(TEXTS, "document").tobytes()


def test_a_change_survives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "adapter.npy"
    before = planted()
    rows = [question_adapter.flat([c.qkv, c.out, c.up, c.down]) for c in before if c.qkv]  # type: ignore[list-item]
    np.save(path, np.stack(rows).astype(np.float16))
    after = question_adapter.load(path)
    assert len(after) == CHANGED
    for one, other in zip(before, after, strict=True):
        for name in ("qkv", "out", "up", "down"):
            for part, again in zip(getattr(one, name), getattr(other, name), strict=True):
                assert part.shape == again.shape
                assert part == pytest.approx(again, abs=1e-3)


def test_the_shipped_adapter_belongs_to_its_revision() -> None:
    content = question_adapter.ADAPTER.read_bytes()
    assert hashlib.sha256(content).hexdigest()[:8] == question_adapter.REVISION
    shipped = question_adapter.load()
    assert 0 < len(shipped) <= LAYERS
    for change in shipped:
        for part in (change.qkv, change.out, change.up, change.down):
            assert part is not None and np.isfinite(part.up @ part.down).all()
