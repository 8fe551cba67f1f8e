"""Find a folder in memory for the files of tests: an fsync there takes no time.

Sam waits for the disk at each commit of each database, as it should; with thousands of small
databases, that took a third of the time of the tests. The calls stay, and so do those tests that
let them fail.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path("/dev/shm")  # Linux has it
ROOM = 2 << 30  # bytes; four workers at once need a quarter of it


def folder() -> Path | None:
    """Return the folder; None where there is none with enough room, or it can run no programs."""
    if not os.access(FOLDER, os.W_OK | os.X_OK):
        return None
    about = os.statvfs(FOLDER)
    if about.f_flag & os.ST_NOEXEC or about.f_bavail * about.f_frsize < ROOM:
        return None
    return FOLDER
