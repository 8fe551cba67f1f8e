"""Render the pages from their templates; read request data."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

from memory import OWNER, Clock, Memory
from memory.notes import plain
from memory.text import plural
from memory.tools import speaker

from ...assistant import Assistant
from ...chat.protocol import Call, Press
from ...chat.web_access import WebAccess
from . import markdown
from .guard import visit_of

CHAT = "web"
"""The chat id of commands and buttons used in the web console."""
LONGEST = 500
"""Characters of a query parameter that are read."""
NAV = (
    ("days", "/days", "Days"),
    ("search", "/search", "Search"),
    ("facts", "/facts", "Facts"),
    ("tasks", "/tasks", "Tasks"),
    ("graph", "/graph", "Names"),
    ("sent", "/sent", "Costs"),
    ("health", "/health", "Health"),
)


@dataclass(frozen=True, slots=True)
class Console:
    """The dependencies of the pages. `notices`: by session, shown at the top of its next page;
    `wrong`: times of failed sign-ins, by address."""

    profile: Assistant
    access: WebAccess
    clock: Clock
    notices: dict[str, str] = field(default_factory=dict)
    wrong: dict[str, deque[datetime]] = field(default_factory=dict)

    @property
    def memory(self) -> Memory:
        return self.profile.memory

    @property
    def now(self) -> datetime:
        """The owner's local time."""
        return self.clock().astimezone(self.memory.zone)

    def call(self, words: str) -> Call:
        """Return a call of a chat command, as if it were typed in a chat."""
        return Call(self.profile, CHAT, words, self.clock())

    def press(self, **argument: object) -> Press:
        """Return a press of a button with that argument."""
        return Press(self.profile, CHAT, argument, self.clock())


def console_of(request: Request) -> Console:
    console = request.state.console
    assert isinstance(console, Console)
    return console


def page(request: Request, template: str, *, status: int = 200, **values: object) -> HTMLResponse:
    """Render that template with these values."""
    visit, console = visit_of(request), console_of(request)
    # It may just have ended.
    signed_in = bool(visit.session) and console.access.is_open(visit.session)
    notice = console.notices.pop(visit.session, "") if visit.session else ""
    made = _templates().get_template(template)
    text = made.render(
        **values,
        nav=NAV if signed_in else (),
        here=request.url.path,
        csrf=visit.csrf,
        notice=notice,
        today=console.now.date(),
        zone=console.memory.zone,
        whose="" if console.profile.name == OWNER else console.profile.name,
    )
    return HTMLResponse(text, status)


def redirect(request: Request, path: str, notice: str = "", **query: object) -> RedirectResponse:
    """Redirect to another page, which shows the notice."""
    session = visit_of(request).session
    if notice and session:
        console_of(request).notices[session] = notice
    return RedirectResponse(f"{path}?{urlencode(query)}" if query else path, 303)


def query_value(request: Request, name: str) -> str:
    """Return a query parameter, "" without one; long values are truncated."""
    return request.query_params.get(name, "").strip()[:LONGEST]


def day_of(text: str) -> date | None:
    """Parse a day like 2026-11-23; None for anything else, and for years at the ends of the
    calendar, whose weeks and midnights cannot be computed with."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if 1900 <= day.year <= 9990 else None


def short_day(day: date | str) -> str:
    """Return a day like 23 Nov 2026; text that is not an ISO date stays as it is."""
    known = day_of(day) if isinstance(day, str) else day
    return f"{known.day} {known:%b %Y}" if known else str(day)


@cache
def _templates() -> Environment:
    found = Environment(
        loader=PackageLoader("bot.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals |= {"plural": plural, "plain": plain}
    found.filters |= {
        "markdown": markdown.html,
        "code": markdown.code_spans,
        "long_day": lambda day: f"{day:%A}, {day.day} {day:%B %Y}",
        "short_day": short_day,
        "speaker": speaker,
        "query": urlencode,
        "usd": lambda usd: f"${usd:.2f}" if usd >= 0.01 or not usd else f"${usd:.4f}",
    }
    return found
