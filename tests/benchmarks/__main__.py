"""`make bench`: run all benchmarks in turn, each in its own process.

python -m tests.benchmarks [--json]
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

PARTS = (
    ("Recall on the portfolio, keywords alone", "recall", ("--embedder", "none")),
    ("Recall on the portfolio with the local embedder", "recall", ("--embedder", "local")),
    ("Speed, 20,000 chunks of 384 dimensions", "search", ()),
    ("A first start beside 3,000 notes, local embedder", "first_start", ()),
    ("Secrets that are masked, and ordinary lines", "masking", ()),
    ("A sync of 10,000 notes", "sync", ()),
    ("Answers while 10,000 notes are copied into the vault", "watch", ()),
)
"""For each benchmark: the heading to print, its name in tests/benchmarks, its arguments."""


def main(words: Sequence[str] | None = None) -> int:
    """Run the benchmarks; return the largest exit code."""
    form = [word for word in (sys.argv[1:] if words is None else words) if word == "--json"]
    worst = 0
    for heading, part, more in PARTS:
        print(f"\n{heading}", file=sys.stderr, flush=True)
        command = [sys.executable, "-m", f"tests.benchmarks.{part}", *more, *form]
        worst = max(worst, subprocess.run(command, check=False).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main())
