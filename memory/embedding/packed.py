"""Pack several vectors into one blob of bytes, and compare a vector with the vectors of blobs.

Packed, each vector takes one byte per dimension and a scale, a quarter of its size as float32; the
cosine is exact to about 0.002.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .embedder import Vectors

_MOST = 127  # the largest int8


def pack(vectors: Vectors) -> bytes:
    """Return the blob of (n, dimension) vectors; a vector of zeros stays one."""
    import numpy as np

    given = np.asarray(vectors, np.float32)
    lengths = np.linalg.norm(given, axis=1, keepdims=True)
    rows = given / np.where(lengths > 0.0, lengths, 1.0)
    largest = np.abs(rows).max(axis=1)
    packed = np.zeros(len(rows), _layout(rows.shape[1]))
    packed["scale"] = largest / _MOST
    packed["values"] = np.rint(rows * (_MOST / np.where(largest > 0.0, largest, 1.0))[:, None])
    return packed.tobytes()


def unit_vectors(blobs: Sequence[bytes]) -> Any:
    """Return the vectors of blobs of float32, one in each, with length one: (n, dimension). A
    vector of zeros stays one. There must be a blob. Raises ValueError if dimensions differ."""
    import numpy as np

    rows = np.frombuffer(b"".join(blobs), np.float32).reshape(len(blobs), len(blobs[0]) // 4)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


def best_cosines(vector: bytes, blobs: Sequence[bytes]) -> list[float]:
    """Return for each blob the largest cosine of its vectors with the vector (float32 bytes).

    No blob may be empty, and all must have the vector's dimension.
    """
    import numpy as np

    if not blobs:
        return []
    asked = np.frombuffer(vector, np.float32)
    layout = _layout(len(asked))
    rows = np.frombuffer(b"".join(blobs), layout)
    length = max(float(np.linalg.norm(asked)), 1e-12)
    cosines = (rows["values"].astype(np.float32) @ asked) * rows["scale"] / length
    counts = [len(blob) // layout.itemsize for blob in blobs]
    starts = np.cumsum([0, *counts[:-1]])
    return [float(each) for each in np.maximum.reduceat(cosines, starts)]


def _layout(dimension: int) -> Any:
    import numpy as np

    return np.dtype([("scale", "<f4"), ("values", "i1", (dimension,))])
