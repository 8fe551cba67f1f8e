"""`sam summarize`: summarise the pending messages into the days' files now."""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from memory.text import plural

from ...settings import Settings, load
from ..plain_text import show, show_json
from ..profiles import add_profile, existing
from ..progress import working

if TYPE_CHECKING:
    from memory import WrittenBatch


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add whose messages, and the output format."""
    add_profile(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Print what was written. Fails with the reason while the model is down."""
    from memory.infra import failpoints

    settings = load()
    failpoints.arm(settings.sam_failpoint)
    return asyncio.run(_summarise(settings, args.profile, as_json=args.json))


async def _summarise(settings: Settings, name: str, *, as_json: bool) -> int:
    from memory import system_clock

    from ...assistant import Assistant
    from ...assistant.job_requests import no_jobs
    from ...assistant.summaries import imported

    out = sys.stderr if as_json else sys.stdout

    async def tell(text: str, **_: object) -> None:
        print(text, file=out)

    async with AsyncExitStack() as stack:
        name = existing(settings, name)
        with working("summarising"):
            profile = await Assistant.open(
                settings, stack, clock=system_clock, poke=no_jobs, name=name
            )
            done = await profile.summarise("asked")
            done += await profile.summarise_imported(float("inf"))
        ordered, _ = await profile.memory.log.bulk.waiting()
        if as_json:
            rows = [
                {"path": each.path, "bullets": [bullet.text for bullet in each.bullets]}
                for each in done
            ]
            show_json({"written": rows, "ordered": ordered})
        else:
            _tell_written(done, ordered)
        with working("writing the facts down"):
            await profile.consolidate()
        for row in await imported.finished_imports(profile.memory):
            print(imported.import_report(row), file=out)
            await profile.memory.log.imports.mark_announced(row.id)
        if done and profile.sync is not None:
            await profile.run_sync(tell)
    return 0


def _tell_written(done: list[WrittenBatch], ordered: int) -> None:
    for written in done:
        show(f"{written.path}: {plural(len(written.bullets), 'bullet')}")
        for bullet in written.bullets:
            show(f"  - {bullet.text}")
    if not done:
        print("There is nothing new worth keeping.")
    if ordered:
        print(f"{plural(ordered, 'summary', 'summaries')} ordered in bulk will come in a day.")
