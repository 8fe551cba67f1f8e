"""Fenced code blocks of Markdown: where one is open, and its end where it has none."""

from __future__ import annotations

import functools
import re
from collections import deque

_FENCE = re.compile(r"^\s*(`{3,}|~{3,})(.*)$")
_OPENS_LATE = re.compile(r"^([^`~]*[^`~\s])\s*((`{3,}|~{3,})[^`~\s]*)\s*$")
_CLOSES_EARLY = re.compile(r"^([\s>]*)(`{3,}|~{3,})\s+(\S.*)$")


def separated(markdown: str) -> str:
    """Put the fences of a block that begins in the middle of a line on lines of their own.

    Markdown does not know such a block: its closing fence would begin another one, and the text
    behind it would be lost.
    """
    waiting, lines = deque(markdown.split("\n")), list[str]()
    fence, at, late = "", 0, None
    while waiting:
        line = waiting.popleft()
        was, fence = fence, fence_after(fence, line)
        early = _CLOSES_EARLY.match(line)
        if late and early and early[2].startswith(late[3]):
            margin = early[1]
            lines[at : at + 1] = [late[1], margin + late[2]]
            lines.append(margin + early[2])
            waiting.appendleft(margin + early[3])
            fence, late = "", None
            continue
        if was or fence:
            late = None
        elif opens := _OPENS_LATE.match(line):
            at, late = len(lines), opens
        lines.append(line)
    return "\n".join(lines)


def balanced(markdown: str) -> str:
    """Close an open code fence, in text that is still streaming or was truncated."""
    fence = functools.reduce(fence_after, markdown.split("\n"), "")
    return f"{markdown}\n{fence}" if fence else markdown


def fence_after(fence: str, line: str) -> str:
    """Return the fence that is open after this line, given the one before it; "" for none."""
    found = _FENCE.match(line)
    if not found:
        return fence
    if not fence:
        return found[1] if "`" not in found[2] or found[1][0] == "~" else ""
    return "" if found[1].startswith(fence) and not found[2].strip() else fence
