"""`sam` that dies at a named change of the disk, and writes down all those that it has come to.

    SAM_TEST_TRACE=FILE SAM_TEST_DIES=os.rename:2 python -m tests.support.mortal restore …

A change is what Python tells its auditors of, below SAM_TEST_BELOW: `open` (to write), `os.rename`,
`os.remove`, `os.mkdir`, `os.rmdir`. It is a SIGKILL, just before the change is made: before the
second one, or, by `os.remove:NAME`, before that of a file of this name.
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
    """Called before each of them."""
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
