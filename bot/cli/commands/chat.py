"""`sam chat`: the conversation in this terminal, or from a pipe."""

from __future__ import annotations

import argparse

from ...settings import load


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(args: argparse.Namespace) -> int:
    """Chat until /quit or the end of the input."""
    import asyncio

    from ..terminal_chat import converse

    return asyncio.run(converse(load()))
