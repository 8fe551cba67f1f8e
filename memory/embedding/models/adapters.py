"""Two adapters change e5's last layers: one for questions, the other for passages.

A question and the passage that answers it seldom read alike. An adapter is a low-rank change of the
layers' weights (LoRA, Hu et al. 2021). Both are trained on questions and the statements that answer
them: `python -m tests.benchmarks.adapters` writes the files (docs/dev/recall.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

QUESTIONS = Path(__file__).with_name("question_adapter.npy")
PASSAGES = Path(__file__).with_name("passage_adapter.npy")
"""float16, (layers, numbers): the last layers' changes, each as `flat` returns it."""
REVISION = "c5589bc9"
"""The start of the SHA-256 of QUESTIONS: cached question vectors from another adapter are stale.
With other PASSAGES the joint model gets another name (memory/embedding/local.py), and every passage
is embedded again."""

SIZES = ((384, 3 * 384), (384, 384), (384, 1536), (1536, 384))
"""Inputs and outputs of a layer's products: queries, keys and values; attention's output; the inner
layer and back."""


class LowRank(NamedTuple):
    """A low-rank matrix, up @ down: (outputs, rank) and (rank, inputs)."""

    up: NDArray[Any]
    down: NDArray[Any]


@dataclass(frozen=True, slots=True)
class LayerChange:
    """What is added to a layer's weights, in the order of SIZES; None adds nothing."""

    qkv: LowRank | None = None
    out: LowRank | None = None
    up: LowRank | None = None
    down: LowRank | None = None


UNCHANGED = LayerChange()


def flat(change: Sequence[LowRank]) -> NDArray[Any]:
    """Return the change of a layer, in the order of SIZES, as one row of numbers."""
    import numpy as np

    return np.concatenate([part.ravel() for each in change for part in each])


def load(path: Path) -> list[LayerChange]:
    """Return the changes of the last layers as float32, the last layer's last."""
    import numpy as np

    rows = np.load(path).astype(np.float32)
    rank = rows.shape[1] // sum(map(sum, SIZES))
    return [LayerChange(*_parts(row, rank)) for row in rows]


def _parts(row: NDArray[Any], rank: int) -> list[LowRank]:
    sizes = [rank * size for inputs, outputs in SIZES for size in (outputs, inputs)]
    ends = [0, *accumulate(sizes)]
    parts = [row[start:end] for start, end in pairwise(ends)]
    return [
        LowRank(up.reshape(-1, rank), down.reshape(rank, -1))
        for up, down in zip(parts[::2], parts[1::2], strict=True)
    ]
