"""The question map: moves a question's vector towards the passages that answer it.

An embedder places texts that read alike close together, but an answer seldom reads like its
question. The map is linear and of low rank, v + v·D·U, and changes questions alone. It is trained
together with the adapters by `python -m tests.benchmarks.adapters` (docs/dev/recall.md).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

QUESTION_MAP = Path(__file__).with_name("question_map.npy")
"""The map of the joint local model: float16, (2, rank, dimension), Dᵀ and U."""
REVISION = "1212bfaf"
"""The start of the file's SHA-256: cached question vectors from another map are stale."""


def load(path: Path = QUESTION_MAP) -> NDArray[Any]:
    """Return the map as float32, (2, rank, dimension)."""
    import numpy as np

    factors: NDArray[Any] = np.load(path).astype(np.float32)
    return factors


def apply(rows: Any, question_map: NDArray[Any]) -> Any:
    """Return the mapped vectors of questions, (n, dimension); their lengths change."""
    down, up = question_map
    return rows + (rows @ down.T) @ up
