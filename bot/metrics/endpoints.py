"""`/metrics`, `/healthz` and `/readyz` of `sam run`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from memory import Clock, StoreError

from ..inbox import Inbox, InboxLoad
from .exposition import exposition
from .measures import Measures

SECONDS = 5.0  # for the database's answer; Prometheus itself waits for 10 by default


def endpoints(
    inbox: Inbox,
    measures: Measures,
    clock: Clock,
    *,
    open_profiles: Callable[[], int],
    stalled: Callable[[], Sequence[str]],
    connected: Callable[[], bool],
) -> Starlette:
    """Return the application. `stalled`: the parts of the process that only a restart helps;
    `connected`: whether Telegram has been reached."""

    async def load() -> InboxLoad | None:
        try:
            async with asyncio.timeout(SECONDS):
                return await inbox.load()
        except (StoreError, TimeoutError):
            return None

    async def metrics(request: Request) -> Response:
        text = exposition(measures, await load(), open_profiles(), clock())
        return Response(text, media_type=CONTENT_TYPE_LATEST)

    async def healthz(request: Request) -> Response:
        if parts := stalled():
            return PlainTextResponse(f"stalled: {', '.join(parts)}\n", 503)
        return PlainTextResponse("ok\n")

    async def readyz(request: Request) -> Response:
        lacking = [] if connected() else ["telegram"]
        if await load() is None:
            lacking.append("database")
        return JSONResponse({"ready": not lacking, "lacking": lacking}, 503 if lacking else 200)

    return Starlette(
        routes=[
            Route("/metrics", metrics),
            Route("/healthz", healthz),
            Route("/readyz", readyz),
        ]
    )
