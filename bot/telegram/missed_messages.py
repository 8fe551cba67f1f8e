"""Count the messages that came while Sam was away, and report them once all are answered."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from memory import Clock
from memory.text import day_month, mark, tr

# Between a message and its arrival: from LONG on it has waited for Sam. Telegram keeps updates for
# a day: more than LONGEST means that a clock is wrong.
LONG, LONGEST = timedelta(minutes=10), timedelta(days=2)
SECONDS = 1.0  # seconds between checks whether all are answered
AWAY = mark("{} messages came while I was away ({}). I have answered them in order.")

Report = Callable[[str, list[datetime]], Awaitable[None]]
"""Tells the user of that profile how many messages arrived late, and when they were written."""


class Away:
    """The messages of each profile that arrived long after they were written."""

    def __init__(
        self, clock: Clock, is_done: Callable[[str], Awaitable[bool]], report: Report
    ) -> None:
        """`is_done`: returns whether no message of that chat is waiting for an answer."""
        self._clock, self._is_done, self._report = clock, is_done, report
        self._late: dict[tuple[str, str], list[datetime]] = {}
        self.task: asyncio.Task[None] | None = None

    def arrived(self, profile: str, chat: str, date: datetime) -> None:
        """Record a message on arrival."""
        if LONG <= self._clock() - date <= LONGEST:
            self._late.setdefault((profile, chat), []).append(date)
            if self.task is None or self.task.done():
                self.task = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        while self._late:
            await asyncio.sleep(SECONDS)
            for (profile, chat), dates in list(self._late.items()):
                if await self._is_done(chat):
                    del self._late[profile, chat]
                    if len(dates) > 1:
                        await self._report(profile, dates)

    def close(self) -> None:
        """Stop watching; after a restart these messages are no longer reported."""
        if self.task is not None:
            self.task.cancel()


def text(dates: list[datetime], now: datetime) -> str:
    """Return the notice about messages with these dates, in the zone of `now`."""
    first, last = (each.astimezone(now.tzinfo) for each in (min(dates), max(dates)))
    day = "" if first.date() == now.date() else f"{day_month(first)} "
    end = "" if last.date() == first.date() else f"{day_month(last)} "
    return tr(AWAY).format(len(dates), f"{day}{first:%H:%M}–{end}{last:%H:%M}")
