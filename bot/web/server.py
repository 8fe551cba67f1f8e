"""Serve the console until a signal ends it; its routes and errors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from memory import OWNER, SamError, profile_of, system_clock

from .. import listener, logs
from ..app import running
from ..chat.web_access import MINI_APP, WebAccess, address, minutes
from ..settings import Settings
from . import costs_and_health, days, facts, forget, graph, notes, search, tasks
from .frame.guard import SIGN_IN, Guard
from .frame.pages import Console, page
from .mini_app import mini_app
from .sign_in import sign_in, sign_out

HERE = Path(__file__).parent


async def serve(settings: Settings, profile: str) -> int:
    """`sam web`: print a link that signs in once, and serve a profile's memory until a signal."""
    logs.start(settings)
    listening = listener.listen(settings.web_host, settings.web_port, "set WEB_PORT or WEB_HOST")
    port = listening.getsockname()[1]
    async with running(settings, sole=False, profile=profile) as sam:
        access = WebAccess(sam.main.memory.profile.files, sam.clock)
        console = Console(sam.main, access, sam.clock)
        origins = listener.origins(settings.web_host, port, settings.web_url)
        app = Guard(application(), access, origins, {"console": console})
        url = home(settings, port)
        another = "sam web --link" + ("" if profile == OWNER else f" --profile {profile}")
        rows = [
            f"Sam in your browser: {url}",
            f"This link signs you in once, within {minutes()} minutes (another: {another}):",
            f"  {address(url, await access.new_link())}",
        ]
        if settings.web_host not in listener.THIS_MACHINE and not settings.web_url.startswith(
            "https://"
        ):
            rows.append("  Warning: this connection is not encrypted. Put an https proxy")
            rows.append("  in front of it, and set WEB_URL to its address.")
        await listener.serve(app, listening, "\n".join([*rows, "Ctrl-C stops it."]))
    return 0


async def new_link(settings: Settings, profile: str) -> str:
    """Return a link for a console of that profile, which runs already."""
    access = WebAccess(profile_of(settings, profile).files, system_clock)
    return address(home(settings, settings.web_port), await access.new_link())


def home(settings: Settings, port: int) -> str:
    """Return the address under which the owner opens the console."""
    return listener.home_url(settings.web_host, port, settings.web_url)


def application() -> Starlette:
    """Return the console's pages, without the guard."""
    routes: Sequence[Route | Mount] = [
        Route("/", lambda request: RedirectResponse("/days", 303)),
        Route(SIGN_IN, sign_in, methods=["GET", "POST"]),
        Route(MINI_APP, mini_app, methods=["GET", "POST"]),
        Route("/sign-out", sign_out, methods=["POST"]),
        *days.ROUTES,
        *notes.ROUTES,
        *search.ROUTES,
        *facts.ROUTES,
        *forget.ROUTES,
        *tasks.ROUTES,
        *costs_and_health.ROUTES,
        *graph.ROUTES,
        Mount("/static", StaticFiles(directory=HERE / "static")),
    ]
    return Starlette(
        routes=list(routes),
        exception_handlers={SamError: _refused, HTTPException: _missing, Exception: _failed},
    )


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
