"""Counting days, which a model gets wrong in its head. Both days are given."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import Field

from memory.text import plural


async def days_between(
    first: Annotated[date, Field(description="A day, YYYY-MM-DD; often the day of the message")],
    second: Annotated[date, Field(description="The other day, YYYY-MM-DD")],
) -> str:
    """Count the days from one date to another, and tell the weekday of both.

    Use it for "in how many days", "how long ago" and "which weekday" instead of reckoning.
    """
    count = (second - first).days
    distance = "the same as"
    if count:
        distance = f"{plural(abs(count), 'day')} {'after' if count > 0 else 'before'}"
    weeks, rest = divmod(abs(count), 7)
    also = f", {plural(weeks, 'week')} and {plural(rest, 'day')}" if weeks else ""
    return f"{second:%A, %Y-%m-%d} is {distance} {first:%A, %Y-%m-%d}{also}."
