"""`sam setup`: questions in the terminal, answers in `.env`."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from memory import config

from ..profiles import reject_profile


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command-line arguments."""
    parser.add_argument(
        "--ollama",
        nargs="?",
        const="",
        metavar="MODEL",
        help="ask nothing: set up a model that Ollama runs on this machine, the best one or MODEL",
    )
    reject_profile(
        parser,
        "the settings are those of the whole installation; `sam profile add NAME` adds a profile, "
        "and `sam pair --profile NAME` lets someone use it",
    )


def run(args: argparse.Namespace) -> int:
    """Ask the questions, test the answers, write them."""
    from ...setup import wizard
    from ...setup.prompts import terminal_prompts

    path = (config.env_file() or Path(".env")).absolute()
    try:
        if args.ollama is not None:
            return 0 if asyncio.run(wizard.use_ollama(terminal_prompts(), path, args.ollama)) else 1
        asyncio.run(wizard.run(terminal_prompts(), path))
    except EOFError:
        print("\nThe input ended: the answers so far are kept.")
        return 1
    except KeyboardInterrupt:
        print("\nStopped. The answers so far are kept: `sam setup` asks for the rest.")
        return 130
    return 0
