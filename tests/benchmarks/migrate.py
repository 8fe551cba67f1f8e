"""Move a log between SQLite and PostgreSQL and back with `sam migrate`, killed at each failpoint.

    python -m tests.benchmarks.migrate [--messages N] [--json]

Starts a PostgreSQL of its own. It measures an undisturbed round trip, then kills both ways at each
failpoint and repeats the command. The dumps before and after must be equal; otherwise the exit code
is 1. `rows a second` is what the preview's estimate is based on.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.figures import show
from tests.support import postgres
from tests.support.homes import Home
from tests.support.moves import dump, filled, filled_inbox

MESSAGES = 50_000
THERE = ("move_marked", "move_copied")
BACK = ("move_copied", "move_renamed", "move_deleted")


def main(words: Sequence[str] | None = None) -> int:
    """Run the benchmark; return 0 if every dump was equal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=MESSAGES)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(words)
    cluster = postgres.start()
    try:
        show(lambda folder: measure(folder, cluster, args.messages), decimals=1, as_json=args.json)
    finally:
        cluster.remove()
    return 0


def measure(folder: Path, cluster: postgres.Cluster, messages: int) -> dict[str, float]:
    """Return the figures. Raises SystemExit if a command fails, or a dump differs."""
    home = Home(folder, DATABASE_URL=cluster.new_database())
    home.data.mkdir(parents=True)
    # An answer to nearly each: two rows of messages for each number.
    asyncio.run(filled(home.data, messages * 7 // 13))
    asyncio.run(filled_inbox(home.data))
    files = (home.data / "log.db", home.data / "inbox.db")
    before = [dump(file) for file in files]

    def seconds(to: str, killed_at: str = "") -> float:
        began = time.monotonic()
        done = home.sam(
            "migrate", "--to", to, "--yes", timeout=3600, env={"SAM_FAILPOINT": killed_at}
        )
        if done.returncode != (-9 if killed_at else 0):
            raise SystemExit(done.stderr)
        return time.monotonic() - began

    there, back = seconds("postgresql"), seconds("sqlite")
    equal = [dump(file) for file in files] == before
    kills = 0
    for to, points in (("postgresql", THERE), ("sqlite", BACK)):
        for point in points:
            if to == "sqlite" and files[0].exists():
                seconds("postgresql")
            elif to == "postgresql" and not files[0].exists():
                seconds("sqlite")
            seconds(to, point)
            seconds(to)
            kills += 1
    if not files[0].exists():
        seconds("sqlite")
    equal = equal and [dump(file) for file in files] == before
    if not equal:
        raise SystemExit("the dumps differ")
    rows = sum(map(len, before))
    return {
        "messages": sum(row.startswith("message:") for row in before[0]),
        "rows": rows,
        "seconds to PostgreSQL": there,
        "seconds to SQLite": back,
        "rows a second": round(2 * rows / (there + back)),
        "kills, after which the dumps are equal": kills,
    }


if __name__ == "__main__":
    sys.exit(main())
