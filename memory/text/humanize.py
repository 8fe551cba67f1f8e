"""How a count is told to a person. Knows no noun."""

from __future__ import annotations


def plural(count: int, one: str, more: str = "") -> str:
    """`1 note`, `1,234 notes`; `more` where an s alone does not make it."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def size(count: int) -> str:
    """That many bytes: `12 kB`, `1.2 MB`."""
    return f"{count / 1e6:,.1f} MB" if count >= 1e6 else f"{max(1, round(count / 1e3))} kB"
