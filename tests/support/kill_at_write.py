"""Run `sam` and kill it at a given file operation; trace the operations it reached.

    SAM_TEST_TRACE=FILE SAM_TEST_DIES=os.rename:2 python -m tests.support.kill_at_write restore …

Operations are Python audit events on paths below SAM_TEST_BELOW: `open` (for writing), `os.rename`,
`os.remove`, `os.mkdir`, `os.rmdir`. SIGKILL is sent just before the operation: `os.rename:2` before
the second rename, `os.remove:NAME` before a file of this name is removed.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any

CHANGES = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir")
_WRITES = os.O_WRONLY | os.O_RDWR

below = os.environ["SAM_TEST_BELOW"]
point, _, which = os.environ.get("SAM_TEST_DIES", "").partition(":")
trace = os.open(os.environ["SAM_TEST_TRACE"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
seen: Counter[str] = Counter()


def audit(event: str, given: tuple[Any, ...]) -> None:
    """Handle an audit event: trace it, and kill the process if it is the given one."""
    if event not in CHANGES or (event == "open" and not (given[2] or 0) & _WRITES):
        return
    path = os.fsdecode(given[0]) if isinstance(given[0], str | bytes | os.PathLike) else ""
    if not path.startswith(below):
        return
    seen[event] += 1
    os.write(trace, f"{event}:{seen[event]} {path}\n".encode())
    if point == event and which in (str(seen[event]), Path(path).name):
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    from bot.cli.main import main

    sys.addaudithook(audit)
    sys.exit(main())
