"""`make bench`: recall on LoCoMo without and with vectors, then its speed. Knows no measure itself.

python -m tests.benchmarks [--json]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tests import locomo as data
from tests.benchmarks import locomo, search


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    form = [word for word in (sys.argv[1:] if words is None else words) if word == "--json"]
    if not data.DATA.exists():
        print("LoCoMo's conversations (../shared/data) are not here: there is nothing to measure.")
        return 2
    corrected = ["--corrected", str(data.CORRECTED)] if data.CORRECTED.exists() else []
    for embedder in ("none", "local"):
        print(f"\nRecall on five of LoCoMo's conversations, embedder: {embedder}", file=sys.stderr)
        locomo.main([*corrected, "--embedder", embedder, *form])
    print("\nSpeed, 20,000 chunks of 384 dimensions", file=sys.stderr)
    return search.main(form)


if __name__ == "__main__":
    sys.exit(main())
