"""Run `sam` with its clock shifted by the seconds in the file SAM_TEST_SHIFT.

    python -m tests.support.shifted_clock run

The file is read each time the clock is, so a test can set the clock back while Sam runs. If
SAM_TEST_MINUTE is set, jobs with an interval run every so many times that many seconds, instead of
minutes.
"""

from __future__ import annotations

import os
import sys
from datetime import datetime, timedelta
from functools import partial

from memory.infra import clock


def shifted() -> datetime:
    """Return the shifted time. Its code runs in the module of the clock, so it imports all that it
    uses."""
    import os
    from datetime import UTC, datetime, timedelta
    from pathlib import Path

    seconds = float(Path(os.environ["SAM_TEST_SHIFT"]).read_text() or 0)
    return datetime.now(UTC) + timedelta(seconds=seconds)


if __name__ == "__main__":
    clock.system_clock.__code__ = shifted.__code__  # for those who have bound the function, too
    if minute := os.environ.get("SAM_TEST_MINUTE"):
        import bot.app.runtime as runtime
        from bot.assistant.scheduler import Jobs

        runtime.Jobs = partial(Jobs, minute=timedelta(seconds=float(minute)))  # type: ignore[misc, assignment]
    from bot.cli.main import main

    sys.exit(main())
