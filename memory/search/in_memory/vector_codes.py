"""A byte and a bit of each coordinate of the vectors, in memory: what is near, before any is read.

It is given vectors and places, and gives places.

Two passes, the second over fewer passages: what the Hamming distance of the signs lets expect; then
the product of the question's bytes with theirs. (Rescoring of binary codes: Yamada et al., BPR,
2021.) A coordinate's sign is that of its difference from its mean; its byte is that difference, in
steps of a thirty-second of its deviation; a vector beyond their reach has wider ones, by a factor
of its own. SimSIMD counts and multiplies as fast as memory is read.

Signs tell the angle between two differences from the mean. How long each is, and how far it goes
along the mean, is kept beside them: so two thirds as many passages serve as by the angle alone.
(Lengths beside binary codes: Gao and Long, RaBitQ, 2024.)
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

# Two threads count the bits; read when SimSIMD is loaded. By default the second one would turn on
# the spot after each question, for as long as ten questions take.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import simsimd

_LEAST = 3_500  # passages that the second pass looks at, and of more
_SHARE = 36  # divided by the dimensions: few signs tell less than many
_MOST = 127  # that a byte holds
_AT_ONCE = 512  # rows: half a megabyte is multiplied while it is in the processor's cache
_STEPS = 32  # of a byte in one deviation: it reaches to four, where nearly all are


class Codes:
    """The codes of some vectors, by place. `sample`: some of them, (n, dimension) float32."""

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
        """How many places there are."""
        return len(self._signs)

    def grow(self, room: int) -> None:
        """Make room for so many places."""
        more = max(0, room - self.room)
        for name in ("_signs", "_bytes", "_wider", "_length", "_along"):
            kept = getattr(self, name)
            added = np.zeros((more, *kept.shape[1:]), kept.dtype)
            setattr(self, name, np.concatenate([kept, added]))

    def put(self, places: Any, vectors: Any) -> None:
        """The codes of (n, dimension) vectors at those places."""
        apart = vectors - self._centre
        self._signs[places] = np.packbits(apart > 0, axis=1)
        self._length[places] = np.linalg.norm(apart, axis=1)
        self._along[places] = apart @ self._centre
        steps = apart / self._step
        wider = np.maximum(np.abs(steps).max(axis=1) / _MOST, 1.0)
        self._bytes[places] = np.rint(steps / wider[:, None])
        self._wider[places] = wider

    def nearest(self, vector: Any, mask: Any, count: int) -> tuple[Any, Any]:
        """Of the passages that the mask admits: the places of about the `count` nearest, and their
        products with the vector, within a thousandth or so; in no order."""
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
        # Nearly all are near the right angle, where the cosine is what the angle lacks of it.
        beyond = np.asarray(distances)[0] * (np.pi / len(vector)) - np.pi / 2
        far = beyond * self._length[all_] * np.linalg.norm(apart) - self._along[all_]
        far = np.where(mask, far, np.inf)
        return np.flatnonzero(far <= np.partition(far, most - 1)[most - 1])

    def products(self, vector: Any, places: Any) -> Any:
        """The products of the vector with those at these places, within a thousandth or so."""
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
