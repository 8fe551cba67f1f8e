"""Posting lists: the occurrences of a word as sorted numbers, and the passages they are in. Pure.

An occurrence is a number: place << 32 | column << 28 | position.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

PLACE, COLUMN = 32, 28  # bit shifts of place and column
OWN = 0b00011  # the columns of a passage's own words: text and heading
BEFORE = 0b01100  # of the previous message: its questions, its statements
AFTER = 0b10000


class Posting:
    """The occurrences of a word or phrase, `at`, in order. `worth`: the weight of an occurrence in
    each column. Words that are used only in phrases are not weighed."""

    def __init__(self, at: Any, worth: Sequence[float]) -> None:
        self.at, self._worth = at, worth
        self._weighed: tuple[Any, Any] | None = None
        self._columns: Any = None
        self._own: Any = None

    @property
    def places(self) -> Any:
        """Return the positions of the passages with an occurrence, in order."""
        return self.weigh()[0]

    @property
    def weights(self) -> Any:
        """Return the summed weight of the occurrences in each of those passages."""
        return self.weigh()[1]

    @property
    def columns(self) -> Any:
        """Return the columns with an occurrence as bits, for each of those passages; computed
        lazily."""
        if self._columns is None:
            first = np.flatnonzero(np.diff((self.at >> PLACE).astype(np.int32), prepend=-1))
            bits = np.left_shift(1, (self.at >> COLUMN) & 7).astype(np.uint8)
            self._columns = np.bitwise_or.reduceat(bits, first) if len(first) else bits
        return self._columns

    @property
    def own_places(self) -> Any:
        """Return those of the `places` with an occurrence in the passage's own columns; computed
        lazily."""
        if self._own is None:
            self._own = self.places[(self.columns & OWN) > 0]
        return self._own

    def weigh(self) -> tuple[Any, Any]:
        """Return `places` and `weights`, computed lazily."""
        if self._weighed is None:
            places = (self.at >> PLACE).astype(np.int32)
            first = np.flatnonzero(np.diff(places, prepend=-1))
            worth = np.asarray(self._worth, np.float32)[(self.at >> COLUMN) & 7]
            weights = np.add.reduceat(worth, first) if len(first) else worth
            self._weighed = places[first], weights
        return self._weighed

    def and_then(self, at: Any) -> Posting:
        """Return a copy with these occurrences in later places appended."""
        both = Posting(np.concatenate([self.at, at]), self._worth)
        if self._weighed is not None:
            pairs = zip(self._weighed, Posting(at, self._worth).weigh(), strict=True)
            one, other = map(np.concatenate, pairs)
            both._weighed = one, other
        return both


def phrase_starts(at: Any, number: int) -> Any:
    """Return where a phrase would start if its word `number` (from 0) occurs at `at`."""
    return at[(at & 2**COLUMN - 1) >= number] - number


def phrase_matches(stands: Sequence[Any]) -> Any:
    """Return the occurrences of the first word that are followed by the other words in order."""
    found = stands[0]
    for number, at in enumerate(stands[1:], 1):
        found = common(found + number, at) - number
    return found


def common(one: Any, other: Any) -> Any:
    """Return the elements that two sorted arrays share."""
    few, many = (one, other) if len(one) < len(other) else (other, one)
    if not len(few):
        return few
    at = np.minimum(np.searchsorted(many, few), len(many) - 1)
    return few[many[at] == few]
