"""Cut Markdown within its marks: bold, italic, struck out, code, links. Pure.

The marks that are open at a cut are closed before it, and opened again behind it.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable
from dataclasses import dataclass

WHOLE = 100  # characters of a marked range that is rather moved to the next piece than cut

_MARKED = re.compile(r"[*_~`\[]")
_QUOTE = re.compile(r"(?: {0,3}> ?)*")
_HARD_BREAK = re.compile(r"(?<!\\)((?:\\\\)*)\\$")


@dataclass(frozen=True, slots=True)
class _Span:
    """A marked range of a text; its content is from `first` until before `last`."""

    start: int
    first: int
    last: int
    end: int


class MarkedLine:
    """A line that is cut into pieces, from its beginning. `is_code`: it has no marks, and its white
    space stays."""

    def __init__(self, text: str, *, is_code: bool = False) -> None:
        self._whole, self._is_code, self._at = text, is_code, 0
        self._margin = "" if is_code else _margin(text)
        self._spans = [] if is_code else _spans(text)
        self._before = ""  # the signs of a quotation, and the marks that were open at the last cut

    @property
    def left(self) -> str:
        """What is left, without the marks that were open at the last cut."""
        return self._whole[self._at :]

    @property
    def rest(self) -> str:
        """What is left, as the last piece; "" for nothing."""
        return self._before + self.left if self.left else ""

    def piece(self, size: int) -> str:
        """Return the piece that about the next `size` characters would be."""
        end = self._end(size)
        words = self._whole[self._at : end]
        if self._is_code:
            return words
        closed = "".join(self._whole[each.last : each.end] for each in reversed(self._open(end)))
        return f"{self._before}{words.rstrip()}{closed}"

    def take(self, size: int) -> str:
        """Return that piece, and go on behind it."""
        piece, end = self.piece(size), self._end(size)
        if self._is_code:
            self._at = end
            return piece
        opened = (self._whole[each.start : each.first] for each in self._open(end))
        self._before = "".join((self._margin, *opened))
        self._at = len(self._whole) - len(self._whole[end:].lstrip())
        self._spans = [each for each in self._spans if each.end > end]
        return piece

    def _end(self, size: int) -> int:
        """Return where the piece ends: there, or just beside a marked range."""
        here = end = self._at + size
        for each in reversed(self._open(here)):
            if not each.start < end < each.end:
                continue
            is_short = each.end - each.start <= WHOLE and 2 * (each.start - self._at) > size
            if is_short or not self._whole[each.first : end].strip():
                end = each.start
            elif not self._whole[end : each.last].strip():
                end = each.end
        return end if end > self._at else here

    def _open(self, at: int) -> list[_Span]:
        """Return the marked ranges around a position, outer ones first."""
        return [each for each in self._spans if each.start < at < each.end]


def with_marks_in_each_line(block: str) -> str:
    """Return a block whose marked ranges end with their line, and begin again in the next one."""
    ends = [found.start() for found in re.finditer("\n", block)]
    spans = [each for each in _spans(block) if bisect(ends, each.first) < bisect(ends, each.last)]
    if not spans:
        return block
    done, begin = list[str](), 0
    for line in block.split("\n"):
        end = begin + len(line)
        before = [each for each in spans if each.first < begin <= each.last]
        after = [each for each in spans if each.first <= end < each.last]
        margin = _margin(line)
        words = line[len(margin) :]
        if before:
            words = words.lstrip()
        if after:
            words = _HARD_BREAK.sub(r"\1", words.rstrip())
        opened = "".join(block[each.start : each.first] for each in before)
        closed = "".join(block[each.last : each.end] for each in reversed(after))
        done.append(f"{margin}{opened}{words}{closed}")
        begin = end + 1
    return "\n".join(done)


def _margin(line: str) -> str:
    """Return the signs of a quotation at the beginning of a line."""
    found = _QUOTE.match(line)
    return found[0] if found else ""


def _spans(text: str) -> list[_Span]:
    """Return the marked ranges by where they start, outer ones first."""
    return sorted(_parsed(text), key=lambda each: (each.start, -each.end))


def _parsed(text: str) -> Iterable[_Span]:
    from pyromark import Options, events_with_range

    if not _MARKED.search(text):
        return
    place, byte = dict[int, int](), 0
    for number, char in enumerate(text):
        place[byte] = number
        byte += len(char.encode())
    place[byte] = len(text)
    before = 0  # where the event before this one ends
    options = Options.ENABLE_TABLES | Options.ENABLE_STRIKETHROUGH
    for event, where in events_with_range(text, options=options):
        start, end = place[where["start"]], place[where["end"]]
        match event:
            case {"End": "Emphasis"}:
                yield _Span(start, start + 1, end - 1, end)
            case {"End": "Strong"}:
                yield _Span(start, start + 2, end - 2, end)
            case {"End": "Strikethrough"}:
                signs = 2 if text.startswith("~~", start) else 1
                yield _Span(start, start + signs, end - signs, end)
            case {"Code": _}:
                signs = end - start - len(text[start:end].lstrip("`"))
                yield _Span(start, start + signs, end - signs, end)
            case {"End": "Link"} if text.startswith("[", start) and text.startswith("](", before):
                yield _Span(start, start + 1, before, end)
        before = end
