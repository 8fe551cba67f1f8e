"""Shorten text for display: cut at a whole word, fold onto one line."""

from __future__ import annotations


def clipped(text: str, limit: int) -> str:
    """Shorten a text to its first `limit` characters, up to a whole word, and an ellipsis."""
    if len(text) <= limit:
        return text
    head = text[:limit].rstrip()
    words = (head.rsplit(None, 1) or [""])[0]
    # A script without spaces has one long last word: it is cut where it has to be.
    return f"{words if len(words) > limit * 0.7 else head} …"


def one_line(text: str) -> str:
    """Fold the text onto one line, with single spaces."""
    return " ".join(text.split())
