"""The format of a day's file, `memories/2026-02-12.md`, as text in and text out.

# Memories — 2026-02-12

## 14:30:00

- **Summary**: Discussed project deadlines and deployment strategy ^b7k2mq
- Decided to use Hetzner CX22 for VPS hosting
- Action: Set up DNS for sam.example.org by Friday

Functions that change a text keep the bytes of everything else in it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, time
from typing import NamedTuple

from .markdown import block_id, headings, inert, lines, newline, strip_block_id

_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d):([0-5]\d)")
_ITEM = re.compile(r"[-*+]\s+(\S.*)")
_MERE_LINK = re.compile(r"- Remembered(?: \([^()\n]*\))? \[\[[^\]\n]+\]\]")


@dataclass(frozen=True, slots=True)
class Section:
    """The section that a batch writes. Its texts may come from a chat: they are made inert when
    rendered.

    `at` is the local time of the batch's last message, `mark` a remark on how it was made.
    """

    at: time
    batch: str
    summary: str
    bullets: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    mark: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the bullets as they are written, without list markers; `lines_of` finds them
        again."""
        plain = [text for bullet in self.bullets if (text := inert(bullet))]
        return (*plain, *(f"Action: {text}" for action in self.actions if (text := inert(action))))


class _Place(NamedTuple):
    """A section with a time: lines [start, end) of the file, from 0."""

    at: time
    start: int
    end: int


def render(section: Section) -> str:
    """Render the section for the file, from its heading to its last line end."""
    said = [inert(section.summary), f"({inert(section.mark)})" if section.mark else ""]
    items = [
        summary_line(" ".join(filter(None, said)), section.batch),
        *(f"- {line}" for line in section.lines),
    ]
    return "\n".join([f"## {section.at:%H:%M:%S}", "", *items, ""])


def summary_line(text: str, batch: str) -> str:
    """Format the first line of a section, with the batch's id at its end."""
    return " ".join(filter(None, ["- **Summary**:", text, f"^{batch}"]))


def is_summary(row: str) -> bool:
    """Return whether the line of a day's file, or of a passage of it, is the first one of a
    section."""
    return row.startswith("- **Summary**")


def insert(text: str, day: date, section: Section) -> str:
    """Insert the section into the day's file by its time; unchanged if the batch is in it
    already."""
    if has_batch(text, section.batch):
        return text
    return _place(text, day, section.at, render(section))


def append_note(text: str, day: date, at: time, line: str) -> str:
    """Add a saved note to the day's file, as a bullet under its time; unchanged if it is already
    there.

    The line is written unchanged, because it may have a link: callers make chat text in it inert.
    """
    item = f"- {' '.join(line.split())}"
    rows = lines(text)
    for place in _places(rows):
        if place.at == at.replace(microsecond=0) and item in rows[place.start : place.end]:
            return text
    return _place(text, day, at, f"## {at:%H:%M:%S}\n\n{item}\n")


def has_batch(text: str, batch: str) -> bool:
    """Return whether a line of the file ends in that batch's id."""
    return any(block_id(row) == batch for row in lines(text))


def summaries(text: str) -> dict[str, time]:
    """Map the batches with a section in the file to the time in its heading."""
    rows = lines(text)
    return {
        block: place.at
        for place in _places(rows)
        for row in rows[place.start : place.end]
        if is_summary(row) and (block := block_id(row))
    }


def lines_of(text: str) -> dict[str, tuple[str, ...]]:
    """Map each batch in the text to its present bullets, without dashes and the summary's line."""
    rows = lines(text)
    return {
        batch: tuple(filter(None, (_bullet(rows[n]) for n in range(start, end) if n != summary)))
        for batch, (start, end, summary) in _extents(rows).items()
    }


def bullets(text: str) -> set[str]:
    """Return the words of all list items, whatever their marks and indents."""
    return {" ".join(words.split()) for row in lines(text) if (words := _bullet(row.lstrip()))}


def section_of(text: str, batch: str) -> tuple[str, str]:
    """Return the current heading and summary line of that batch; "" if they are missing."""
    rows = lines(text)
    found = _extents(rows).get(batch)
    if found is None:
        return "", ""
    start, _, summary = found
    return ("" if start == summary else rows[start].rstrip()), rows[summary].rstrip()


def without(text: str, batch: str, items: Collection[str], *, summary: str | None) -> str:
    """Remove those bullets of the batch from the day's file.

    `summary`: the new summary line; "": remove it, None: keep it. Bullets are compared by their
    words, without marks, indents and block ids; other lines stay. An empty section's heading is
    removed too. Where the summary's line is missing, bullets are searched in all lines that are in
    no other batch's section.
    """
    rows = lines(text)
    found = _extents(rows).get(batch)
    gone = {" ".join(item.split()) for item in items} - {""}
    taken = {
        row
        for row in (range(found[0], found[1]) if found else _lines_without_batch(rows))
        if " ".join(_bullet(rows[row].lstrip()).split()) in gone
    }
    if found:
        start, end, at = found
        if summary == "":
            taken.add(at)
        left = [row for row in range(start + 1, end) if row not in taken and rows[row].strip()]
        if taken and start != at and not left:
            taken = set(range(start, end))
            while end == len(rows) and start > 0 and not rows[start - 1].strip():
                start -= 1
                taken.add(start)
    stand = text.split("\n")
    if found and summary:
        stand[found[2]] = summary_line(summary, batch) + "\r" * stand[found[2]].endswith("\r")
    elif not taken:
        return text
    kept = [row for number, row in enumerate(stand) if number not in taken]
    return "\n".join(kept) + ("\n" if kept and kept[-1] else "")


def _bullet(row: str) -> str:
    """Return a list item without its mark and the block id that Obsidian adds when its owner links
    to it; "" for another line."""
    match = _ITEM.fullmatch(row.rstrip())
    return strip_block_id(match[1]) if match else ""


def _lines_without_batch(rows: list[str]) -> list[int]:
    """Return the lines that are in no batch's section."""
    batches = {name for row in rows if "**Summary**" in row and (name := block_id(row))}
    extents = _extents(rows)
    theirs = {row for name in batches for row in range(*extents[name][:2])}
    return [row for row in range(len(rows)) if row not in theirs]


def _extents(rows: list[str]) -> dict[str, tuple[int, int, int]]:
    """Map each block id, the first time that it is there, to the lines of its section,
    [start, end), and its own line, which for a batch is its summary's; from 0."""
    marks = [heading.line for heading in headings(rows) if heading.level <= 2]
    found: dict[str, tuple[int, int, int]] = {}
    for number, row in enumerate(rows):
        if (name := block_id(row)) and name not in found:
            at = bisect_left(marks, number)
            start = marks[at - 1] if at else number
            end = next((line for line in marks[at:] if line > number), len(rows))
            found[name] = start, end, number
    return found


def _places(rows: list[str]) -> list[_Place]:
    marks = [heading for heading in headings(rows) if heading.level <= 2]
    ends = [*(heading.line for heading in marks[1:]), len(rows)]
    return [
        _Place(time(int(match[1]), int(match[2]), int(match[3])), heading.line, end)
        for heading, end in zip(marks, ends, strict=False)
        if heading.level == 2 and (match := _TIME.fullmatch(heading.title))
    ]


def _place(text: str, day: date, at: time, block: str) -> str:
    """Insert the block after the last section that is not later, with a blank line on either
    side."""
    if not text.strip():
        return f"# Memories — {day.isoformat()}\n\n{block}"
    rows = text.split("\n")
    places = _places(lines(text))
    earlier = [place.end for place in places if place.at <= at]
    later = [place.start for place in places if place.at > at]
    line = max(earlier) if earlier else min(later, default=len(rows))
    before = text if line >= len(rows) else "".join(f"{row}\n" for row in rows[:line])
    after = text[len(before) :]
    end = newline(text)
    return before + _gap(before, end) + block.replace("\n", end) + (end if after else "") + after


def _gap(before: str, end: str) -> str:
    """Return what must follow that text so that it ends with a blank line."""
    rows = before.split("\n")
    if rows[-1]:
        return end * 2
    return end if len(rows) > 1 and rows[-2].strip() else ""


def is_mere_link(line: str) -> bool:
    """Return whether a line says nothing but that something was remembered, with a link to its line
    in MEMORY.md."""
    return _MERE_LINK.fullmatch(line.strip()) is not None
