"""Sign in as a Telegram Mini App, for an owner who opens the console with the chat's button."""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ..chat.web_access import LINK_LIFE
from ..inbox import telegram_users
from ..settings import Settings
from .frame.guard import visit_of
from .frame.pages import console_of, page
from .sign_in import refuse, with_session

LIFE = LINK_LIFE
AHEAD = timedelta(minutes=1)  # by which Telegram's clock may be ahead of ours
LONGEST = 8_000  # characters
TEMPLATE = "mini_app.html"
AGAIN = (
    "This did not come from Telegram just now. Close it, and open it again from your chat with Sam."
)
STRANGER = "This is somebody else's memory: you are signed in to Telegram with another account."
NO_BOT = "Sam has no bot here: TELEGRAM_BOT_TOKEN is not set."


class NotTelegrams(Exception):
    """It was not written by Telegram for this bot, or is too old."""


@dataclass(frozen=True, slots=True)
class Opened:
    """Who opened the Mini App; `proof` is another one each time."""

    user_id: int
    proof: str


def opened(init_data: str, token: str, now: datetime) -> Opened:
    """Return who opened it. Raises NotTelegrams."""
    try:
        pairs = parse_qsl(
            init_data[:LONGEST], keep_blank_values=True, strict_parsing=True, errors="strict"
        )
    except ValueError:
        raise NotTelegrams from None
    fields = dict(pairs)
    proof = fields.pop("hash", "")
    if len(fields) != len(pairs) - 1 or not hmac.compare_digest(
        _signature(fields, token), proof.encode("utf-8", "replace")
    ):
        raise NotTelegrams
    try:
        at = datetime.fromtimestamp(int(fields["auth_date"]), UTC)
        user_id = json.loads(fields["user"])["id"]
    except (KeyError, ValueError, TypeError, OverflowError, OSError):
        raise NotTelegrams from None
    if type(user_id) is not int or not now - LIFE <= at <= now + AHEAD:
        raise NotTelegrams
    return Opened(user_id, proof)


def _signature(fields: dict[str, str], token: str) -> bytes:
    secret = hmac.new(b"WebAppData", token.encode(), hashlib.sha256).digest()
    lines = "\n".join(f"{name}={fields[name]}" for name in sorted(fields))
    return hmac.new(secret, lines.encode(), hashlib.sha256).hexdigest().encode()


async def mini_app(request: Request) -> Response:
    """Serve the page that sends Telegram's signed data; exchange that data, once, for a session."""
    visit, console = visit_of(request), console_of(request)
    if request.method != "POST":
        return page(request, TEMPLATE, wrong="")
    settings: Settings = console.profile.settings
    if settings.telegram_bot_token is None:
        return refuse(request, TEMPLATE, NO_BOT)
    token = settings.telegram_bot_token.get_secret_value()
    try:
        who = opened(visit.form_value("data"), token, console.clock())
    except NotTelegrams:
        return refuse(request, TEMPLATE, AGAIN)
    users = await telegram_users(settings, console.clock)
    if users.get(who.user_id) != console.profile.name:
        # Several Telegram accounts on one device share cookies.
        await console.access.end(visit.session)
        return refuse(request, TEMPLATE, STRANGER)
    session = await console.access.admit(who.proof)
    if session is not None:
        return with_session(request, session)
    if visit.session:  # the page was reloaded
        return RedirectResponse("/days", 303)
    return refuse(request, TEMPLATE, AGAIN)
