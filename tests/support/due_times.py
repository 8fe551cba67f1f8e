"""The due time that a text names, in a form that a test can spell."""

from __future__ import annotations

from datetime import datetime

from memory.dates import Due, due_time


def day_time_rest(text: str, now: datetime) -> tuple[str, str, str] | None:
    """Return the day ("11-05"), the time of day ("15:00", or "") and the rest of the text; None
    where it names no due time, or one that is none."""
    found = due_time(text, now)
    if not isinstance(found, Due):
        return None
    return f"{found.day:%m-%d}", f"{found.time:%H:%M}" if found.time else "", found.rest
