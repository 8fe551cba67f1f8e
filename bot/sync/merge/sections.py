"""Merge sections headed by a time (`## 14:30:00`), as in a day's file. Pure.

Sections that both sides added are sorted by time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from memory.notes import block_id, headings

_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?")


class Timed(NamedTuple):
    """A section: its time as text, its key, lines [start, end)."""

    at: str
    key: tuple[str, str]
    start: int
    end: int


def timed(lines: Sequence[str]) -> list[Timed]:
    """Return the sections with a time, of lines with or without their ends."""
    bare = [line.rstrip("\n") for line in lines]
    marks = [heading for heading in headings(bare) if heading.level <= 2]
    ends = [*(heading.line for heading in marks[1:]), len(bare)]
    found = []
    for heading, end in zip(marks, ends, strict=False):
        if heading.level == 2 and _TIME.fullmatch(heading.title.strip()):
            title = heading.title.strip()
            block = next(filter(None, map(block_id, bare[heading.line : end])), "")
            found.append(Timed(title.ljust(8, ":"), (title, block), heading.line, end))
    return found


def split_new_sections(
    base: Sequence[str], mine: list[str], theirs: Sequence[str]
) -> tuple[list[str], list[list[str]]]:
    """Split mine into the text without its new sections, and those; all if theirs has none."""
    past = {section.key for section in timed(base)}
    others = {section.key for section in timed(theirs)}
    if not others - past:
        return mine, []
    new = [s for s in timed(mine) if s.key not in past and s.key not in others]
    out = {number for section in new for number in range(section.start, section.end)}
    return (
        [line for number, line in enumerate(mine) if number not in out],
        [mine[section.start : section.end] for section in new],
    )


def insert_section(lines: Sequence[str], section: Sequence[str]) -> tuple[list[str], int, int]:
    """Insert the section after the last one that is not later; return also its place and length."""
    block = list(section)
    while block and not block[-1].strip():
        block.pop()
    if block and not block[-1].endswith("\n"):
        block[-1] += "\n"
    at = timed(block)[0].at
    there = timed(lines)
    earlier = [one.end for one in there if one.at <= at]
    later = [one.start for one in there if one.at > at]
    line = max(earlier) if earlier else min(later, default=len(lines))
    before, after = list(lines[:line]), list(lines[line:])
    if before and not before[-1].endswith("\n"):
        before[-1] += "\n"
    if before and before[-1].strip():
        block.insert(0, "\n")
    if after:
        block.append("\n")
    return [*before, *block, *after], line, len(block)
