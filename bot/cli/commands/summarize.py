"""`sam summarize`: summarise the pending messages into the days' files now."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import AsyncExitStack

from memory.text import plural

from ...settings import Settings, load
from ..profiles import add_profile, existing


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add whose messages."""
    add_profile(parser)


def run(args: argparse.Namespace) -> int:
    """Print what was written. Fails with the reason while the model is down."""
    from memory.infra import failpoints

    settings = load()
    failpoints.arm(settings.sam_failpoint)
    return asyncio.run(_summarise(settings, args.profile))


async def _summarise(settings: Settings, name: str) -> int:
    from memory import system_clock

    from ...assistant import Assistant
    from ...assistant.wanted import no_jobs

    async with AsyncExitStack() as stack:
        name = existing(settings, name)
        profile = await Assistant.open(settings, stack, clock=system_clock, poke=no_jobs, name=name)
        done = await profile.summarise("asked")
        done += await profile.summarise_imported(float("inf"))
        for written in done:
            print(f"{written.path}: {plural(len(written.bullets), 'bullet')}")
            for bullet in written.bullets:
                print(f"  - {bullet.text}")
        if not done:
            print("There is nothing new that is worth keeping.")
        ordered, _ = await profile.memory.log.bulk.waiting()
        if ordered:
            print(f"{plural(ordered, 'summary', 'summaries')} ordered in bulk will come in a day.")
        await profile.consolidate()
        if done and profile.sync is not None:
            await profile.exchange(_tell)
    return 0


async def _tell(text: str, **_: object) -> None:
    print(text)
