"""Fenced code blocks of Markdown: where one is open, and its end where it has none."""

from __future__ import annotations

import functools
import re

_FENCE = re.compile(r"^\s*(`{3,}|~{3,})(.*)$")


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
