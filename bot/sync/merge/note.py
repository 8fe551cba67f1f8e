"""Three-way merge of a note as Markdown: fields, tasks, facts, sections. Pure.

Conflicts are appended to their section as an inert callout.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.notes import headings

from . import front_matter, items, sections
from .lines import Conflict, merge, rows


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
    past, own, other, lost = front_matter.align(past, own, other, human=human)
    past, own, other, gave_way = items.align(past, own, other, knowledge=knowledge, human=human)
    lost = [*lost, *gave_way]
    rest, lifted = sections.split_new_sections(past, own, other)
    merged = merge(
        None if base is None else "".join(past), "".join(rest), "".join(other), human=human
    )
    if merged.whole:
        return MergedNote(theirs, theirs, 1, gone=True, apart=True)
    out = list(merged.lines)
    conflicts = list(merged.conflicts)
    for section in lifted:
        out, at, count = sections.insert_section(out, section)
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
