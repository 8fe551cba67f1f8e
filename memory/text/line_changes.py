"""Line diffs of a note, for display to its owner. Pure."""

from __future__ import annotations

import difflib

from .sanitize import reveal

CONTEXT = 1  # unchanged lines around a change


def difference(before: str, after: str, *, most: int = 200) -> list[str]:
    """Return the changed lines with `-` and `+`, one line of context, and `…` for omissions.
    Invisible characters are named. Beyond `most` lines, the last one states how many follow."""
    rows: list[str] = []
    old, new = reveal(before).splitlines(), reveal(after).splitlines()
    for row in list(difflib.unified_diff(old, new, lineterm="", n=CONTEXT))[2:]:
        if row.startswith("@@"):
            rows += ["…"] if rows else []
        elif row.strip():  # a blank line is no useful context
            rows.append(f"{row[0]} {row[1:]}".rstrip())
    if len(rows) > most:
        rows[most:] = [f"… and {len(rows) - most} more lines"]
    return rows


def changed_lines(before: str, after: str) -> tuple[int, int]:
    """Return the numbers of lines added and removed."""
    rows = list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0))
    added = sum(row.startswith("+") for row in rows[2:])
    return added, sum(row.startswith("-") for row in rows[2:])
