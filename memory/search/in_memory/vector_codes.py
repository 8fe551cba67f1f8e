"""Quantized vectors (sign bits + int8) for approximate nearest-neighbour search in memory.

Two passes: the Hamming distance of the signs selects passages; then the product of the question's
bytes with theirs ranks those. (Rescoring of binary codes: Yamada et al., BPR,
2021.) A coordinate's sign is that of its difference from the mean; its byte is that difference in
steps of 1/32 of the deviation; a vector beyond that range is scaled by a factor of its own. SimSIMD
counts and multiplies as fast as memory is read.

The signs estimate the angle between two differences from the mean. Each difference's length and its
component along the mean are stored too: with them the first pass needs a third fewer passages than
with the angle alone. (Lengths beside binary codes: Gao and Long, RaBitQ, 2024.)
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

# Two threads count the bits; this is read when SimSIMD is loaded. By default the second thread
# would busy-wait after each question, for the time of ten questions.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import simsimd

_LEAST = 3_500  # minimum number of passages in the second pass
_SHARE = 36  # divided by the dimensions: fewer signs are less precise
_MOST = 127  # the largest int8
_AT_ONCE = 512  # rows: half a megabyte fits the processor's cache
_DRAWN = 16  # one value in so many is drawn to estimate a limit
_STEPS = 32  # steps per deviation: the byte range covers four deviations, nearly all values


class Codes:
    """The codes of vectors, by place. `sample`: some of the vectors, (n, dimension) float32."""

    def __init__(self, sample: Any) -> None:
        dimension = sample.shape[1]
        self._centre = sample.mean(axis=0)
        self._step = np.maximum(sample.std(axis=0), 1e-9) / _STEPS
        self._signs = np.zeros((0, -(-dimension // 8)), np.uint8)
        self._bytes = np.zeros((0, dimension), np.int8)
        self._wider = np.zeros(0, np.float32)
        self._length = np.zeros(0, np.float32)
        self._along = np.zeros(0, np.float32)

    @property
    def room(self) -> int:
        """Return the number of places."""
        return len(self._signs)

    def grow(self, room: int) -> None:
        """Grow to `room` places."""
        more = max(0, room - self.room)
        for name in ("_signs", "_bytes", "_wider", "_length", "_along"):
            kept = getattr(self, name)
            added = np.zeros((more, *kept.shape[1:]), kept.dtype)
            setattr(self, name, np.concatenate([kept, added]))

    def put(self, places: Any, vectors: Any) -> None:
        """Store the codes of (n, dimension) vectors at those places."""
        apart = vectors - self._centre
        self._signs[places] = np.packbits(apart > 0, axis=1)
        self._length[places] = np.linalg.norm(apart, axis=1)
        self._along[places] = apart @ self._centre
        steps = apart / self._step
        wider = np.maximum(np.abs(steps).max(axis=1) / _MOST, 1.0)
        self._bytes[places] = np.rint(steps / wider[:, None])
        self._wider[places] = wider

    def nearest(self, vector: Any, mask: Any, count: int) -> tuple[Any, Any]:
        """Return the places of about the `count` nearest passages that the mask admits, and their
        products with the vector as `products` gives them; unordered."""
        admitted = int(np.count_nonzero(mask))
        most = max(_LEAST, admitted * _SHARE // len(vector), count)
        near = self._by_signs(vector, mask, most) if admitted > most else np.flatnonzero(mask)
        products = self.products(vector, near)
        if len(near) > count:
            best = np.argpartition(-products, count)[:count]
            near, products = near[best], products[best]
        return near, products

    def _by_signs(self, vector: Any, mask: Any, most: int) -> Any:
        apart, all_ = vector - self._centre, slice(len(mask))
        signs = np.packbits(apart > 0)[None, :]
        distances = simsimd.cdist(
            signs, self._signs[all_], metric="hamming", dtype="bin8", out_dtype="float32", threads=2
        )
        # Nearly all angles are near 90°, where the cosine is about 90° minus the angle (radians).
        beyond = np.asarray(distances)[0] * (np.pi / len(vector)) - np.pi / 2
        far = beyond * self._length[all_] * np.linalg.norm(apart) - self._along[all_]
        return _smallest(np.where(mask, far, np.inf), most)

    def products(self, vector: Any, places: Any) -> Any:
        """Return the products of the vector with those at these places, to within about a twentieth
        of their standard deviation: 0.001 for e5 alone, 0.004 for e5 and USE."""
        weights = vector * self._step
        unit = max(float(np.abs(weights).max()), 1e-30) / _MOST
        asked = np.rint(weights / unit).astype(np.int8)[None, :]
        products = np.zeros(len(places))
        for start in range(0, len(places), _AT_ONCE):
            some = self._bytes.take(places[start : start + _AT_ONCE], axis=0)
            products[start : start + _AT_ONCE] = simsimd.cdist(
                asked, some, metric="dot", dtype="int8"
            )
        return products * unit * self._wider[places] + float(vector @ self._centre)


def _smallest(values: Any, count: int) -> Any:
    """Return the places of the `count` smallest values, and of those equal to the largest of them.

    A limit estimated from a part of them, for a quarter more, leaves few to partition.
    """
    drawn = values[::_DRAWN]
    rank = min(len(drawn) - 1, count * 5 // (4 * _DRAWN))
    near = np.flatnonzero(values <= np.partition(drawn, rank)[rank])
    if len(near) < count:
        near = np.arange(len(values))
    return near[values[near] <= np.partition(values[near], count - 1)[count - 1]]
