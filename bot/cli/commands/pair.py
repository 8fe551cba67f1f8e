"""`sam pair`: create a new pairing code for the bot's owner."""

from __future__ import annotations

import argparse
import asyncio

from memory import DataDir, system_clock

from ...settings import Settings, load


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(args: argparse.Namespace) -> int:
    """Print the code; a running Sam, or the next one to start, accepts it."""
    settings = load()
    print(f"Send this to the bot within ten minutes:\n\n  /pair {asyncio.run(_code(settings))}\n")
    print("It says so when you are paired. To a wrong code it says nothing: ask for a new one.")
    if settings.telegram_bot_token is None:
        print("! There is no bot yet that could take it: `sam setup` asks for its token.")
    return 0


async def _code(settings: Settings) -> str:
    from ...inbox import Inbox

    inbox = await Inbox.open(DataDir(settings.data_dir).inbox, system_clock)
    try:
        return await inbox.people.new_code()
    finally:
        await inbox.close()
