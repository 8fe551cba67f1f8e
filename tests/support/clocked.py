"""`sam` with another clock: the machine's, shifted by the seconds in the file SAM_TEST_SHIFT.

    python -m tests.support.clocked run

The file is read at each look at the clock, so that a test can set it back while Sam runs. Jobs that
run every so many minutes run every so many SAM_TEST_MINUTE seconds, where that is set.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from memory.infra import clock


def shifted() -> datetime:
    """Now, as this process is to believe."""
    seconds = float(Path(os.environ["SAM_TEST_SHIFT"]).read_text() or 0)
    return datetime.now(UTC) + timedelta(seconds=seconds)


if __name__ == "__main__":
    clock.system_clock = shifted  # before anything binds it as a default
    if minute := os.environ.get("SAM_TEST_MINUTE"):
        import bot.app.runtime as runtime
        from bot.assistant.scheduler import Jobs

        runtime.Jobs = partial(Jobs, minute=timedelta(seconds=float(minute)))  # type: ignore[misc, assignment]
    from bot.cli.main import main

    sys.exit(main())
