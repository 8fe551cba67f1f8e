"""`make scale`: what issue 19 asks of PostgreSQL, in turn, each in its own process.

    python -m tests.benchmarks.scale [--short] [--json]

`--short`: a sample of each, in a few minutes. Needs PostgreSQL 15 or newer on this machine.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

PARTS = (
    (
        "A log of 50,000 messages moved there and back, killed at each failpoint",
        "migrate",
        (),
        ("--messages", "2000"),
    ),
    (
        "Statements that omit the tenant, 1,000 tenants",
        "tenants",
        (),
        ("--tenants", "50", "--statements", "3000"),
    ),
    (
        "Two workers, killed 200 times while 20 people write 10,000 messages",
        "workers",
        (),
        ("--kills", "6", "--messages", "120", "--people", "6", "--cut", "5"),
    ),
    (
        "Two workers at rest and under load, 1,000 people with 1,000 messages each",
        "load",
        (),
        ("--tenants", "20", "--messages", "100", "--seconds", "10", "--burst", "3"),
    ),
)
"""For each part: the heading to print, its name in tests/benchmarks, its arguments, and those of
the short run."""


def main(words: Sequence[str] | None = None) -> int:
    """Run the parts; return the largest exit code."""
    given = list(sys.argv[1:] if words is None else words)
    form = [word for word in given if word == "--json"]
    worst = 0
    for heading, part, whole, short in PARTS:
        print(f"\n{heading}", file=sys.stderr, flush=True)
        more = short if "--short" in given else whole
        command = [sys.executable, "-m", f"tests.benchmarks.{part}", *more, *form]
        worst = max(worst, subprocess.run(command, check=False).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main())
