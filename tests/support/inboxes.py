"""A settable clock for an inbox, and the inbox's bytes on disk."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

NOW = datetime(2026, 2, 12, 13, 30, tzinfo=UTC)


class Time:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def passes(self, **time: float) -> None:
        self.now += timedelta(**time)


def bytes_of(inbox_file: Path) -> bytes:
    return b"".join(path.read_bytes() for path in inbox_file.parent.glob("inbox.db*"))
