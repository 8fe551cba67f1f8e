"""`sam run`: the Telegram bot; without a token the terminal, if there is one."""

from __future__ import annotations

import argparse
import sys

from ...errors import NoTerminal
from ...settings import load
from ..profiles import reject_profile
from . import chat

SERVES_ALL = (
    "Sam on Telegram serves all profiles at once; `sam chat --profile NAME` chats with one of them"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""
    reject_profile(parser, SERVES_ALL)


def run(args: argparse.Namespace) -> int:
    """Run until stopped. Raises NoTerminal without a token and without a terminal."""
    settings = load()
    if settings.telegram_bot_token is None:
        if not sys.stdin.isatty():
            raise NoTerminal(
                "there is neither a TELEGRAM_BOT_TOKEN nor a terminal: set a token with `sam "
                "setup`, or use `sam chat`, which reads from a pipe"
            )
        return chat.talk()
    import asyncio

    from ...app import serve

    return asyncio.run(serve(settings))
