"""Format counts, sizes and durations for people."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta


def plural(count: int, one: str, more: str = "") -> str:
    """Format a count with its noun: `1 note`, `1,234 notes`. `more`: an irregular plural."""
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


def age(day: date | None, today: date) -> str:
    """Format how long ago a day is; empty for a passage without a date."""
    if day is None:
        return ""
    days = (today - day).days
    if days < 0:
        return f"in {-days} days" if days < -1 else "tomorrow"
    if days < 2:
        return ("today", "yesterday")[days]
    if days < 60:
        return f"{days} days ago"
    return f"{days // 30} months ago" if days < 730 else f"{days // 365} years ago"


def counted(counts: Mapping[str, int]) -> str:
    """Format counts by label: `12 done, 1 set aside`."""
    parts = (f"{number} {state.replace('_', ' ')}" for state, number in sorted(counts.items()))
    return ", ".join(parts) or "none"
