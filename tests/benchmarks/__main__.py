"""`make bench`: all benchmarks in turn, each as a process of its own. Knows no measure itself.

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
"""What is printed above it; tests/benchmarks/NAME; its arguments."""


def main(words: Sequence[str] | None = None) -> int:
    """The command: the largest exit code of a part."""
    form = [word for word in (sys.argv[1:] if words is None else words) if word == "--json"]
    worst = 0
    for heading, part, more in PARTS:
        print(f"\n{heading}", file=sys.stderr, flush=True)
        command = [sys.executable, "-m", f"tests.benchmarks.{part}", *more, *form]
        worst = max(worst, subprocess.run(command, check=False).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main())
