"""Redact a note for a model, line by line."""

from __future__ import annotations

import re
from datetime import date

from .chunker import chunks
from .markdown import fenced, lines, privacy, split_front_matter
from .prose import prose

WITHHELD = "(withheld: sensitive)"

_HEAD = 30  # lines at the top of a note where front matter may be meant to stand
_MEANT = re.compile(r"\s*[\"']?privacy[\"']?\s*[:=]+\s*[\"']?(sealed|sensitive)[\"']?\s*", re.I)


def withheld(
    text: str, path: str = "", sam_dir: str = "", *, today: date | None = None
) -> frozenset[int]:
    """Return the lines of a note, from 1, that no model may see unasked; all lines of a sealed
    note.

    With `today`, also those that are expired or superseded.
    """
    count = len(lines(text))
    if privacy(text) != "normal":
        return frozenset(range(1, count + 1))
    return frozenset(
        number
        for chunk in chunks(text, path=path, sam_dir=sam_dir)
        if chunk.privacy != "normal" or (today is not None and not chunk.active(today))
        for number in range(chunk.start_line, chunk.end_line + 1)
    )


def failed_seal(text: str) -> str:
    """Return the privacy that the top of a note asks for without effect; "" for none.

    So it is with `--` for `---`, a blank line before it, or a word before it.
    """
    if privacy(text) != "normal":
        return ""
    top = lines(text)[:_HEAD]
    for row, code in zip(top, fenced(top), strict=True):
        if not code and (meant := _MEANT.fullmatch(row)):
            return meant[1].lower()
    return ""


def written(text: str) -> list[str]:
    """Return the note's lines without comments and block ids, each in its place."""
    rows = lines(text)
    skipped = split_front_matter(text)[2]
    return rows[:skipped] + prose(rows[skipped:])


def shown(text: str, path: str = "", sam_dir: str = "") -> list[str]:
    """Return the lines as `written`, with a placeholder for withheld ones."""
    rows, seen = lines(text), written(text)
    for number in withheld(text, path, sam_dir):
        seen[number - 1] = WITHHELD if rows[number - 1].strip() else ""
    return seen
