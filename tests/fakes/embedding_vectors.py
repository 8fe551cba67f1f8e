"""Deterministic vectors: texts that share words, or parts of words, are close to each other.

Each word and each trigram has a position in the vector, by its hash; common words weigh little.
Each named space has its own positions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

import numpy as np

COMMON = frozenset(
    re.findall(
        r"\w+",
        "a about an and are as at be by did do does for from had has have he her his how i in is "
        "it its me my of on or our she so that the their them they this to was we were what when "
        "where which who whose why will with you your",
    )
)
# a question is slightly apart from a document with the same words
KINDS = {"document": 0.15, "query": -0.15}


@lru_cache(maxsize=100_000)
def _places(word: str, space: str, dimension: int) -> tuple[tuple[int, float], ...]:
    weight = 0.1 if word in COMMON else 1.0
    padded = f"<{word}>"
    runs = {padded[i : i + 3] for i in range(len(padded) - 2)}
    found = [(word, weight)] + [(run, weight * 0.35) for run in sorted(runs)]
    places = []
    for part, value in found:
        number = crc32(f"{space}/{part}".encode())
        places.append((number % dimension, value if number >> 31 else -value))
    return tuple(places)


def vector(
    text: str, *, space: str = "voyage-4", dimension: int = 1024, kind: str | None = None
) -> np.ndarray:
    """Return a float32 unit vector of shape (dimension,), equal for equal arguments everywhere."""
    made = np.zeros(dimension, dtype=np.float32)
    for word in re.findall(r"\w+", text.lower()):
        for place, value in _places(word, space, dimension):
            made[place] += value
    made /= float(np.linalg.norm(made)) or 1.0
    if kind is not None:
        made[crc32(space.encode()) % dimension] += KINDS[kind]
    if not made.any():
        made[0] = 1.0
    return made / np.float32(np.linalg.norm(made))


def similarity(a: Sequence[float] | np.ndarray, b: Sequence[float] | np.ndarray) -> float:
    """Return the cosine similarity."""
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    return float(x @ y / (np.linalg.norm(x) * np.linalg.norm(y)))
