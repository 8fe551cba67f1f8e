"""Whose memory a command works on: `--profile`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from memory import OWNER, ConfigError, profile_of

from ..settings import Settings, known_profiles

if TYPE_CHECKING:
    from memory import Memory


def add_profile(parser: argparse.ArgumentParser) -> None:
    """Add `--profile`."""
    parser.add_argument(
        "--profile", default=OWNER, metavar="NAME", help="use this profile's memory; default: yours"
    )


def existing(settings: Settings, name: str) -> str:
    """Return the name. Raises ConfigError if there is no such profile."""
    profile_of(settings, name)  # rejects invalid names
    if name not in (known := known_profiles(settings)):
        raise ConfigError(
            [f"there is no profile {name!r}: there are {', '.join(known)} (sam profile add)"]
        )
    return name


async def open_memory(settings: Settings, profile: str) -> Memory:
    """Open that profile's memory. Raises ConfigError if there is none, and the errors of
    Memory.open."""
    from memory import Memory

    return await Memory.open(settings, profile=existing(settings, profile))
