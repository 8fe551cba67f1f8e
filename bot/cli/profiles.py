"""Whose memory a command works on: `--profile`, and the profiles that there are."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from memory import OWNER, ConfigError, profile_of

from ..settings import Settings

if TYPE_CHECKING:
    from memory import Memory


def add_profile(parser: argparse.ArgumentParser) -> None:
    """Add `--profile`."""
    parser.add_argument(
        "--profile", default=OWNER, metavar="NAME", help="whose memory; without it yours"
    )


def profiles(settings: Settings) -> list[str]:
    """Return the profiles, the owner's first: those that `sam run` serves, and those that have
    folders."""
    home = settings.profiles_dir
    there = sorted(
        path.name
        for path in (home.iterdir() if home.is_dir() else ())
        if (path / "data").is_dir() and not path.name.startswith(".")
    )
    return list(dict.fromkeys([*settings.profile_names, *there]))


def existing(settings: Settings, name: str) -> str:
    """Return the name. Raises ConfigError where there is no such profile."""
    profile_of(settings, name)  # refuses what is no name
    if name not in (known := profiles(settings)):
        raise ConfigError(
            [f"there is no profile {name!r}: there are {', '.join(known)} (sam profile add)"]
        )
    return name


async def open_memory(settings: Settings, profile: str) -> Memory:
    """Open that profile's memory. Raises ConfigError where there is none, and what Memory.open
    does."""
    from memory import Memory

    return await Memory.open(settings, profile=existing(settings, profile))
