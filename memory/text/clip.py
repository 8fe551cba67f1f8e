"""Shorten text for display: cut at a whole word, fold onto one line."""

from __future__ import annotations


def clipped(text: str, limit: int) -> str:
    """Truncate a text to at most `limit` characters at a word boundary, and add an ellipsis."""
    if len(text) <= limit:
        return text
    head = text[:limit].rstrip()
    words = (head.rsplit(None, 1) or [""])[0]
    # In a script without spaces the last word is long: cut within it.
    return f"{words if len(words) > limit * 0.7 else head} …"


def one_line(text: str) -> str:
    """Fold the text onto one line, with single spaces."""
    return " ".join(text.split())
