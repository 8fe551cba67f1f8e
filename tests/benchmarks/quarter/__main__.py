"""A simulated quarter: 90 days of chat with a model that errs one time in ten.

    python -m tests.benchmarks.quarter [--days N] [--seed N] [--embedder local|none]
        [--keep FOLDER] [--json]

Runs the real assistant with SQLite, vault, summaries, consolidation and the nightly jobs, on a
simulated clock; only the model's API is a fake. The exit code is 1 if memory has a line that it
must not have, or `sam search` does not find the current facts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from tests.benchmarks.quarter.checks import Figures, measured, searched
from tests.benchmarks.quarter.life import lived
from tests.benchmarks.quarter.simulation import lived_through
from tests.fakes.claude import FakeClaude
from tests.support import locomo
from tests.support.homes import Home

DAYS, SEED = 90, 16
SHOWN = 12  # faults


async def simulated(
    folder: Path,
    *,
    days: int = DAYS,
    seed: int = SEED,
    embedder: str = "local",
    with_locomo: bool = False,
) -> Figures:
    """Simulate that many days in the folder, and measure the memory after them. `with_locomo`: mix
    in LoCoMo's conversations, instead of ours, which every clone has."""
    life = lived(seed, days, with_locomo=with_locomo)
    home = Home(folder, EMBEDDING_PROVIDER=embedder)
    async with AsyncExitStack() as stack:
        claude = await stack.enter_async_context(FakeClaude.running())
        quarter = await lived_through(life, seed, home, claude, stack)
        found = await measured(quarter)
        assert not claude.unscripted, claude.unscripted[0].newest_text
    searched(quarter, found)
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=DAYS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--embedder", choices=("local", "none"), default="local")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="live there, and leave it")
    given = parser.parse_args(words)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="sam-quarter-") as name:
        folder = given.keep or Path(name)
        found = asyncio.run(
            simulated(
                folder,
                days=given.days,
                seed=given.seed,
                embedder=given.embedder,
                with_locomo=locomo.DATA.exists(),
            )
        )
    if given.json:
        print(json.dumps(found.as_json(), ensure_ascii=False, indent=2))
    else:
        _show(found, time.perf_counter() - began)
    return 1 if found.faults else 0


def _show(found: Figures, seconds: float) -> None:
    right = found.corrections - len(found.not_first)
    print(f"{found.days} days, {found.messages} messages, {seconds:.0f} s")
    print(f"{found.proposed} proposals of the model, {found.wrong_proposals} of them wrong")
    print(f"{found.sections} sections, {found.bullets} bullets, {found.memory_lines} in MEMORY.md")
    print(f"MEMORY.md: {len(found.not_his)} lines that are not the owner's")
    print(f"lines without a source: {len(found.without_source)}")
    print(f"corrections: {right} of {found.corrections} first", end=", ")
    print(f"{len(found.old_undated)} passages with an old value without a date")
    print(f"deleted lines that came back: {len(found.came_back)} of {found.deleted}")
    print(f"knowledge/: {found.facts} lines, {found.true_facts} true facts", end=", ")
    print(f"{found.lines_per_fact:.2f} lines each")
    print(f"inventions in memory: {len(found.invented)}")
    print(f"forgotten, and still there: {len(found.not_forgotten)}")
    print(f"the owner's edits that are lost: {len(found.lost_edits)}")
    for name, count in found.calls_a_day.items():
        given, written = found.tokens_a_day[name]
        print(f"{name}: {count} calls a day, {given:,} tokens in, {written:,} out")
    for fault in found.faults[:SHOWN]:
        print(f"! {fault}")
    if found.not_done:
        print(f"({len(found.not_done)} events found nothing to do)")


if __name__ == "__main__":
    sys.exit(main())
