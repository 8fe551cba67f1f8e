"""Look for rows of one tenant that another sees, with random statements that omit the tenant.

    python -m tests.benchmarks.tenants [--tenants N] [--statements N] [--seed N] [--json]

Starts a PostgreSQL of its own, and gives each tenant a canary in all its texts. Prints how many
statements showed, changed or betrayed another's rows: the exit code is 1 unless none did.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.figures import show
from tests.support import postgres
from tests.support.canaries import fill, intact, leaks

TENANTS, STATEMENTS = 1_000, 20_000


def main(words: Sequence[str] | None = None) -> int:
    """Run the benchmark; return 0 if there are no leaks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tenants", type=int, default=TENANTS)
    parser.add_argument("--statements", type=int, default=STATEMENTS)
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(words)
    cluster = postgres.start()
    found: list[str] = []
    lost = 0

    def measure(_: Path) -> dict[str, float]:
        nonlocal lost
        url = cluster.new_database()
        began = time.monotonic()
        tables = fill(url, args.tenants)
        found.extend(leaks(url, tables, args.tenants, args.statements, args.seed))
        lost = intact(url, tables, args.tenants)
        return {
            "tenants": args.tenants,
            "tables": len(tables),
            "statements": args.statements,
            "leaks": len(found),
            "rows changed or lost": lost,
            "seconds": round(time.monotonic() - began),
        }

    try:
        show(measure, decimals=0, as_json=args.json)
    finally:
        cluster.remove()
    for each in found[:20]:
        print(each, file=sys.stderr)
    return 1 if found or lost else 0


if __name__ == "__main__":
    sys.exit(main())
