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
    from ...setup.prompts import SetupPrompts, masked

    def hide(question: str) -> str:
        """Read a secret without an echo; from a pipe it is read like other answers."""
        if not sys.stdin.isatty():
            return input(question)
        secret = getpass.getpass(question)
        if secret.strip():
            print(f"   {masked(secret.strip())}")
        return secret

    try:
        asyncio.run(wizard.run(SetupPrompts(print, input, hide), config.env_file() or Path(".env")))
    except EOFError:
        print("\nThe input ended: the answers so far are kept.")
        return 1
    return 0
