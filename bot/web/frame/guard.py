"""Check the host, origin, session and CSRF token of every request; set security headers.

It wraps the entire application, so no page and no action can bypass it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...chat.web_access import MINI_APP, WebAccess

SIGN_IN = "/sign-in"
ENTRANCES = (SIGN_IN, MINI_APP)
STATIC = "/static/"
FORM_BYTES = 256_000  # from anybody
OWNERS_FORM_BYTES = 20_000_000  # of somebody signed in: /forget lists each exchange of years
FORM_FIELDS = 100_000
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self';"
        " frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    # Not `no-referrer`: browsers would then send `Origin: null` with each form.
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-Robots-Tag": "noindex",
}

Form = dict[str, list[str]]


class Refused(Exception):
    """The request is rejected with this status and message."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


@dataclass(frozen=True, slots=True)
class Visit:
    """An admitted request: its session's token ("" without a session), and its form."""

    session: str
    form: Form

    @property
    def csrf(self) -> str:
        """Return the CSRF token for this session's forms; nobody derives it without the cookie."""
        return hmac.new(self.session.encode(), b"form", hashlib.sha256).hexdigest()

    def form_value(self, name: str) -> str:
        """Return the first value of that form field, or ""."""
        return next(iter(self.form.get(name, [])), "")


class Guard:
    """ASGI middleware. `origins`: where the console is served, like `http://127.0.0.1:8765`;
    requests to any other host are rejected, which prevents DNS rebinding. `state`: is added to the
    state of each request, in addition to its `visit`."""

    def __init__(
        self, app: ASGIApp, access: WebAccess, origins: frozenset[str], state: Mapping[str, object]
    ) -> None:
        self._app, self._access, self._state = app, access, state
        self._origins = {each.partition("://")[2]: each for each in sorted(origins)}
        self._all = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or reject it."""
        if scope["type"] != "http":
            return
        path = scope["path"]

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                static = path.startswith(STATIC)
                headers["Cache-Control"] = "no-cache" if static else "no-store"
            await send(message)

        answer: Response | None = None
        try:
            visit = await self._admit(Request(scope, receive))
            scope["state"] = {**self._state, "visit": visit}
            if not (visit.session or path in ENTRANCES or path.startswith(STATIC)):
                answer = RedirectResponse(SIGN_IN, 303)
        except Refused as refused:
            answer = PlainTextResponse(f"{refused.why}\n", refused.status)
        await (answer or self._app)(scope, receive, sent)

    async def _admit(self, request: Request) -> Visit:
        """Check the request; return its session and form. Raises Refused."""
        hosts = Headers(scope=request.scope).getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._origins:
            raise Refused(421, "This host is not served here: set WEB_URL to its address.")
        session = request.cookies.get(self._access.cookie_name(self.is_secure(request)), "")
        if session and not self._access.is_open(session):
            session = ""
        if request.method in ("GET", "HEAD"):
            return Visit(session, {})
        if request.method != "POST":
            raise Refused(405, "Only GET, HEAD and POST are supported.")
        origin = request.headers.get("origin", "").lower()
        if origin not in self._all or origin.partition("://")[2] != hosts[0].lower():
            raise Refused(403, "This form comes from another page: open the console again.")
        most = OWNERS_FORM_BYTES if session else FORM_BYTES
        visit = Visit(session, await _form(request, most))
        if request.url.path in ENTRANCES:
            return visit
        if not session:
            raise Refused(401, "You are signed out: open the console with a new link.")
        if not hmac.compare_digest(visit.form_value("csrf").encode(), visit.csrf.encode()):
            raise Refused(403, "This form is out of date: load the page again.")
        return visit

    def is_secure(self, request: Request) -> bool:
        """Return whether the request was sent to an https address of the console."""
        origin = self._origins.get(request.headers.get("host", "").lower(), "")
        return origin.startswith("https://")


def visit_of(request: Request) -> Visit:
    """Return the guard's result for the request."""
    visit = request.state.visit
    assert isinstance(visit, Visit), "every request passes the guard"
    return visit


async def _form(request: Request, most: int) -> Form:
    """Read a form's fields. Raises Refused if it is not a form, or has more bytes than `most`."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise Refused(415, "Only forms are accepted.")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise Refused(413, "This form is too large.")
    try:
        return parse_qs(
            body.decode(), keep_blank_values=True, max_num_fields=FORM_FIELDS, errors="strict"
        )
    except ValueError:
        raise Refused(400, "This form cannot be read.") from None
