"""`sam start`: whichever of `sam run` and `sam chat` the settings ask for."""

from __future__ import annotations

import argparse

from ...settings import load
from . import chat
from . import run as telegram


def arguments(parser: argparse.ArgumentParser) -> None:
    """None of its own."""


def run(args: argparse.Namespace) -> int:
    """The bot when there is a token, the terminal otherwise."""
    if load().telegram_bot_token is None:
        return chat.run(args)
    return telegram.run(args)
