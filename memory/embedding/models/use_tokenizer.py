"""The tokenizer of USE multilingual v3: text → ids, from SentencePiece's `sp.model`.

The file is a `ModelProto` (sentencepiece_model.proto): pieces (1) and a `NormalizerSpec` (3), whose
`precompiled_charsmap` (2) holds the character replacements. That is a Darts-clone double array over
UTF-8, preceded by its size in bytes and followed by the NUL-terminated replacements.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .sentencepiece import SPACE, Pieces, codes

UNKNOWN, BEGIN, END = 0, 1, 2
FIRST, SECOND, SECOND_FLOAT, THIRD = 0x0A, 0x12, 0x15, 0x1A
"""Protobuf field tags: length-delimited fields 1, 2 and so on, and a float."""

BESIDE = 7
"""Bytes of a piece in the file besides its text; two more if it has a type."""

LABEL = np.uint32(0x800000FF)
VALUE = np.uint32(0x7FFFFFFF)


class Tokenizer:
    """Split text with the pieces, scores and replacements of an `sp.model` file.

    Raises ValueError for a file with another layout than that of USE multilingual v3.
    """

    def __init__(self, file: Path) -> None:
        data = file.read_bytes()
        try:
            self._pieces, at = _pieces(data)
            _, at = _field(data, at, SECOND)  # the trainer's settings
            at, _ = _field(data, at, THIRD)
            _, at = _field(data, at, FIRST)  # the name of the replacements
            start, end = _field(data, at, SECOND)
        except IndexError:
            raise ValueError(f"{file.name} is cut off") from None
        self._replacements = Replacements(data[start:end])

    def ids(self, text: str) -> list[int]:
        """Return the ids of a text's pieces, with the start and end tokens."""
        return [BEGIN, *self._split(text), END]

    def log_odds(self, text: str) -> float:
        """Return the logarithm of the text's probability in the model of the pieces."""
        return self._pieces.log_odds(self._split(text))

    def words(self, texts: Sequence[str]) -> list[bool]:
        """Return whether each of the texts is a word that the model has as one piece."""
        return self._pieces.words(texts)

    def _split(self, text: str) -> list[int]:
        plain = self._replacements.apply(text.encode("utf-8", "replace")).decode("utf-8")
        space = chr(SPACE)
        words = "".join(space + word for word in plain.split(" ") if word)
        return self._pieces.split(codes(words)) if words else [UNKNOWN]


tokenizer = functools.cache(Tokenizer)
"""Return the tokenizer of a file; all its users share one."""


class Replacements:
    """Character replacements; at each position the longest matching key wins."""

    def __init__(self, packed: bytes) -> None:
        size = int.from_bytes(packed[:4], "little")
        units = np.frombuffer(packed, "<u4", size // 4, 4).astype(np.uint32)
        self._label = units & LABEL
        self._value = units & VALUE
        self._leaf = (units & 0x100) != 0
        self._offset = (units >> 10) << ((units & 0x200) >> 6)
        self._texts = packed[4 + size :]

    def apply(self, text: bytes) -> bytes:
        """Replace every key in UTF-8 text. All positions are looked up at once, byte by byte."""
        data = np.frombuffer(text, np.uint8)
        at = np.flatnonzero((data & 0xC0) != 0x80)
        starts = at.copy()
        nodes = np.full(at.size, self._offset[0])
        ends, values = np.zeros(data.size, np.int64), np.zeros(data.size, np.int64)
        while at.size:
            nodes ^= data[at]
            on = self._label[nodes] == data[at]
            at, starts, nodes = at[on] + 1, starts[on], nodes[on]
            leaf = self._leaf[nodes]
            nodes ^= self._offset[nodes]
            ends[starts[leaf]], values[starts[leaf]] = at[leaf], self._value[nodes[leaf]]
            inside = at < data.size
            at, starts, nodes = at[inside], starts[inside], nodes[inside]
        parts, done = list[bytes](), 0
        for start in np.flatnonzero(ends).tolist():
            if start >= done:
                value = int(values[start])
                parts += text[done:start], self._texts[value : self._texts.index(b"\0", value)]
                done = int(ends[start])
        return b"".join((*parts, text[done:]))


def _pieces(data: bytes) -> tuple[Pieces, int]:
    """Return the pieces, which are at the start of the file, and the offset where they end.

    Each is a tag, a size, a tag, the size of the text, the text, a tag, the score, and maybe a
    type. All sizes are below 128, so each is one byte. Everything that looks like a piece is found
    in one pass; the result is valid if each piece begins where the previous one ends.
    """
    whole = np.frombuffer(data, np.uint8)
    at = np.flatnonzero(whole[:-BESIDE] == FIRST)
    at = at[whole[at + 2] == FIRST]
    beside = whole[at + 1] - whole[at + 3]
    at = at[(beside == BESIDE) | (beside == BESIDE + 2)]
    starts, sizes = at + 4, whole[at + 3]
    ends = at + 2 + whole[at + 1]
    if not at.size or at[0] or (at[1:] != ends[:-1]).any():
        raise ValueError("the pieces have another layout")
    if (whole[starts + sizes] != SECOND_FLOAT).any():
        raise ValueError("the scores have another place")
    places = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
    texts = whole[
        np.repeat((starts - places[:-1]).astype(np.int32), sizes)
        + np.arange(places[-1], dtype=np.int32)
    ]
    scores = whole[(starts + sizes)[:, None] + np.arange(1, 5)].view("<f4")[:, 0]
    return Pieces(texts.tobytes(), places, scores.astype(np.float64), UNKNOWN), int(ends[-1])


def _field(data: bytes, at: int, tag: int) -> tuple[int, int]:
    """Return the start and end of this field's content. Raises IndexError if it is truncated."""
    if data[at] != tag:
        raise ValueError("a field has another place")
    size = shift = 0
    more = True
    while more:
        at += 1
        size |= (data[at] & 0x7F) << shift
        shift += 7
        more = data[at] >= 0x80
    if at + size >= len(data):
        raise IndexError
    return at + 1, at + 1 + size
