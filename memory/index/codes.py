"""A byte and a bit of each coordinate of the vectors, in memory: what is near, before any is read.

Knows no database, no filter and no word: it is given vectors and places, and gives places.

Two passes, the second over fewer passages: the Hamming distance of the signs; then the product of
the question's bytes with theirs. (Rescoring of binary codes: Yamada et al., BPR, 2021.) A
coordinate's sign is that of its difference from its mean; its byte is that difference, in steps of
a thirty-second of its deviation; a vector beyond their reach has wider ones, by a factor of its
own. SimSIMD counts and multiplies as fast as memory is read.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

# Two threads count the bits; read when SimSIMD is loaded. By default the second one would turn on
# the spot after each question, for as long as ten questions take.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import simsimd

_LEAST = 5_000  # passages that the second pass looks at, and of more
_SHARE = 50  # divided by the dimensions: few signs tell less than many
_MOST = 127  # that a byte holds
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

    @property
    def room(self) -> int:
        """How many places there are."""
        return len(self._signs)

    def grow(self, room: int) -> None:
        """Make room for so many places."""
        more = max(0, room - self.room)
        self._signs = np.concatenate(
            [self._signs, np.zeros((more, self._signs.shape[1]), np.uint8)]
        )
        self._bytes = np.concatenate([self._bytes, np.zeros((more, self._bytes.shape[1]), np.int8)])
        self._wider = np.concatenate([self._wider, np.zeros(more, np.float32)])

    def put(self, places: Any, vectors: Any) -> None:
        """The codes of (n, dimension) vectors at those places."""
        apart = vectors - self._centre
        self._signs[places] = np.packbits(apart > 0, axis=1)
        steps = apart / self._step
        wider = np.maximum(np.abs(steps).max(axis=1) / _MOST, 1.0)
        self._bytes[places] = np.rint(steps / wider[:, None])
        self._wider[places] = wider

    def nearest(self, vector: Any, mask: Any, count: int) -> tuple[Any, Any]:
        """Of the passages that the mask admits: the places of about the `count` nearest, and their
        products with the vector, within a thousandth or so; in no order."""
        near = np.flatnonzero(mask)
        most = max(_LEAST, len(near) * _SHARE // len(vector), count)
        if len(near) > most:
            near = self._by_signs(vector, near, most)
        products = self._products(vector, near)
        if len(near) > count:
            best = np.argpartition(-products, count)[:count]
            near, products = near[best], products[best]
        return near, products

    def _by_signs(self, vector: Any, admitted: Any, most: int) -> Any:
        signs = np.packbits(vector > self._centre)[None, :]
        all_ = self._signs[: int(admitted[-1]) + 1]
        distances = simsimd.cdist(
            signs, all_, metric="hamming", dtype="bin8", out_dtype="float32", threads=2
        )
        own = np.asarray(distances)[0].astype(np.uint16).take(admitted)
        upto = np.searchsorted(np.bincount(own).cumsum(), most)
        # Taken, since choosing by a mask would take thrice as long.
        return admitted.take(np.flatnonzero(own <= upto))

    def _products(self, vector: Any, places: Any) -> Any:
        weights = vector * self._step
        unit = max(float(np.abs(weights).max()), 1e-30) / _MOST
        products = simsimd.cdist(
            np.rint(weights / unit).astype(np.int8)[None, :],
            self._bytes.take(places, axis=0),
            metric="dot",
            dtype="int8",
        )
        return np.asarray(products)[0] * unit * self._wider[places] + float(vector @ self._centre)
