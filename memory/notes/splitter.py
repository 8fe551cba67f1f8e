"""Split text into pieces of a limited length."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from .markdown import fenced, lines

Row = tuple[int, str]
"""A line's number in the file, from 1, and its text."""

Piece = tuple[str, int, int]
"""A text, and the numbers of its first and last line."""

_SENTENCE = re.compile(r"[.!?…][\"'”’)\]]*\s|[。！？]")
_RULE = frozenset("|-: ")  # the characters below the header of a table
_JOINERS = "\u200d\ufe0e\ufe0f"  # zero-width joiner, variation selectors


def split_text(text: str, limit: int) -> list[Piece]:
    """Split a message into pieces of at most `limit` characters; only white space is dropped."""
    rows = lines(text)
    if len(text) <= limit:
        return [(text, 1, len(rows))] if text.strip() else []
    return list(pack(list(enumerate(rows, 1)), limit))


def pack(rows: Sequence[Row], limit: int) -> Iterator[Piece]:
    """Pack paragraphs into pieces; split long paragraphs by lines, and long lines by words."""
    if limit < 1:
        raise ValueError("a piece has at least one character")
    piece: list[Row] = []
    size = 0
    for block in _paragraphs(rows):
        length = _length(block)
        if piece and size + 2 + length <= limit:
            piece += [(block[0][0], ""), *block]
            size += 2 + length
            continue
        yield from _piece(piece)
        if length <= limit:
            piece, size = block, length
        else:
            piece = []
            yield from _by_lines(block, limit)
    yield from _piece(piece)


def _paragraphs(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Yield runs of lines between blank ones; code fences are not split at their blank lines."""
    block: list[Row] = []
    for row, code in zip(rows, fenced([text for _, text in rows]), strict=True):
        if row[1].strip() or (code and block):
            block.append(row)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _by_lines(block: list[Row], limit: int) -> Iterator[Piece]:
    """Split a paragraph by its lines; each piece of a table begins with the table's header."""
    header = _header(block, limit)
    piece: list[Row] = []
    size = 0
    for number, text in block:
        if piece and size + 1 + len(text) > limit:
            yield from _piece(piece)
            piece = [(number, row) for row in header]
            size = _length(piece)
            if header and size + 1 + len(text) > limit:
                piece = []
        if len(text) <= limit:
            size = size + 1 + len(text) if piece else len(text)
            piece.append((number, text))
            continue
        for part in _cut(text, limit):
            yield from _piece([(number, part)])
    yield from _piece(piece)


def _header(block: list[Row], limit: int) -> list[str]:
    """Return the first two lines of a table, if most of a piece is left for its rows; else none."""
    top = [text for _, text in block[:2]]
    is_table = len(top) == 2 and "|" in top[0] and {"|", "-"} <= {*top[1]} <= _RULE
    return top if is_table and _length(block[:2]) < limit // 2 else []


def _piece(rows: list[Row]) -> Iterator[Piece]:
    text = "\n".join(text for _, text in rows)
    if text.strip():
        yield text, rows[0][0], rows[-1][0]


def _length(rows: list[Row]) -> int:
    return sum(len(text) + 1 for _, text in rows) - 1


def _cut(text: str, limit: int) -> Iterator[str]:
    """Split a line after a sentence, else after a word, else between any two graphemes."""
    start = 0
    while len(text) - start > limit:
        window = text[start : start + limit]
        half = limit // 2
        ends = [match.end() for match in _SENTENCE.finditer(window, half)]
        space = max(window.rfind(" "), window.rfind("\t")) + 1
        if ends:
            size = ends[-1]
        elif space > half:
            size = space
        else:
            size = _whole(text, start, limit)
        yield text[start : start + size]
        start += size
    yield text[start:]


def _whole(text: str, start: int, limit: int) -> int:
    """Return a length up to `limit` that does not split a letter from its accents, or an emoji."""
    for size in range(limit, max(limit - 8, 0), -1):
        after, before = text[start + size], text[start + size - 1]
        if not unicodedata.combining(after) and after not in _JOINERS and before != "\u200d":
            return size
    return limit
