"""What shows that a command is at work: on standard error, and only on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.status import Status


def working(what: str) -> Status:
    """Show `what` and a spinner within the context; `update` changes the text."""
    from rich.console import Console

    return Console(stderr=True, highlight=False).status(what)
