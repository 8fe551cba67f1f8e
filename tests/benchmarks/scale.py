"""`make scale`: what Sam promises of PostgreSQL and of several workers, in turn, each part in a
process of its own.

    python -m tests.benchmarks.scale [--short] [--json]

`--short`: a sample of each, in a few minutes. Needs PostgreSQL 15 or newer on this machine: without
it the exit code is 3.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from tests.support.engines import MODULES
from tests.support.postgres import installed

TESTS = (
    "tests/contracts/test_engines.py",
    "tests/integration/test_postgres.py",
    "tests/integration/test_leases.py",
    "tests/integration/test_vector_file.py",
    "tests/system/test_postgres.py",
    "tests/system/test_webhook.py",
    "tests/system/test_workers.py",
    "tests/system/test_workers_apart.py",
    "tests/system/test_isolation.py",
    "tests/system/test_worker_vectors.py",
)
COULD_NOT_CHECK = 3
PARTS = (
    (
        "The tests of both engines, of outages, of workers that die, sleep or lose their indexes",
        "pytest",
        ("-q", *MODULES, *TESTS),
        ("-q", *TESTS[:4], "tests/system/test_worker_vectors.py"),
    ),
    (
        "A log of 50,000 messages moved there and back, killed at each failpoint",
        "tests.benchmarks.migrate",
        (),
        ("--messages", "2000"),
    ),
    (
        "Statements that omit the tenant, 1,000 tenants",
        "tests.benchmarks.tenants",
        (),
        ("--tenants", "50", "--statements", "3000"),
    ),
    (
        "Two workers, killed 200 times while 20 people write 10,000 messages",
        "tests.benchmarks.workers",
        (),
        ("--kills", "6", "--messages", "120", "--people", "6", "--cut", "5"),
    ),
    (
        "Two workers at rest and under load, 1,000 people with 1,000 messages each",
        "tests.benchmarks.load",
        (),
        ("--tenants", "20", "--messages", "100", "--seconds", "10", "--burst", "3"),
    ),
)
"""For each part: the heading to print, its module, its arguments, and those of the short run."""


def main(words: Sequence[str] | None = None) -> int:
    """Run the parts; return the largest exit code."""
    given = list(sys.argv[1:] if words is None else words)
    if not installed():
        print("PostgreSQL is not installed: apt-get install postgresql", file=sys.stderr)
        return COULD_NOT_CHECK
    form = ["--json"] if "--json" in given else []
    worst = 0
    for heading, module, whole, short in PARTS:
        print(f"\n{heading}", file=sys.stderr, flush=True)
        more = (*(short if "--short" in given else whole), *(form if module != "pytest" else ()))
        command = [sys.executable, "-m", module, *more]
        worst = max(worst, subprocess.run(command, check=False).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main())
