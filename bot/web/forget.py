"""Forget something for good: list everything that is kept about it, then delete the selection."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from memory import EditRefused
from memory.maintenance import KeptItems

from ..chat.forgetting.choice import Chosen, Listed
from ..chat.forgetting.erase import erase_choice
from ..chat.forgetting.find import find_kept
from ..chat.forgetting.wording import described, out_of_reach, receipt
from .frame.guard import visit_of
from .frame.pages import console_of, page, query_value


async def preview(request: Request) -> Response:
    """List what is kept about some words, with checkboxes. Nothing is changed."""
    console, words = console_of(request), query_value(request, "words")
    settings, memory = console.profile.settings, console.memory
    listed = await find_kept(settings, memory, words) if words else Listed(KeptItems((), ()))
    items = [
        (title, made, json.dumps(listed.choice([number]).argument()))
        for number, (title, made) in enumerate(described(listed, memory.zone), 1)
    ]
    return page(
        request,
        "forget.html",
        words=words,
        items=items,
        yours=listed.kept.yours,
        beyond=out_of_reach(settings, memory),
    )


async def forget(request: Request) -> Response:
    """Forget the selection, as it was shown, and report what was deleted and what is left."""
    console, visit = console_of(request), visit_of(request)
    settings, memory = console.profile.settings, console.memory
    chosen = [_chosen(each) for each in visit.form.get("item", [])]
    if not chosen:
        raise EditRefused("You chose nothing, so nothing was forgotten.")
    if not visit.form_value("sure"):
        raise EditRefused("Nothing was forgotten: tick the box to confirm that you are sure.")
    done = await erase_choice(settings, memory, Chosen.together(chosen))
    rows = receipt(done, settings, memory)
    return page(request, "forgotten.html", rows=rows, nothing=done.nothing)


def _chosen(item: str) -> Chosen:
    """Read one box. Raises EditRefused."""
    try:
        return Chosen.of(json.loads(item))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise EditRefused("This form is out of date: search for the words again.") from None


ROUTES = (
    Route("/forget", preview, methods=["GET"]),
    Route("/forget", forget, methods=["POST"]),
)
