"""Three-way merge of a note as Markdown: fields, tasks, facts, sections. Pure.

Conflicts are appended to their section as an inert callout.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import yaml

from memory.notes import MAX_FRONT_MATTER, block_id, headings

from . import items
from .lines import Conflict, merge, rows

_KEY = re.compile(r"([^\s#\-:\[{\"'][^:]*?|\"[^\"]*\"|'[^']*')\s*:(?:\s|$)")
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?")


@dataclass(frozen=True, slots=True)
class MergedNote:
    """The merged text, the original `theirs`, and the number of conflicts.

    `gone`: lines of mine were replaced. `apart`: nothing was merged, theirs is kept.
    """

    text: str
    theirs: str
    conflicts: int = 0
    gone: bool = False
    apart: bool = False


def merge_note(
    base: str | None,
    mine: str,
    theirs: str,
    *,
    title: str,
    human: bool = False,
    knowledge: bool = False,
) -> MergedNote:
    """Merge the two texts. `title` heads the callouts: `Sync conflict, 12 Feb 14:31, from the
    remote`.

    `human`: theirs are kept in conflicts, without a callout. `knowledge`: lines with a block id are
    facts. Without a base, their common lines serve as one.
    """
    if base in (mine, theirs) or mine == theirs:
        return MergedNote(theirs if base == mine else mine, theirs)
    own, other = rows(mine), rows(theirs)
    past = rows(base) if base is not None else []
    past, own, other, lost = align(past, own, other, human=human)
    past, own, other, gave_way = items.align(past, own, other, knowledge=knowledge, human=human)
    lost = [*lost, *gave_way]
    rest, lifted = split_new_sections(past, own, other)
    merged = merge(
        None if base is None else "".join(past), "".join(rest), "".join(other), human=human
    )
    if merged.whole:
        return MergedNote(theirs, theirs, 1, gone=True, apart=True)
    out = list(merged.lines)
    conflicts = list(merged.conflicts)
    for section in lifted:
        out, at, count = insert_section(out, section)
        conflicts = [Conflict(c.at + count, c.lines) if c.at > at else c for c in conflicts]
    twice = set(items.duplicates(out, own, other))
    conflicts = [Conflict(c.at - sum(n < c.at for n in twice), c.lines) for c in conflicts]
    out = [line for number, line in enumerate(out) if number not in twice]
    count = len(conflicts) + len(lost)
    if human:
        return MergedNote("".join(out), theirs, count, gone=count > 0)
    for line in lost:  # mine has its own version of the line: append this one at the end
        conflicts.append(Conflict(_home(out, line), (line,)))
    return MergedNote(_with_callouts(out, conflicts, title), theirs, count)


def append_callout(text: str, title: str, body: str) -> str:
    """Append a callout to the text."""
    ending = "" if not text or text.endswith("\n") else "\n"
    return f"{text}{ending}\n> [!warning]- {title}\n> {body}\n"


def _home(out: list[str], line: str) -> int:
    """Return the place after the line with the same beginning, else after the last line."""
    ids = set(re.findall(r"(?:🆔 |\^)([\w-]+)", line))
    for number, row in enumerate(out):
        if ids & set(re.findall(r"(?:🆔 |\^)([\w-]+)", row)):
            return number + 1
    start = line.split(":", 1)[0]
    return next((n + 1 for n, row in enumerate(out) if row.startswith(start)), len(out))


def _with_callouts(out: list[str], conflicts: list[Conflict], title: str) -> str:
    """Add a callout after each section with conflicts."""
    bare = [line.rstrip("\n") for line in out]
    heads = [heading.line for heading in headings(bare)]
    by_end: dict[int, list[str]] = {}
    for conflict in conflicts:
        end = next((line for line in heads if line >= conflict.at), len(out))
        while end > 0 and not bare[end - 1].strip():
            end -= 1
        by_end.setdefault(end, []).extend(quoted(conflict.lines))
    for end in sorted(by_end, reverse=True):
        body = by_end[end]
        if not body or _stands(out, body):
            continue
        if end and not out[end - 1].endswith("\n"):
            out[end - 1] += "\n"
        gap = ["\n"] if end < len(out) and out[end].strip() else []
        lead = ["\n"] if end else []
        out[end:end] = [*lead, f"> [!warning]- {title}\n", *(f"{line}\n" for line in body), *gap]
    return "".join(out)


def quoted(lines: tuple[str, ...]) -> list[str]:
    """Quote lines made inert, so that no task, heading or block id is duplicated."""
    found = []
    for line in lines:
        text = line.rstrip("\n")
        if re.match(r">\s*\[!warning\]- Sync conflict", text):
            continue  # an older callout's head: its content is quoted unchanged
        text = re.sub(r"^((?:\s|>)*(?:[-*+]|\d{1,9}[.)])\s+)\[(?=.\])", r"\1\\[", text)
        text = re.sub(r"^(\s*)(?=#{1,6}\s)", r"\1\\", text)
        text = re.sub(r"(?<![\\])\^(?=[A-Za-z0-9-]+\s*$)", r"\\^", text)
        text = re.sub(r"^(\s*)(?=`{3}|~{3})", r"\1\\", text)
        if text.strip(" >"):
            found.append(f"> {text}" if not text.startswith("> ") else text)
    return found


def _stands(out: list[str], body: list[str]) -> bool:
    """Return whether such a callout exists already: after a crash a merge is repeated."""
    bare = [line.rstrip("\n") for line in out]
    return any(bare[n : n + len(body)] == body for n in range(len(bare)))


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


class Front(dict[str, tuple[object, list[str]]]):
    """Value and lines of each property, in order."""


def align(
    base: list[str], mine: list[str], theirs: list[str], *, human: bool = False
) -> tuple[list[str], list[str], list[str], list[str]]:
    """Return the three versions (lines with their ends) with the same merged front matter.

    The last item: lines of theirs that were replaced, or of mine if theirs is the `human` side. If
    one version is not plain, all stay unchanged.
    """
    cut = [_cut(lines) for lines in (base, mine, theirs)]
    if any(found is None for found in cut):
        return base, mine, theirs, []
    (was, past), (own, body), (other, their_body) = [found for found in cut if found is not None]
    joined, lost = _joined(was, own, other, human)
    head = ["---\n", *joined, "---\n"] if joined else []
    return head + past, head + body, head + their_body, lost


def _joined(was: Front, mine: Front, theirs: Front, human: bool) -> tuple[list[str], list[str]]:
    lines: list[str] = []
    lost: list[str] = []
    for key in dict.fromkeys([*theirs, *mine]):
        old, own, other = (side[key][0] if key in side else None for side in (was, mine, theirs))
        if own in (other, old):
            side = theirs
        else:
            side = mine
            if own is not None and other not in (old, None):
                side, gives_way = (theirs, mine) if human else (mine, theirs)
                lost += gives_way[key][1]
        if own is not None and own == other and key in was and was[key][1] == theirs[key][1]:
            side = mine  # the same value in another format: the newer one
        if key in side:
            lines += side[key][1]
        elif old is not None and (own if side is theirs else other) != old:
            lines += (mine if side is theirs else theirs)[key][1]  # an edit beats a deletion
    return lines, lost


def _cut(lines: list[str]) -> tuple[Front, list[str]] | None:
    """Split into properties and body; None for front matter that is not plain."""
    if not lines or lines[0].rstrip() != "---":
        return Front(), lines
    end = next((n for n, line in enumerate(lines) if n and line.rstrip() == "---"), None)
    if end is None or not lines[end].endswith("\n"):
        return None
    inside = lines[1:end]
    try:
        text = "".join(inside)[: MAX_FRONT_MATTER + 1]
        values = yaml.load(text, Loader=_LOADER) or {}  # nosec B506: a BaseLoader makes texts alone
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    if not isinstance(values, dict) or sum(map(len, inside)) > MAX_FRONT_MATTER:
        return None
    front, key = Front(), None
    for line in inside:
        if match := _KEY.match(line):
            key = match[1].strip("\"'")
            if key not in values or key in front:
                return None
            front[key] = (values[key], [line])
        elif key is None:
            return None
        else:
            front[key][1].append(line)
    return (front, lines[end + 1 :]) if front.keys() == values.keys() else None
