"""Checks for arguments of the command line."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable


def number(least: int = 0, most: int | None = None) -> Callable[[str], int]:
    """Return a parser of whole numbers within these limits, both included."""
    wanted = "whole number" if most is None else f"number from {least} to {most}"

    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal()) or not least <= int(text) <= (most or 2**63):
            raise ArgumentTypeError(f"{text!r} is not a {wanted}")
        return int(text)

    return read
