"""Mutations that change nothing that anyone could see, by their exact text."""

from __future__ import annotations

from typing import NamedTuple


class Known(NamedTuple):
    """A mutation as it is printed: its file, the line, the change; and why it changes nothing."""

    file: str
    text: str
    change: str
    why: str


EQUIVALENT: tuple[Known, ...] = ()
