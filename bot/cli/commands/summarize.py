"""`sam summarize`: write what is pending into the days' files now."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import AsyncExitStack

from memory.text import plural

from ...settings import Settings, load


def arguments(parser: argparse.ArgumentParser) -> None:
    """None."""


def run(args: argparse.Namespace) -> int:
    """Print what was written. Fails, with the reason, where a model has to be waited for."""
    return asyncio.run(_summarise(load()))


async def _summarise(settings: Settings) -> int:
    from memory import system_clock

    from ...assistant import Profile
    from ...assistant.wanted import no_jobs

    async with AsyncExitStack() as stack:
        profile = await Profile.open(settings, stack, clock=system_clock, poke=no_jobs)
        done = await profile.summarise("asked")
        for written in done:
            print(f"{written.path}: {plural(len(written.bullets), 'bullet')}")
            for bullet in written.bullets:
                print(f"  - {bullet.text}")
        if not done:
            print("There is nothing new that is worth keeping.")
        elif profile.sync is not None:
            await profile.exchange(_tell)
    return 0


async def _tell(text: str) -> None:
    print(text)
