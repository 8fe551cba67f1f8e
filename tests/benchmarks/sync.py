"""Measure a sync of 10,000 notes without changes, against one `rclone lsjson` of them.

    python -m tests.benchmarks.sync [--notes N] [--json]

Prints Sam's own time (the total minus rclone's) and the ratio of the total to the listing alone, as
medians of several runs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bot.sync.rclone import Rclone, find
from memory import system_clock
from memory.vault import Vault
from tests.support.synced import syncing

NOTES, RUNS = 10_000, 5


def _vault(folder: Path, notes: int) -> Vault:
    vault = Vault(folder / "vault", data_dir=folder / "data")
    past = time.time() - 30 * 86_400
    for number in range(notes):
        path = vault.root / f"{number % 100:02}" / f"note {number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# Note {number}\n\n" + "A line of some length, as in a note.\n" * 20)
        os.utime(path, (past, past))
    return vault


async def _measure(folder: Path, notes: int, runs: int) -> dict[str, float]:
    vault, far = _vault(folder, notes), folder / "far"
    sync = syncing(str(far), vault, system_clock)
    began = time.perf_counter()
    await sync.run()
    first = time.perf_counter() - began
    await sync.run()
    spent: list[float] = []
    real = Rclone.run

    async def timed(self: Rclone, *words: str, **how: Any) -> tuple[int, str]:
        start = time.perf_counter()
        try:
            return await real(self, *words, **how)
        finally:
            spent.append(time.perf_counter() - start)

    own, ratio = [], []
    listing = [str(find()), "lsjson", "-R", "--files-only", "--no-mimetype", str(far)]
    Rclone.run = timed  # type: ignore[method-assign]
    try:
        for _ in range(runs):
            spent.clear()
            start = time.perf_counter()
            done = await sync.run()
            whole = time.perf_counter() - start
            assert not (done.pushed or done.changed or done.left)
            start = time.perf_counter()
            await asyncio.to_thread(subprocess.run, listing, capture_output=True, check=True)
            plain = time.perf_counter() - start
            own.append(whole - sum(spent))
            ratio.append(whole / plain)
    finally:
        Rclone.run = real  # type: ignore[method-assign]
    return {
        "notes": notes,
        "first sync, s": first,
        "unchanged sync, Sam's own s": statistics.median(own),
        "unchanged sync / rclone lsjson": statistics.median(ratio),
    }


def main(words: Sequence[str] | None = None) -> int:
    """Run the benchmark from the command line, and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.sync")
    parser.add_argument("--notes", type=int, default=NOTES)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="sam-bench-") as folder:
        os.environ["RCLONE_CONFIG"] = str(Path(folder) / "rclone.conf")
        Path(folder, "rclone.conf").touch()
        figures = asyncio.run(_measure(Path(folder), given.notes, RUNS))
    if given.json:
        print(json.dumps(figures))
        return 0
    for what, figure in figures.items():
        print(f"{what}: {figure:.2f}" if isinstance(figure, float) else f"{what}: {figure}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
