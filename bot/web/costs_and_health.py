"""Outbound data and costs, as a chart and a table; jobs, health and the self-exam's curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, tzinfo

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from memory.infra import local_day
from memory.log import Exam
from memory.maintenance.self_eval import hit5

from ..assistant import status
from ..chat.privacy_report import other_connections, outbound_calls
from ..doctor import examine
from ..pictures import last_days, spent
from .frame.pages import console_of, page, query_value

PERIODS = (14, 30, 90)  # days
EXAMS = 60  # nights in the curve
WIDTH, HEIGHT, FOOT = 720, 190, 30  # of the chart, in its own units
EDGE = 8  # above and beside the curve


@dataclass(frozen=True, slots=True)
class Bar:
    """One day of the chart, in its units; `label`: below the bar, "" for most."""

    day: date
    usd: float
    x: float
    y: float
    width: float
    height: float
    label: str


@dataclass(frozen=True, slots=True)
class Point:
    """One run of the self-exam, in the curve's units. `found`, `near`: the shares of probes found
    by recall, and by vectors alone (None without vectors)."""

    day: date
    probes: int
    found: float
    near: float | None
    x: float
    y: float


async def costs(request: Request) -> Response:
    """Show what went where in the last days."""
    console = console_of(request)
    wanted = query_value(request, "days")
    days = next((each for each in PERIODS if str(each) == wanted), PERIODS[0])
    today = console.now.date()
    usd = await spent(console.memory, last_days(today, days))
    return page(
        request,
        "sent.html",
        days=days,
        periods=PERIODS,
        bars=bars(usd),
        width=WIDTH,
        height=HEIGHT,
        axis=HEIGHT - FOOT,
        total=sum(usd.values()),
        most=max(usd.values()),
        spent=(await console.profile.budget.spending.today()).total,
        budget=console.profile.settings.budget_daily_usd,
        rows=await outbound_calls(console.memory.log, console.memory.zone, today, days),
        besides=other_connections(console.profile.settings, console.profile.name),
    )


def bars(usd: Mapping[date, float]) -> list[Bar]:
    """Return the bars of a chart, one for each day; the highest fills the height."""
    most = max(usd.values(), default=0.0) or 1.0
    step = WIDTH / max(1, len(usd))
    every = max(1, len(usd) // 5)
    room = HEIGHT - FOOT
    return [
        Bar(
            day,
            cost,
            round(number * step + step * 0.15, 2),
            round(room - room * cost / most, 2),
            round(step * 0.7, 2),
            round(room * cost / most, 2),
            f"{day.day} {day:%b}" if number % every == every // 2 else "",
        )
        for number, (day, cost) in enumerate(usd.items())
    ]


def curve(exams: Sequence[Exam], zone: tzinfo) -> list[Point]:
    """Return the points of the curve, the oldest first; its height stands for all probes. `zone`:
    the owner's, whose days they are."""
    step = (WIDTH - 2 * EDGE) / max(1, len(exams) - 1)
    room = HEIGHT - FOOT - EDGE
    return [
        Point(
            local_day(exam.at, zone),
            len(exam.found),
            hit5(exam.found),
            hit5(exam.near) if exam.near else None,
            round(EDGE + number * step, 2),
            round(EDGE + room * (1 - hit5(exam.found)), 2),
        )
        for number, exam in enumerate(exams)
    ]


async def health(request: Request) -> Response:
    """Show how Sam is, as `/status full` does, and when each job ran."""
    console = console_of(request)
    rows = await status.status_lines(console.profile)
    runs = (await console.memory.log.jobs.latest()).values()
    return page(
        request,
        "health.html",
        wrong=[row.removeprefix("! ") for row in rows if row.startswith("! ")],
        rows=[row.partition(": ") for row in rows if not row.startswith("! ")],
        runs=sorted(runs, key=lambda run: run.started_at, reverse=True),
        points=curve((await console.memory.log.exams.recent(EXAMS))[::-1], console.memory.zone),
        width=WIDTH,
        height=HEIGHT,
        axis=HEIGHT - FOOT,
    )


async def doctor(request: Request) -> Response:
    """Run all checks of `sam doctor`, which take a few seconds."""
    return page(request, "doctor.html", report=await examine(clock=console_of(request).clock))


ROUTES = (
    Route("/sent", costs),
    Route("/health", health),
    Route("/health/doctor", doctor, methods=["POST"]),
)
