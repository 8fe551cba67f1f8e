"""Counting days, which a model gets wrong in its head. Knows no clock: both days are given."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import Field


async def days_between(
    first: Annotated[date, Field(description="A day, YYYY-MM-DD; often the day of the message")],
    second: Annotated[date, Field(description="The other day, YYYY-MM-DD")],
) -> str:
    """Count the days from one date to another, and tell the weekday of both.

    Use it for "in how many days", "how long ago" and "which weekday" instead of reckoning.
    """
    count = (second - first).days
    distance = "the same day" if not count else f"{abs(count)} day{'s' * (abs(count) != 1)}"
    if count:
        distance += " later" if count > 0 else " earlier"
        weeks, rest = divmod(abs(count), 7)
        if weeks:
            distance += f" ({weeks} weeks and {rest} days)"
    return (
        f"{second:%A, %Y-%m-%d} is {distance} than {first:%A, %Y-%m-%d}."
        if count
        else (f"{first:%A, %Y-%m-%d}: {distance}.")
    )
