"""A unigram language model (SentencePiece): split a text into the known pieces with the highest
total score. Pieces are looked up by hash, for a whole text at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPACE = 0x2581
"""How pieces write a space (▁). It occurs only at the start of a piece, so no piece spans two
words."""

FACTOR = np.uint64(0x9E3779B97F4A7C15)
SEED = np.uint64(0xCBF29CE484222325)
UNKNOWN_COST = 10


class Pieces:
    """The pieces of a model and their scores.

    `packed`: the pieces as concatenated UTF-8; `starts`: the offset of each, then the total length.
    Scores are summed in the precision of `scores`, 32 or 64 bits. A character without a piece gets
    the id `unknown`; the `hidden` pieces never match. Raises ValueError for pieces that this search
    does not support.
    """

    def __init__(
        self,
        packed: bytes,
        starts: NDArray[np.int64],
        scores: NDArray[np.floating],
        unknown: int,
        hidden: Sequence[int] = (),
    ) -> None:
        heads = (np.frombuffer(packed, np.uint8) & 0xC0) != 0x80
        where = np.concatenate(([0], np.cumsum(heads, dtype=np.int32)))[starts]
        chars, sizes = codes(packed.decode("utf-8")), np.diff(where)
        if np.count_nonzero(chars == SPACE) != np.count_nonzero(chars[where[:-1]] == SPACE):
            raise ValueError("a piece spans two words")
        longest_first = np.argsort(-sizes.astype(np.int16), kind="stable")
        where, hashes = where[:-1][longest_first], np.full(sizes.size, SEED)
        self._longest = int(sizes.max())
        longer = sizes.size - np.cumsum(np.bincount(sizes))
        for place in range(self._longest):
            some = hashes[: longer[place]]  # a view: those that have a character at this place
            some ^= chars[where[: some.size] + place]
            some *= FACTOR
        order = np.argsort(hashes)
        ids = longest_first[order].astype(np.int32)
        known = np.isin(ids, hidden, invert=True)
        self._ids, self._hashes = ids[known], hashes[order][known]
        if (self._hashes[1:] == self._hashes[:-1]).any():
            raise ValueError("two pieces look alike")
        self._scores, self._unknown = scores, unknown
        self._unknown_score = scores.min() - scores.dtype.type(UNKNOWN_COST)

    def split(self, chars: NDArray[np.uint32]) -> list[int]:
        """Return the ids of the best pieces for these characters (from `codes`, with SPACE)."""
        starts, sizes, ids = self._found(chars)
        scores = list(self._scores[ids])
        count, number = chars.size, self._scores.dtype.type
        best = [number(-1e30)] * (count + 1)
        best[0] = number(0)
        came = [0] * (count + 1)
        by = [self._unknown] * (count + 1)
        first = np.searchsorted(starts, np.arange(count + 1)).tolist()
        ends, names = (starts + sizes).tolist(), ids.tolist()
        for start in range(count):
            here = best[start]
            for found in range(first[start], first[start + 1]):
                score, end = here + scores[found], ends[found]
                if score > best[end]:
                    best[end], came[end], by[end] = score, start, names[found]
            score = here + self._unknown_score
            if score > best[start + 1]:
                best[start + 1], came[start + 1], by[start + 1] = score, start, self._unknown
        path = []
        at = count
        while at:
            path.append(by[at])
            at = came[at]
        return path[::-1]

    def log_odds(self, ids: Sequence[int]) -> float:
        """Return the total score of these pieces, which is the logarithm of their probability."""
        return float(
            sum(self._unknown_score if i == self._unknown else self._scores[i] for i in ids)
        )

    def words(self, texts: Sequence[str]) -> list[bool]:
        """Return whether each of the texts is a single piece that begins a word."""
        found = [False] * len(texts)
        by_size: dict[int, list[int]] = {}
        for at, text in enumerate(texts):
            by_size.setdefault(len(text), []).append(at)
        for size, places in by_size.items():
            chars = codes("".join(chr(SPACE) + texts[at] for at in places))
            hashes = np.full(len(places), SEED)
            for column in chars.reshape(-1, size + 1).T:
                hashes = (hashes ^ column) * FACTOR
            near = np.searchsorted(self._hashes, hashes).clip(max=self._hashes.size - 1)
            for at, known in zip(places, (self._hashes[near] == hashes).tolist(), strict=True):
                found[at] = known
        return found

    def _found(
        self, chars: NDArray[np.uint32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
        """Return the starts, lengths and ids of all pieces in the text, by start and length."""
        starts, hashes = np.arange(chars.size), np.full(chars.size, SEED)
        closed = np.append(chars, np.uint32(SPACE))  # so that no piece goes beyond the end
        found: list[tuple[NDArray[np.int64], int, NDArray[np.int32]]] = []
        for size in range(1, self._longest + 1):
            last = closed[starts + size - 1]
            if size > 1:
                inside = last != SPACE
                starts, hashes, last = starts[inside], hashes[inside], last[inside]
                if not starts.size:
                    break
            hashes = (hashes ^ last) * FACTOR
            places = np.searchsorted(self._hashes, hashes)
            places[places == self._hashes.size] = 0
            known = np.flatnonzero(self._hashes[places] == hashes)
            found.append((starts[known], size, self._ids[places[known]]))
        starts = np.concatenate([at for at, _, _ in found])
        sizes = np.concatenate([np.full(at.size, size) for at, size, _ in found])
        ids = np.concatenate([those for _, _, those in found])
        order = np.lexsort((sizes, starts))
        return starts[order], sizes[order], ids[order]


def codes(text: str) -> NDArray[np.uint32]:
    """Return the code points of a text; a lone surrogate becomes a question mark."""
    return np.frombuffer(text.encode("utf-32-le", "replace"), "<u4").astype(np.uint32)
