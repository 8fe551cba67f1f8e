"""A time zone in which it is about noon, for tests in which the day must not change."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo


def noon_somewhere() -> tuple[str, datetime]:
    """Return the name of a zone in which it is between 12:00 and 13:00, and the time there."""
    hour = datetime.now(UTC).hour
    name = f"Etc/GMT{hour - 12:+d}"  # these names have the sign of the zone's west, not its east
    return name, datetime.now(ZoneInfo(name))
