"""`sam setup`: questions in the terminal, answers in `.env`."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import sys
from pathlib import Path

from memory import config


def arguments(parser: argparse.ArgumentParser) -> None:
    """None."""


def run(args: argparse.Namespace) -> int:
    """Ask, try, write."""
    from ...setup import wizard
    from ...setup.prompts import Talk

    # getpass wants a terminal; from a pipe the answers are read like all others.
    hide = getpass.getpass if sys.stdin.isatty() else input
    try:
        asyncio.run(wizard.run(Talk(print, input, hide), config.env_file() or Path(".env")))
    except EOFError:
        print("\nThat was all that could be read: what was answered so far is kept.")
        return 1
    return 0
