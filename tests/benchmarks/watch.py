"""Measure the latency of an answer while 10,000 notes are copied into the vault, and without that.

    python -m tests.benchmarks.watch [--notes N] [--embedder none|local] [--json]

Runs the real `sam run` and watcher; Telegram and Claude are fakes, which answer at once, so only
Sam's own time is measured. Both times are from one run, so their ratio holds on any machine.
"""

from __future__ import annotations

import argparse
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.figures import show
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram
from tests.support.process import Sam, wait_until

NOTES = 10_000
CALM = 30  # questions before the flood
WARM = 5  # questions that are asked first and not counted


def write_notes(folder: Path, count: int) -> None:
    """Write notes of about 2 KB, a hundred per folder, each with a unique word."""
    for number in range(count):
        path = folder / f"{number // 100:03}" / f"note {number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = f"A line of note {number}, as long as lines are in notes.\n" * 18
        path.write_text(
            f"# Note {number}\n\n## Its word\n\nword{number}\n\n## More\n\n{text}", "utf-8"
        )


def indexed(data: Path) -> int:
    """Return the number of notes in the published index of that data folder."""
    name = (data / "index" / "current").read_text("utf-8").strip()
    found = sqlite3.connect(f"file:{data / 'index' / name}?mode=ro", uri=True, timeout=30)
    try:
        [(count,)] = found.execute("SELECT count(*) FROM source WHERE path NOT LIKE 'message/%'")
    finally:
        found.close()
    return int(count)


def settings(telegram: Any, claude: FakeClaude, embedder: str) -> dict[str, str]:
    """Return settings for a Sam that uses these fakes, and has no scheduled work."""
    return {
        **telegram.env,
        "ANTHROPIC_API_KEY": "sk-ant-test",
        "ANTHROPIC_BASE_URL": claude.url,
        "EMBEDDING_PROVIDER": embedder,
        "BUDGET_DAILY_USD": "0",
        "HEARTBEAT_MINUTES": "0",
        "SUMMARY_THRESHOLD": "1000",
    }


def asks(telegram: Any, text: str) -> float:
    """Send a message; return the seconds until the answer."""
    before, began = len(telegram.sent), time.perf_counter()
    telegram.receives(text)
    telegram.wait_sent(before + 1, timeout=120)
    return time.perf_counter() - began


def measure(folder: Path, notes: int, embedder: str) -> dict[str, float]:
    """Return the figures of one run: seconds, counts, and ratios."""
    flood = folder / "flood"
    write_notes(flood, notes)
    with FakeTelegram.running() as telegram, FakeClaude.running() as claude:
        sam = Sam(folder, **settings(telegram, claude, embedder))
        sam.start()
        try:
            wait_until(lambda: (sam.folder / "data" / "index" / "current").exists(), "an index")
            for number in range(WARM):
                asks(telegram, f"Warm question {number}?")
            calm = [asks(telegram, f"What is word{number}?") for number in range(CALM)]
            before = indexed(sam.folder / "data")
            began = time.perf_counter()
            copying = subprocess.Popen(
                ["cp", "-r", str(flood), str(sam.folder / "vault" / "flood")]
            )
            meanwhile: list[float] = []
            while indexed(sam.folder / "data") < before + notes:
                meanwhile.append(asks(telegram, f"What is word{len(meanwhile)}?"))
                if time.perf_counter() - began > 1200:
                    raise AssertionError(sam.story())
            took = time.perf_counter() - began
            assert copying.wait() == 0
        finally:
            sam.stop()
    return {
        "notes": notes,
        "until all are indexed": took,
        "questions meanwhile": len(meanwhile),
        "calm, median": statistics.median(calm),
        "calm, longest": max(calm),
        "meanwhile, median": statistics.median(meanwhile),
        "meanwhile, longest": max(meanwhile),
        "meanwhile / calm, medians": statistics.median(meanwhile) / statistics.median(calm),
        "longest meanwhile / calm median": max(meanwhile) / statistics.median(calm),
    }


def main(words: Sequence[str] | None = None) -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.watch")
    parser.add_argument("--notes", type=int, default=NOTES)
    parser.add_argument("--embedder", choices=("none", "local"), default="local")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(words)
    show(
        lambda folder: measure(folder, given.notes, given.embedder),
        decimals=3,
        as_json=given.json,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
