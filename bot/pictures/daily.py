"""Compute the cost of each day, and the number of messages kept from it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from memory import Memory
from memory.infra import local_day


@dataclass(frozen=True, slots=True)
class DayFigures:
    """A local day: US dollars spent, and messages that memory keeps."""

    day: date
    usd: float
    messages: int


def last_days(today: date, count: int) -> list[date]:
    """Return the last `count` days up to today, oldest first."""
    return [today - timedelta(days=ago) for ago in range(count - 1, -1, -1)]


async def daily(memory: Memory, days: Sequence[date]) -> list[DayFigures]:
    """Return both figures for each of these consecutive days."""
    usd, messages = await spent(memory, days), await kept(memory, days)
    return [DayFigures(day, usd[day], messages[day]) for day in days]


async def spent(memory: Memory, days: Sequence[date]) -> dict[date, float]:
    """Return the cost of each day in US dollars. `days`: consecutive, oldest first."""
    found: dict[date, float] = defaultdict(float)
    for at, use in await memory.log.usage.since(_start(memory, days[0])):
        found[local_day(at, memory.zone)] += use.usd
    return {day: found[day] for day in days}


async def kept(memory: Memory, days: Sequence[date]) -> Counter[date]:
    """Count the messages of each day that memory keeps. `days`: consecutive, oldest first."""
    end = _start(memory, days[-1] + timedelta(days=1))
    moments = await memory.log.messages.sent_times(_start(memory, days[0]), end)
    return Counter(local_day(moment, memory.zone) for moment in moments)


def _start(memory: Memory, day: date) -> datetime:
    return datetime.combine(day, time(), memory.zone).astimezone(UTC)
