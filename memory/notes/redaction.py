"""Redact a note for a model, line by line; add a line where it is not redacted."""

from __future__ import annotations

import re
from datetime import date

from .chunker import chunks
from .markdown import fenced, lines, newline, privacy, split_front_matter
from .prose import prose

WITHHELD = "(withheld: sensitive)"

_HEAD = 30  # lines at the top of a note where front matter may be meant to stand
_MEANT = re.compile(r"\s*[\"']?privacy[\"']?\s*[:=]+\s*[\"']?(sealed|sensitive)[\"']?\s*", re.I)


def withheld(
    text: str, path: str = "", sam_dir: str = "", *, today: date | None = None
) -> frozenset[int]:
    """Return the numbers, from 1, of the lines of a note that no model may see unasked; all lines
    of a sealed note.

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
    """Return the privacy that the top of a note sets without effect; "" for none.

    It has no effect after `--` instead of `---`, and if a blank line or a word precedes the front
    matter.
    """
    if privacy(text) != "normal":
        return ""
    top = lines(text)[:_HEAD]
    for row, code in zip(top, fenced(top), strict=True):
        if not code and (meant := _MEANT.fullmatch(row)):
            return meant[1].lower()
    return ""


def visible_lines(text: str) -> list[str]:
    """Return the note's lines; comments and block ids are blanked, so that line numbers stay the
    same."""
    rows = lines(text)
    skipped = split_front_matter(text)[2]
    return rows[:skipped] + prose(rows[skipped:])


def redacted_lines(text: str, path: str = "", sam_dir: str = "") -> list[str]:
    """Return the note's lines as `visible_lines` does, with a placeholder for withheld ones."""
    rows, seen = lines(text), visible_lines(text)
    for number in withheld(text, path, sam_dir):
        seen[number - 1] = WITHHELD if rows[number - 1].strip() else ""
    return seen


def with_item(text: str, item: str, title: str) -> str:
    """Return the note with one more list item at its end. An empty note gets the title.

    Where the end is in a private section, and the item is not private, it is added after the last
    public line.
    """
    end = newline(text)
    if not text.strip():
        return f"# {title}{end * 2}{item}{end}"
    text = text if text.endswith("\n") else f"{text}{end}"
    after = _with_row(text, item, text.count("\n"))
    hidden = withheld(after)
    if privacy(text) != "normal" or after.count("\n") not in hidden or withheld(item):
        return after
    public = (n for n, row in enumerate(lines(text), 1) if row.strip() and n not in hidden)
    return _with_row(text, item, max(public, default=0))


def _with_row(text: str, item: str, at: int) -> str:
    """Return the note with the list item after so many lines, and a blank line around a list."""
    end, rows = newline(text), text.split("\n")
    above = rows[at - 1].lstrip() if at else ""
    is_list = not above.strip() or above.startswith(("- ", "* ", "+ "))
    new = [*([] if is_list else [""]), item, *([""] if rows[at].strip() else [])]
    return "\n".join([*rows[:at], *(row + end.removesuffix("\n") for row in new), *rows[at:]])
