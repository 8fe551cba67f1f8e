"""Forget something for good: list everything that is kept about it, then delete the selection."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from memory import EditRefused
from memory.maintenance import ForgetChoice, KeptItems

from ..chat.forgetting import erase
from ..chat.forgetting.erase import Listed
from .frame.guard import visit_of
from .frame.pages import console_of, page, query_value


async def preview(request: Request) -> Response:
    """List what is kept about some words, with checkboxes. Nothing is changed."""
    console, words = console_of(request), query_value(request, "words")
    settings, memory = console.profile.settings, console.memory
    listed = await erase.find_kept(settings, memory, words) if words else Listed(KeptItems((), ()))
    single = [
        *(Listed(KeptItems((item,), ())) for item in listed.kept.items),
        *(Listed(KeptItems((), ()), (update,)) for update in listed.updates),
    ]
    items = []
    for each in single:
        head, *made = erase.listing(each, memory.zone)
        box = json.dumps(each.choice().argument())
        items.append((head.removeprefix("1. "), [row.strip() for row in made], box))
    return page(
        request,
        "forget.html",
        words=words,
        items=items,
        yours=listed.kept.yours,
        beyond=erase.out_of_reach(settings, console.memory.profile.name, console.clock()),
    )


async def forget(request: Request) -> Response:
    """Forget the selection, as it was shown, and report what was deleted and what is left."""
    console, visit = console_of(request), visit_of(request)
    settings = console.profile.settings
    chosen = [_chosen(each) for each in visit.form.get("item", [])]
    if not chosen:
        raise EditRefused("You chose nothing, so nothing was forgotten.")
    if not visit.form_value("sure"):
        raise EditRefused("Nothing was forgotten: tick the box to confirm that you are sure.")
    every = erase.Chosen(
        ForgetChoice(
            {id_: hash_ for each in chosen for id_, hash_ in each.choice.messages.items()},
            frozenset(line for each in chosen for line in each.choice.lines),
        ),
        tuple(update for each in chosen for update in each.updates),
    )
    done = await erase.forget(settings, console.memory, every)
    rows = erase.receipt(done, settings, console.memory.profile.name, console.clock())
    return page(request, "forgotten.html", rows=rows, nothing=done.nothing)


def _chosen(item: str) -> erase.Chosen:
    """Read one box. Raises EditRefused."""
    try:
        return erase.Chosen.of(json.loads(item))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise EditRefused("This form is out of date: search for the words again.") from None


ROUTES = (
    Route("/forget", preview, methods=["GET"]),
    Route("/forget", forget, methods=["POST"]),
)
