"""Where tests keep their files: in memory, if there is room."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

_IN_MEMORY = Path("/dev/shm")
_ROOM = 4 << 30  # bytes: several times what the tests have at any time


def use_memory() -> None:
    """Let this process and those it starts keep their temporary files in memory.

    The tests write and delete many small files, with an fsync for most of them, and a disk makes
    them wait. TMPDIR, where it is set, has precedence.
    """
    if "TMPDIR" not in os.environ and _has_room():
        os.environ["TMPDIR"] = str(_IN_MEMORY)
        tempfile.tempdir = None  # to be looked up again


def _has_room() -> bool:
    """Return whether this is Linux with enough memory, and programs may be started from there."""
    if not os.access(_IN_MEMORY, os.W_OK) or os.statvfs(_IN_MEMORY).f_flag & os.ST_NOEXEC:
        return False
    free = [shutil.disk_usage(_IN_MEMORY).free]
    for line in Path("/proc/meminfo").read_text("ascii").splitlines():
        if line.startswith("MemAvailable:"):
            free.append(int(line.split()[1]) << 10)
    return min(free) >= _ROOM
