"""Occurrences of words as sorted numbers, and the passages that they stand in. Pure.

An occurrence is a number: place << 32 | column << 28 | position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

PLACE, COLUMN = 32, 28  # by how many bits each is shifted


@dataclass(frozen=True, slots=True)
class Posting:
    """One word or phrase: its occurrences in order, its places, and its weight in each."""

    at: Any
    places: Any
    weights: Any

    @classmethod
    def of(cls, at: Any, weights: Sequence[float]) -> Posting:
        """From occurrences in order."""
        places = (at >> PLACE).astype(np.int32)
        if not len(at):
            return cls(at, places, np.zeros(0, np.float32))
        first = np.flatnonzero(np.diff(places, prepend=-1))
        worth = np.asarray(weights, np.float32)[(at >> COLUMN) & 7]
        return cls(at, places[first], np.add.reduceat(worth, first))

    def and_then(self, later: Posting) -> Posting:
        """With the occurrences in later places."""
        mine, others = ((each.at, each.places, each.weights) for each in (self, later))
        return Posting(*map(np.concatenate, zip(mine, others, strict=True)))


def begun(at: Any, number: int) -> Any:
    """Where the rows begin whose word of that number, from 0, stands there: within one text."""
    return at[(at & 2**COLUMN - 1) >= number] - number


def in_a_row(stands: Sequence[Any]) -> Any:
    """Of the occurrences of some words: those of the first that the others follow in this order."""
    found = stands[0]
    for number, at in enumerate(stands[1:], 1):
        found = common(found + number, at) - number
    return found


def common(one: Any, other: Any) -> Any:
    """What two sorted arrays share."""
    few, many = (one, other) if len(one) < len(other) else (other, one)
    if not len(few):
        return few
    at = np.minimum(np.searchsorted(many, few), len(many) - 1)
    return few[many[at] == few]
