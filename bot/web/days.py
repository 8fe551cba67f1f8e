"""The days: a month as a calendar, shaded by the number of memories, and single days with
messages."""

from __future__ import annotations

import asyncio
import calendar
import re
from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from memory import Memory, Message, SamError
from memory.notes import lines
from memory.tools import speaker

from .. import pictures
from . import notes
from .frame import markdown
from .frame.pages import console_of, day_of, page, query_value

MANY = (1, 4, 12, 30)
"""From how many bullets and messages on a day has the next stronger colour."""
_BULLET = re.compile(r"\s*[-*+]\s+\S")
_TITLE = re.compile(r"\A\s*# [^\n]*\n")


@dataclass(frozen=True, slots=True)
class Cell:
    """One day in the calendar. `level`: 0 for nothing, to 4."""

    day: date
    bullets: int
    messages: int
    inside: bool

    @property
    def level(self) -> int:
        """How strong its colour is."""
        return sum(self.bullets + self.messages >= many for many in MANY)


async def month(request: Request) -> Response:
    console = console_of(request)
    today = console.now.date()
    shown = (day_of(f"{query_value(request, 'month')}-01") or today).replace(day=1)
    weeks = calendar.Calendar().monthdatescalendar(shown.year, shown.month)
    days = [day for week in weeks for day in week]
    bullets, messages = await asyncio.gather(
        asyncio.to_thread(_bullets, console.memory, days), pictures.kept(console.memory, days)
    )
    cells = [
        [Cell(day, bullets[day], messages[day], day.month == shown.month) for day in week]
        for week in weeks
    ]
    inside = [each for week in cells for each in week if each.inside]
    return page(
        request,
        "days.html",
        shown=shown,
        weeks=cells,
        before=(shown - timedelta(days=1)).replace(day=1),
        after=(shown + timedelta(days=31)).replace(day=1),
        filled=[each for each in reversed(inside) if each.level],
    )


async def one(request: Request) -> Response:
    """Show one day: its bullets and its messages."""
    console = console_of(request)
    day = day_of(request.path_params["day"])
    if day is None:
        raise HTTPException(404)
    memory = console.memory
    text = await notes.readable(memory, memory.day_path(day))
    said = [m for m in await memory.log.messages.of_day(day, memory.zone) if shown(m)]
    return page(
        request,
        "day.html",
        day=day,
        path=memory.day_path(day) if text else "",
        note=markdown.note(_TITLE.sub("", text, count=1)) if text else "",
        messages=[(each, speaker(each, "You")) for each in said],
        before=day - timedelta(days=1) if day > date.min else None,
        after=day + timedelta(days=1) if day < date.max else None,
    )


def shown(message: Message) -> bool:
    """Return whether the owner's pages show it; incognito and forgotten messages have no text."""
    return bool(message.text) and message.privacy != "sealed" and message.state != "forgotten"


def _bullets(memory: Memory, days: list[date]) -> Counter[date]:
    """Count the bullets in each day's note; runs in a thread."""
    found: Counter[date] = Counter()
    for day in days:
        try:
            text = pictures.readable(memory, memory.day_path(day))
        except SamError:
            continue  # unreadable, which `sam doctor` reports
        if text:
            found[day] = sum(bool(_BULLET.match(row)) for row in lines(text))
    return found


ROUTES = (Route("/days", month), Route("/days/{day}", one))
