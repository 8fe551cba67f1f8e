"""Three-way merge of texts, line by line. Pure.

`mine` is the vault's text, `theirs` the remote's. Where both changed the same lines, one side's are
kept and the other's are returned with their place: no line is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

MOST_LINES = 20_000  # above, difflib takes minutes: the texts count as one conflict

_SOME = 3  # lines; fewer are often a coincidence


@dataclass(frozen=True, slots=True)
class Conflict:
    """The replaced lines of one side; `at`: their position in lines of the merged text."""

    at: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Merged:
    """The merged lines and the conflicts. `whole`: the texts were too long to compare."""

    lines: tuple[str, ...]
    conflicts: tuple[Conflict, ...] = ()
    whole: bool = False

    @property
    def text(self) -> str:
        return "".join(self.lines)


def rows(text: str) -> list[str]:
    """Return the lines with their ends; only `\\n` ends one, as in an editor."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def is_replaced(old: str, new: str) -> bool:
    """Return whether a text was completely replaced."""
    was = {line.strip() for line in old.split("\n")} - {""}
    return len(was) >= _SOME and not was & {line.strip() for line in new.split("\n")}


def merge(base: str | None, mine: str, theirs: str, *, human: bool = False) -> Merged:
    """Merge the texts. Without a base, their common lines serve as one.

    In a conflict mine are kept, or theirs if that side is the `human` one.
    """
    ours, others = rows(mine), rows(theirs)
    if mine == theirs:
        return Merged(tuple(others))
    if max(len(ours), len(others)) > MOST_LINES:
        return Merged(tuple(others), whole=True)
    past = rows(base) if base is not None else []
    if base is None:
        past = [line for at, _, size in _blocks(ours, others) for line in ours[at : at + size]]
    out: list[str] = []
    conflicts: list[Conflict] = []
    for was, own, other in _pieces(past, ours, others):
        joined = _join(was, own, other)
        if joined is None:
            stands, gives_way = (other, own) if human else (own, other)
            _add(out, stands)
            if lost := tuple(line for line in gives_way if line not in stands and line not in was):
                conflicts.append(Conflict(len(out), lost))
        else:
            _add(out, joined)
    return Merged(tuple(out), tuple(conflicts))


def _join(was: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> Sequence[str] | None:
    """Merge one piece; None if both changed it."""
    if mine in (was, theirs):
        return theirs
    if theirs == was:
        return mine
    if not was:  # both added here: the owner's first
        if _inside(mine, theirs):
            return theirs
        return mine if _inside(theirs, mine) else _both(theirs, mine)
    if not mine or not theirs:  # an edit beats a deletion
        return theirs or mine
    if len(was) == len(mine) == len(theirs):
        lines = [_line(*three) for three in zip(was, mine, theirs, strict=True)]
        return None if None in lines else [line for line in lines if line is not None]
    return None


def _line(was: str, mine: str, theirs: str) -> str | None:
    if mine in (was, theirs):
        return theirs
    return mine if theirs == was else None


def _both(first: Sequence[str], second: Sequence[str]) -> list[str]:
    out = list(first)
    _add(out, second)
    return out


def _add(out: list[str], lines: Sequence[str]) -> None:
    """Append lines; add a newline to a last line without one."""
    if lines and out and not out[-1].endswith("\n"):
        out[-1] += "\n"
    out.extend(lines)


def _inside(few: Sequence[str], many: Sequence[str]) -> bool:
    return any(many[at : at + len(few)] == few for at in range(len(many) - len(few) + 1))


def _blocks(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int, int]]:
    return [
        (block.a, block.b, block.size)
        for block in SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    ]


def _pieces(
    base: list[str], mine: list[str], theirs: list[str]
) -> Iterator[tuple[list[str], list[str], list[str]]]:
    """Split the three texts where all of them agree, into agreeing and differing pieces in turn."""
    at = mine_at = theirs_at = 0
    for start, end, mine_start, theirs_start in _agreeing(base, mine, theirs):
        yield base[at:start], mine[mine_at:mine_start], theirs[theirs_at:theirs_start]
        same = base[start:end]
        yield same, same, same
        at, mine_at, theirs_at = end, mine_start + len(same), theirs_start + len(same)
    yield base[at:], mine[mine_at:], theirs[theirs_at:]


def _agreeing(
    base: list[str], mine: list[str], theirs: list[str]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield spans of the base that both texts still have, with their places there."""
    ours, others = _blocks(base, mine), _blocks(base, theirs)
    i = j = 0
    while i < len(ours) and j < len(others):
        (a, a_at, a_size), (b, b_at, b_size) = ours[i], others[j]
        start, end = max(a, b), min(a + a_size, b + b_size)
        if start < end:
            yield start, end, a_at + start - a, b_at + start - b
        if a + a_size < b + b_size:
            i += 1
        else:
            j += 1
