"""Sign in with the code of a link, and sign out; limit how often an address may try."""

from __future__ import annotations

import logging
from collections import deque
from datetime import timedelta

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ..chat.web_access import SESSION_LIFE
from .frame.guard import SIGN_IN, visit_of
from .frame.pages import console_of, page, redirect

log = logging.getLogger(__name__)

WRONG = 10  # tries that do not sign in, from one address, within WINDOW
WINDOW = timedelta(minutes=10)
LATE = "Too many attempts: wait a few minutes, or use a new link."
USED = "This link has been used or has expired. Get a new one with /web, or sam web --link."


async def sign_in(request: Request) -> Response:
    """Exchange the code of a link for a session's cookie, once."""
    visit, console = visit_of(request), console_of(request)
    if request.method != "POST":
        return page(request, "sign_in.html", wrong="")
    session = await console.access.redeem(visit.form_value("code").strip().rpartition("#")[2])
    if session is None:
        return refuse(request, "sign_in.html", USED)
    return with_session(request, session)


def with_session(request: Request, session: str) -> Response:
    """Lead a browser that has signed in to the first page, with its cookie."""
    secure = request.headers.get("origin", "").startswith("https://")
    answer = RedirectResponse("/days", 303)
    answer.set_cookie(
        console_of(request).access.cookie_name(secure),
        session,
        max_age=int(SESSION_LIFE.total_seconds()),
        httponly=True,
        samesite="strict",
        secure=secure,
    )
    return answer


async def sign_out(request: Request) -> Response:
    """End this session, or all of them."""
    visit, access = visit_of(request), console_of(request).access
    if visit.form_value("all"):
        await access.end_all()
    else:
        await access.end(visit.session)
    answer = redirect(request, SIGN_IN)
    for secure in (False, True):
        answer.delete_cookie(
            access.cookie_name(secure), httponly=True, samesite="strict", secure=secure
        )
    return answer


def refuse(request: Request, template: str, why: str) -> Response:
    """Show why this did not sign in. Who tries often waits; what is right works all the same, so
    that nobody locks the owner out: nobody guesses 256 bits."""
    now = console_of(request).clock()
    every = console_of(request).wrong
    for who, tries in [*every.items()]:
        while tries and now - tries[0] > WINDOW:
            tries.popleft()
        if not tries:
            del every[who]
    tries = every.setdefault(request.client.host if request.client else "", deque())
    if len(tries) >= WRONG:
        late = page(request, template, status=429, wrong=LATE)
        late.headers["Retry-After"] = str(max(1, int((tries[0] + WINDOW - now).total_seconds())))
        return late
    tries.append(now)
    log.warning("web: a try did not sign in")
    return page(request, template, status=403, wrong=why)
