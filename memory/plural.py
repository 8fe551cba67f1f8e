"""How a count is told to a person. Knows no noun."""

from __future__ import annotations


def plural(count: int, one: str, more: str = "") -> str:
    """`1 note`, `1,234 notes`; `more` where an s alone does not make it."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"
