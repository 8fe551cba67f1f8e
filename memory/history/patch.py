"""Compare two texts, and revert the difference in a later text. Pure.

A three-way merge: the base is the text after the edit, one side is the owner's current text, the
other is the text before the edit. Of unchanged lines only marks are stored. Two lines have the same
mark if they differ only in a fact's `updated` field and in Sam's pin.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from ..errors import EditRefused
from ..log.operations.edits import Hunk

MOST_LINES = 20_000  # above this limit, comparing takes minutes
MOST_CHARACTERS = 200_000  # lines that an edit removes and adds

_VARIES = re.compile(r"(?<![ \t])[ \t]*(?:[(\[]updated::[^()\[\]\n]*[)\]]|#sam/pinned(?![\w/-]))")


@dataclass(frozen=True, slots=True)
class Patch:
    """The difference between two texts. `marks`: of the later text's lines."""

    marks: tuple[str, ...]
    hunks: tuple[Hunk, ...]

    def reversed(self) -> Patch:
        """Return the difference in the other direction."""
        marks, hunks, moved = list[str](), list[Hunk](), 0
        at = 0
        for hunk in self.hunks:
            marks += [*self.marks[at : hunk.at], *map(mark, hunk.old)]
            hunks.append(Hunk(hunk.at + moved, hunk.new, hunk.old))
            at = hunk.at + len(hunk.new)
            moved += len(hunk.old) - len(hunk.new)
        return Patch((*marks, *self.marks[at:]), tuple(hunks))


def rows(text: str) -> list[str]:
    """Return the lines with their ends; only `\\n` ends one."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def mark(line: str) -> str:
    """Return a checksum of the line, 8 hex digits, the same for lines that differ only in a fact's
    `updated` field and in Sam's pin."""
    bare = line.removesuffix("\n")
    if "::" in bare or "#sam/" in bare:
        bare = _VARIES.sub("", bare)
    return f"{zlib.crc32(bare.encode('utf-8', 'surrogatepass')):08x}"


def compare(before: str, after: str) -> Patch | None:
    """Return the patch that turns `after` into `before`; None if the texts are too long."""
    old, new = rows(before), rows(after)
    if max(len(old), len(new)) > MOST_LINES:
        return None
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    a, b = old[start : len(old) - end], new[start : len(new) - end]
    hunks = tuple(
        Hunk(start + j1, tuple(a[i1:i2]), tuple(b[j1:j2]))
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
        if tag != "equal"
    )
    size = sum(len(line) for hunk in hunks for line in (*hunk.old, *hunk.new))
    return Patch(tuple(map(mark, new)), hunks) if size <= MOST_CHARACTERS else None


def revert(patch: Patch, text: str) -> str:
    """Return the text without the patch's edit. Other changes that were made since are kept.

    Raises EditRefused if the lines of the edit, or those around it, were changed since.
    """
    mine = rows(text)
    marks = [mark(line) for line in mine]
    if tuple(marks) == patch.marks:
        return _joined(_exact(patch.hunks, mine))
    if tuple(marks) == patch.reversed().marks and marks:
        return text  # already reverted
    place = _places(patch.marks, marks)
    taken: set[int] = set()
    put: dict[int, list[str]] = {}
    for hunk in filter(None, map(_trimmed, patch.hunks)):
        at, gone, back = _replaced(hunk, mine, place, len(patch.marks))
        taken.update(gone)
        put.setdefault(at, []).extend(back)
    out: list[str] = []
    for number in range(len(mine) + 1):
        out += put.get(number, [])
        if number < len(mine) and number not in taken:
            out.append(mine[number])
    return _joined(out)


def _places(base: Sequence[str], mine: Sequence[str]) -> dict[int, int]:
    """Map the line numbers of the base to those of the same lines in `mine`."""
    start = _shared(base, mine)
    end = _shared(base[start:][::-1], mine[start:][::-1])
    place = {n: n for n in range(start)}
    place.update({len(base) - n: len(mine) - n for n in range(1, end + 1)})
    a, b = base[start : len(base) - end], mine[start : len(mine) - end]
    for block in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks():
        place.update({start + block.a + n: start + block.b + n for n in range(block.size)})
    return place


def _replaced(
    hunk: Hunk, mine: Sequence[str], place: dict[int, int], length: int
) -> tuple[int, list[int], Sequence[str]]:
    """Return the position, the lines of `mine` to remove, and the lines to restore."""
    end = hunk.at + len(hunk.new)
    here = [place[n] for n in range(hunk.at, end) if n in place]
    start = next((place[n] + 1 for n in range(hunk.at - 1, -1, -1) if n in place), 0)
    stop = next((place[n] for n in range(end, length) if n in place), len(mine))
    if (
        hunk.old
        and len(here) < max(1, len(hunk.new))
        and _within(hunk.old, mine[start:stop])
        and {mark(mine[n]) for n in here} <= set(map(mark, hunk.old))
    ):
        return start, [], ()  # reverted already: none of the edit's own lines is left
    if len(here) < len(hunk.new):
        known = set(place.values())
        if hunk.old or any(n not in known and mine[n].strip() for n in range(start, stop)):
            raise EditRefused("these lines were changed since")
        return start, here, ()  # the owner already removed it
    if here:
        return here[0], here, hunk.old
    follows = hunk.at == 0 or hunk.at - 1 in place
    if not follows and hunk.at != length and hunk.at not in place:
        raise EditRefused("the lines around it were changed since")
    return start if follows else stop, [], hunk.old


def _trimmed(hunk: Hunk) -> Hunk | None:
    """Return the hunk without the lines in which its sides differ only in the line's end.

    Lines appended to a note without a final newline give its last line an end. None if no
    other line differs.
    """
    old = [line.rstrip("\r\n") for line in hunk.old]
    new = [line.rstrip("\r\n") for line in hunk.new]
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    if len(old) == len(new) == start + end:
        return None
    changed = slice(start, -end or None)
    return Hunk(hunk.at + start, hunk.old[changed], hunk.new[changed])


def _within(few: Sequence[str], many: Sequence[str]) -> bool:
    wanted, there = [mark(line) for line in few], [mark(line) for line in many]
    return any(there[n : n + len(wanted)] == wanted for n in range(len(there) - len(wanted) + 1))


def _exact(hunks: Iterable[Hunk], mine: Sequence[str]) -> Iterator[str]:
    at = 0
    for hunk in hunks:
        yield from mine[at : hunk.at]
        yield from hunk.old
        at = hunk.at + len(hunk.new)
    yield from mine[at:]


def _joined(lines: Iterable[str]) -> str:
    """Join lines; one without an end that is not the last gets one."""
    every = list(lines)
    last = len(every) - 1
    return "".join(
        line if n == last or line.endswith("\n") else f"{line}\n" for n, line in enumerate(every)
    )


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the number of common leading lines."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            return count
        count += 1
    return count
