"""`sam mcp`: the memory tools for other programs, on standard input and output."""

from __future__ import annotations

import argparse

from ...settings import load


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(args: argparse.Namespace) -> int:
    """Serve until the client closes standard input."""
    import asyncio

    from memory.tools import serve

    asyncio.run(serve(load()))
    return 0
