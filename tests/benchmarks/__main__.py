"""`make bench`: all benchmarks in turn, each as a process of its own. Knows no measure itself.

python -m tests.benchmarks [--json]
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from tests.locomo import CORRECTED

RIGHT = ("--corrected", str(CORRECTED)) if CORRECTED.exists() else ()
PARTS = (
    (
        "Recall on five of LoCoMo's conversations, keywords alone",
        "locomo",
        ("--embedder", "none", *RIGHT),
    ),
    ("Recall on the same with the local embedder", "locomo", ("--embedder", "local", *RIGHT)),
    ("Speed, 20,000 chunks of 384 dimensions", "search", ()),
    ("A first start beside 3,000 notes, local embedder", "first_start", ()),
    ("A sync of 10,000 notes", "sync", ()),
    ("Answers while 10,000 notes are copied into the vault", "watch", ()),
)
"""What is printed above it; tests/benchmarks/NAME.py; its arguments."""


def main(words: Sequence[str] | None = None) -> int:
    """The command: the largest exit code of a part; 2 where LoCoMo's conversations are not here."""
    form = [word for word in (sys.argv[1:] if words is None else words) if word == "--json"]
    worst = 0
    for heading, part, more in PARTS:
        print(f"\n{heading}", file=sys.stderr, flush=True)
        command = [sys.executable, "-m", f"tests.benchmarks.{part}", *more, *form]
        worst = max(worst, subprocess.run(command, check=False).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main())
