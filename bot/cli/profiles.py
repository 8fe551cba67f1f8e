"""Whose memory a command works on: `--profile`."""

from __future__ import annotations

import argparse
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from memory import OWNER, ConfigError, profile_of

from ..settings import Settings, known_profiles
from .progress import working

if TYPE_CHECKING:
    from memory import Memory

YOURS = "use this profile's memory; default: yours"


def add_profile(
    parser: argparse._ActionsContainer, *, default: str | None = OWNER, text: str = YOURS
) -> None:
    """Add `--profile`. `default` None: the command then works on all profiles."""
    parser.add_argument("--profile", default=default, metavar="NAME", help=text)


def reject_profile(parser: argparse.ArgumentParser, why: str) -> None:
    """Make `--profile` an error that says why this command has none."""
    parser.add_argument(
        "--profile", action=_Rejected, const=why, dest="rejected", help=argparse.SUPPRESS
    )


class _Rejected(argparse.Action):
    """An option that ends the command with its reason."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        parser.error(str(self.const))


def existing(settings: Settings, name: str) -> str:
    """Return the name. Raises ConfigError if there is no such profile."""
    profile_of(settings, name)  # rejects invalid names
    if name not in (known := known_profiles(settings)):
        raise ConfigError(
            [f"there is no profile {name!r}: there are {', '.join(known)} (sam profile add)"]
        )
    return name


@asynccontextmanager
async def open_memory(settings: Settings, profile: str, doing: str = "") -> AsyncIterator[Memory]:
    """Provide that profile's memory. `doing`: what is shown while it is opened. Raises ConfigError
    if there is none, and the errors of Memory.open."""
    from memory import Memory

    opening = Memory.open(settings, profile=existing(settings, profile))
    async with AsyncExitStack() as stack:
        with working(doing) if doing else nullcontext():
            memory = await stack.enter_async_context(opening)
        yield memory
