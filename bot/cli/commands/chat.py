"""`sam chat`: the conversation in this terminal, or from a pipe."""

from __future__ import annotations

import argparse

from memory import OWNER

from ...settings import load
from ..profiles import add_profile, existing


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add whose memory it is."""
    add_profile(parser, text="chat as this profile's user, with its memory; default: as yourself")


def run(args: argparse.Namespace) -> int:
    """Chat until /quit or the end of the input."""
    return talk(args.profile)


def talk(profile: str = OWNER) -> int:
    """Chat with that profile's memory until /quit or the end of the input."""
    import asyncio

    from ..terminal_chat import converse

    settings = load()
    return asyncio.run(converse(settings, existing(settings, profile)))
