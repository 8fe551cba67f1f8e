"""Serve the console until a signal ends it; its routes, signing in and out, and errors."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from memory import DataDir, SamError, system_clock

from .. import listener, logs
from ..app import running
from ..chat.web_access import SESSION_LIFE, WebAccess, address, minutes
from ..settings import Settings
from . import days, facts, forget, graph, notes, overview, search, tasks
from .guard import SIGN_IN, Guard, cookie_name, visit_of
from .pages import Console, console_of, go, page

log = logging.getLogger(__name__)

HERE = Path(__file__).parent
WRONG = 10  # links that do not sign in, from one address, within WINDOW
WINDOW = timedelta(minutes=10)
USED = "This link has been used or has expired. Get a new one with /web, or sam web --link."
LATE = "Too many attempts: wait a few minutes, or use a new link."


async def serve(settings: Settings) -> int:
    """`sam web`: print a link that signs in once, and serve until SIGTERM or Ctrl-C."""
    logs.start(settings)
    listening = listener.listen(settings.web_host, settings.web_port, "set WEB_PORT or WEB_HOST")
    port = listening.getsockname()[1]
    async with running(settings, sole=False) as sam:
        access = WebAccess(DataDir(settings.data_dir), sam.clock)
        console = Console(sam.owner, access, sam.clock)
        origins = listener.origins(settings.web_host, port, settings.web_url)
        app = Guard(application(), access, origins, {"console": console})
        url = home(settings, port)
        rows = [
            f"Sam in your browser: {url}",
            f"This link signs you in once, within {minutes()} minutes (another: sam web --link):",
            f"  {address(url, await access.new_link())}",
        ]
        if settings.web_host not in listener.THIS_MACHINE and not settings.web_url.startswith(
            "https://"
        ):
            rows.append("  Warning: this connection is not encrypted. Put an https proxy")
            rows.append("  in front of it, and set WEB_URL to its address.")
        await listener.serve(app, listening, "\n".join([*rows, "Ctrl-C stops it."]))
    return 0


async def new_link(settings: Settings) -> str:
    """Return a link for a console that runs already."""
    access = WebAccess(DataDir(settings.data_dir), system_clock)
    return address(home(settings, settings.web_port), await access.new_link())


def home(settings: Settings, port: int) -> str:
    """Return the address under which the owner opens the console."""
    return listener.home(settings.web_host, port, settings.web_url)


def application() -> Starlette:
    """Return the console's pages, without the guard."""
    routes: Sequence[Route | Mount] = [
        Route("/", lambda request: RedirectResponse("/days", 303)),
        Route(SIGN_IN, sign_in, methods=["GET", "POST"]),
        Route("/sign-out", sign_out, methods=["POST"]),
        *days.ROUTES,
        *notes.ROUTES,
        *search.ROUTES,
        *facts.ROUTES,
        *forget.ROUTES,
        *tasks.ROUTES,
        *overview.ROUTES,
        *graph.ROUTES,
        Mount("/static", StaticFiles(directory=HERE / "static")),
    ]
    return Starlette(
        routes=list(routes),
        exception_handlers={SamError: _refused, HTTPException: _missing, Exception: _failed},
    )


async def sign_in(request: Request) -> Response:
    """Exchange the code of a link for a session's cookie, once."""
    visit, console = visit_of(request), console_of(request)
    if request.method != "POST":
        return page(request, "sign_in.html", wrong="")
    session = await console.access.redeem(visit.said("code").strip().rpartition("#")[2])
    if session is None:
        return _wrong_link(request, console.clock())
    secure = request.headers.get("origin", "").startswith("https://")
    answer = RedirectResponse("/days", 303)
    answer.set_cookie(
        cookie_name(secure),
        session,
        max_age=int(SESSION_LIFE.total_seconds()),
        httponly=True,
        samesite="strict",
        secure=secure,
    )
    return answer


def _wrong_link(request: Request, now: datetime) -> Response:
    """Reject a code, with a rate limit per address. A valid link still works, so that nobody can
    lock the owner out: 256 bits cannot be guessed."""
    every = console_of(request).wrong
    for who, tries in [*every.items()]:
        while tries and now - tries[0] > WINDOW:
            tries.popleft()
        if not tries:
            del every[who]
    tries = every.setdefault(request.client.host if request.client else "", deque())
    if len(tries) >= WRONG:
        late = page(request, "sign_in.html", status=429, wrong=LATE)
        late.headers["Retry-After"] = str(max(1, int((tries[0] + WINDOW - now).total_seconds())))
        return late
    tries.append(now)
    log.warning("web: a link did not sign in")
    return page(request, "sign_in.html", status=403, wrong=USED)


async def sign_out(request: Request) -> Response:
    """End this session, or all of them."""
    visit, access = visit_of(request), console_of(request).access
    if visit.said("all"):
        await access.end_all()
    else:
        await access.end(visit.session)
    answer = go(request, SIGN_IN)
    for secure in (False, True):
        answer.delete_cookie(cookie_name(secure), httponly=True, samesite="strict", secure=secure)
    return answer


async def _refused(request: Request, why: Exception) -> Response:
    return page(request, "error.html", status=409, title="That did not work", why=str(why))


async def _missing(request: Request, why: Exception) -> Response:
    status = why.status_code if isinstance(why, HTTPException) else 404
    return page(request, "error.html", status=status, title="Page not found", why="")


async def _failed(request: Request, why: Exception) -> Response:
    return page(
        request,
        "error.html",
        status=500,
        title="Something went wrong",
        why="See the log for details.",
    )
