"""`sam start`: run `sam run` or `sam chat`, by the settings."""

from __future__ import annotations

import argparse

from ...settings import load
from ..profiles import reject_profile
from . import chat
from . import run as telegram


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""
    reject_profile(parser, telegram.SERVES_ALL)


def run(args: argparse.Namespace) -> int:
    """Run the bot when there is a token, the terminal chat otherwise."""
    if load().telegram_bot_token is None:
        return chat.talk()
    return telegram.run(args)
