"""Sign in as a Telegram Mini App, for an owner who opens the console with the chat's button."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ..inbox import telegram_users
from ..settings import Settings
from .frame.guard import visit_of
from .frame.pages import console_of, page
from .init_data import NotTelegrams, opened
from .sign_in import refuse, with_session

TEMPLATE = "mini_app.html"
AGAIN = (
    "This did not come from Telegram just now. Close it, and open it again from your chat with Sam."
)
STRANGER = "This is somebody else's memory: you are signed in to Telegram with another account."
NO_BOT = "Sam has no bot here: TELEGRAM_BOT_TOKEN is not set."


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
