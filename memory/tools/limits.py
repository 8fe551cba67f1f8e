"""Limits on the length of the texts that a model, or another program, passes to a tool."""

from __future__ import annotations

from ..errors import SamError

TEXT = 8_000
"""Characters of what is written into a note."""
LINE = 1_000
"""Characters of a task, a question, or a text to replace, as one line."""
NAME = 300
"""Characters of a path, a name, a date or another short word."""


def check(error: type[SamError], longest: int, **given: str) -> None:
    """Raise `error` for the first of the arguments that is longer, by its name."""
    for name, text in given.items():
        if len(text) > longest:
            raise error(
                f"`{name}` is too long ({len(text):,} characters): give {longest:,} at most."
            )
