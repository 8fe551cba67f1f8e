"""`sam setup`: questions in the terminal, answers in `.env`."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import sys
from pathlib import Path

from memory import config


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(args: argparse.Namespace) -> int:
    """Ask the questions, test the answers, write them."""
    from ...setup import wizard
    from ...setup.prompts import SetupPrompts

    # getpass needs a terminal; from a pipe secrets are read like other answers.
    hide = getpass.getpass if sys.stdin.isatty() else input
    try:
        asyncio.run(wizard.run(SetupPrompts(print, input, hide), config.env_file() or Path(".env")))
    except EOFError:
        print("\nThat was all that could be read: what was answered so far is kept.")
        return 1
    return 0
