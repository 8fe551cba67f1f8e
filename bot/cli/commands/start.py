"""`sam start`: run `sam run` or `sam chat`, by the settings."""

from __future__ import annotations

import argparse

from ...settings import load
from . import chat
from . import run as telegram


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(args: argparse.Namespace) -> int:
    """Run the bot when there is a token, the terminal chat otherwise."""
    if load().telegram_bot_token is None:
        return chat.run(args)
    return telegram.run(args)
