"""Serve the console until a signal ends it; its routes, signing in and out, and errors."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import signal
import socket
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from memory import ConfigError, DataDir, SamError, system_clock

from .. import logs
from ..app import running
from ..chat.web_access import SESSION_LIFE, WebAccess, address, minutes
from ..settings import Settings
from . import days, facts, forget, graph, notes, overview, search, tasks
from .guard import SIGN_IN, Guard, cookie_name, visit_of
from .pages import Console, console_of, go, page

log = logging.getLogger(__name__)

HERE = Path(__file__).parent
THIS_MACHINE = ("127.0.0.1", "::1", "localhost")
WRONG = 10  # links that do not sign in, from one address, within WINDOW
WINDOW = timedelta(minutes=10)
USED = "This link has been used, or is too old. Ask Sam for another: /web, or sam web --link."
LATE = "Too many tries: wait a few minutes, or use a new link."
CLOSING = 5  # seconds for requests at the end


class _Server(uvicorn.Server):
    """uvicorn raises the signal that ended it once more, before our stores are closed: this one
    leaves signals to us."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve(settings: Settings) -> int:
    """`sam web`: print a link that signs in once, and serve until SIGTERM or Ctrl-C."""
    logs.start(settings)
    listening = _listen(settings)
    port = listening.getsockname()[1]
    async with running(settings, sole=False) as sam:
        access = WebAccess(DataDir(settings.data_dir), sam.clock)
        console = Console(sam.owner, access, sam.clock)
        app = Guard(application(), access, origins(settings, port), {"console": console})
        server = _Server(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                lifespan="off",
                ws="none",
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=CLOSING,
            )
        )
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, setattr, server, "should_exit", True)
        url = home(settings, port)
        print(f"Sam in your browser: {url}")
        print(f"This link signs you in once, within {minutes()} minutes (another: sam web --link):")
        print(f"  {address(url, await access.new_link())}")
        if settings.web_host not in THIS_MACHINE and not settings.web_url.startswith("https://"):
            print("  Careful: others can read along on the way here. Put a proxy with https before")
            print("  it, and its address into WEB_URL.")
        print("Ctrl-C ends it.")
        sys.stdout.flush()
        await server.serve([listening])
    return 0


async def new_link(settings: Settings) -> str:
    """Return a link for a console that runs already."""
    access = WebAccess(DataDir(settings.data_dir), system_clock)
    return address(home(settings, settings.web_port), await access.new_link())


def home(settings: Settings, port: int) -> str:
    """Return the address under which the owner opens the console."""
    host = "127.0.0.1" if _is_any(settings.web_host) else settings.web_host
    return settings.web_url or f"http://{_netloc(host, port)}"


def origins(settings: Settings, port: int) -> frozenset[str]:
    """Return every origin by which the console may be asked for."""
    hosts = {*THIS_MACHINE, *([] if _is_any(settings.web_host) else [settings.web_host])}
    found = {f"http://{_netloc(host, port)}" for host in hosts}
    if port == 80:
        found |= {each.removesuffix(":80") for each in found}
    return frozenset({*found, *filter(None, [settings.web_url])})


def _is_any(host: str) -> bool:
    """Whether that stands for every address of the machine, and so for none by name."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def _netloc(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}".lower()


def _listen(settings: Settings) -> socket.socket:
    host, port = settings.web_host, settings.web_port
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except OSError as why:
        raise ConfigError(
            [
                f"{_netloc(host, port)} cannot be listened on ({why.strerror}):"
                " set WEB_PORT or WEB_HOST"
            ]
        ) from why


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
    """Refuse a code. Who tries often waits; a link that is right works all the same, so that nobody
    locks the owner out: nobody guesses 256 bits."""
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
    return page(request, "error.html", status=status, title="There is no such page", why="")


async def _failed(request: Request, why: Exception) -> Response:
    return page(
        request, "error.html", status=500, title="Something went wrong", why="The log says what."
    )
