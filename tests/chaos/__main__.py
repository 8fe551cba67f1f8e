"""`make chaos`: run the parts of PARTS one after another and print their figures and seeds.

Rerun a failed part with `--only NAME --seed N`.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
import time
import traceback
from importlib import import_module
from pathlib import Path

PARTS: dict[str, str] = {
    "sync": "two writers, one remote: edits, renames, kills, old lists, skewed clocks",
    "summaries": "a model that obeys planted text, invents, breaks off or fails in its summaries",
    "fuzz": "hostile names, notes and chat texts: tools, `sam mcp`, files and the command line",
    "interrupt": "Ctrl-C at random moments of import, undo, index, export and backup",
    "ctrl_c": "Ctrl-C at random moments of every other command that writes",
    "soak": "fifty chats at once over a large vault, with faults and kills",
    "kill": "SIGKILL at every named step and at random moments, while several chats talk",
}
"""Name → what the part does. Its function is `run` in `tests/chaos/NAME.py`."""


def main() -> int:
    """Return 0 if all parts passed, 1 if one failed; its seed was printed."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos")
    parser.add_argument("--only", nargs="+", choices=sorted(PARTS), default=list(PARTS))
    parser.add_argument("--seed", type=int, default=None, help="replay a run")
    parser.add_argument("--size", type=float, default=1.0, help="share of the whole, 0.01 to 1")
    given = parser.parse_args()
    failed = []
    for name in given.only:
        seed = secrets.randbelow(10**9) if given.seed is None else given.seed
        print(f"{name}: {PARTS[name]}\n  seed {seed}, size {given.size}", flush=True)
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix=f"sam-{name}-") as folder:
            try:
                figures = import_module(f"tests.chaos.{name}").run(seed, given.size, Path(folder))
            except Exception:
                traceback.print_exc()
                failed.append(name)
                again = f"python -m tests.chaos --only {name} --seed {seed} --size {given.size}"
                print(f"  FAILED; again with: {again}", flush=True)
                continue
        for what, figure in figures.items():
            print(f"  {what}: {figure}")
        print(f"  {time.monotonic() - began:.0f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
