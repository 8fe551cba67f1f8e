"""Format counts, sizes and durations for people."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta


def plural(count: int, one: str, more: str = "") -> str:
    """`1 note`, `1,234 notes`; `more`: an irregular plural."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def size(count: int) -> str:
    """Format a number of bytes: `12 kB`, `1.2 MB`."""
    return f"{count / 1e6:,.1f} MB" if count >= 1e6 else f"{max(1, round(count / 1e3))} kB"


def duration(seconds: float) -> str:
    """Format a duration: `less than a minute`, `about 12 min`, `about 2:30 h`."""
    if seconds < 60:
        return "less than a minute"
    if seconds <= 5400:
        return f"about {round(seconds / 60)} min"
    return f"about {str(timedelta(minutes=round(seconds / 60)))[:-3]} h"


def counted(counts: Mapping[str, int]) -> str:
    """`12 done, 1 set aside`."""
    parts = (f"{number} {state.replace('_', ' ')}" for state, number in sorted(counts.items()))
    return ", ".join(parts) or "none"
