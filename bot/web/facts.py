"""The facts: by category, single ones with their sources, and earlier ones."""

from __future__ import annotations

import contextlib
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from memory import EditRefused, KnownFact, LockHeld, MemoryTools, NoteMissing
from memory.notes import fact as fact_line
from memory.notes import plain
from memory.text import one_line
from memory.tools import Origins

from ..chat.review.facts import why_none
from . import days, notes
from .frame.guard import visit_of
from .frame.pages import Console, console_of, page, query_value, redirect

MOST = 2000  # facts on one page
TITLES = {
    "biographical": "About you",
    "preference": "What you like",
    "relationship": "People",
    "task": "What you are at",
    "contextual": "For a while",
    fact_line.RULE: "Rules for Sam",
}
GONE = "That fact no longer exists. It may have been replaced: see “Earlier facts”."


async def listing(request: Request) -> Response:
    """Show the facts that hold today, by category."""
    console = console_of(request)
    words, category = query_value(request, "q"), query_value(request, "category")
    # `private`: the owner asks himself, and no model sees the answer.
    known = await console.memory.knowledge.facts(words=words, private=True, limit=MOST)
    found = await _unsealed(console, known)
    names = dict.fromkeys(
        (*fact_line.CATEGORIES, fact_line.RULE, *(each.category for each in found))
    )
    groups = {
        name: [each for each in found if each.category == name]
        for name in names
        if category in ("", name)
    }
    return page(
        request,
        "facts.html",
        words=words,
        category=category,
        groups={title_of(name): facts for name, facts in groups.items() if facts},
        categories={name: title_of(name) for name in names},
        text=text_of,
        waiting=await console.memory.knowledge.waiting(),
        nothing=await why_none(console.profile),
    )


async def past(request: Request) -> Response:
    """Show the facts that were so before."""
    found = await console_of(request).memory.knowledge.past()
    return page(request, "past.html", facts=found[:MOST], text=text_of, title_of=title_of)


async def one(request: Request) -> Response:
    """Show one fact: its actions, its sources, and the facts that it replaced."""
    console = console_of(request)
    known = await _known(console, request.path_params["id"])
    origins = Origins(console.memory, private=True, now=console.clock())
    sources = await origins.of_passage(known.path, known.number, known.number)
    before = [each for each in await console.memory.knowledge.past() if _replaced(each, known)]
    return page(
        request,
        "fact.html",
        known=known,
        text=text_of,
        title=title_of(known.category),
        why=[replace(each, messages=tuple(filter(days.shown, each.messages))) for each in sources],
        before=before,
    )


def _replaced(old: KnownFact, by: KnownFact) -> bool:
    """Return whether the archived fact was replaced by the other, as the links of either say."""
    ends = (f"^{by.fact.id}]]", f"^{old.fact.id}]]")
    return ends[0] in old.fact.get("superseded_by") or (
        old.fact.id is not None and ends[1] in by.fact.get("supersedes")
    )


async def edit(request: Request) -> Response:
    """Edit a fact, which makes it the owner's own line, and pinned."""
    console, visit = console_of(request), visit_of(request)
    known = await _known(console, request.path_params["id"])
    text = one_line(visit.form_value("text")).strip()
    if not text:
        raise EditRefused("A fact cannot be empty. To remove it, forget it.")
    if visit.form_value("was") != known.fact.text:
        raise EditRefused(
            "This fact has changed in the meantime: check it again before you edit it."
        )
    await _write(console, known, fact_line.render(replace(known.fact, text=text)))
    return redirect(request, f"/facts/{known.fact.id}", "Changed. Sam keeps it as you wrote it.")


async def pin(request: Request) -> Response:
    """Pin a fact: only the owner may change it from then on."""
    console = console_of(request)
    known = await _known(console, request.path_params["id"])
    await console.memory.knowledge.pin(str(known.fact.id))
    return redirect(request, f"/facts/{known.fact.id}", "Pinned: only you can change it.")


async def retire(request: Request) -> Response:
    """Move a fact that is no longer true to the archive."""
    console = console_of(request)
    known = await _known(console, request.path_params["id"])
    await console.memory.knowledge.retire(str(known.fact.id), reason="the owner says so")
    return redirect(request, "/facts/before", "Moved to earlier facts.")


async def _write(console: Console, known: KnownFact, line: str) -> None:
    """Replace the fact's line, as the tool `edit_memory` does for a model."""
    tools = MemoryTools(console.memory, now=console.clock)
    await tools.edit_memory(known.path, known.fact.line, line)
    # A summary that is being written now does this itself.
    with contextlib.suppress(LockHeld):
        await console.memory.knowledge.learn()


async def _known(console: Console, id_: str) -> KnownFact:
    """Return the fact of that id. Raises NoteMissing."""
    known = await console.memory.knowledge.find(id_)
    if known is None or not await _unsealed(console, [known]):
        raise NoteMissing(GONE)
    return known


async def _unsealed(console: Console, found: list[KnownFact]) -> list[KnownFact]:
    """Return the facts that are not in sealed notes."""
    may = {
        path: await notes.readable(console.memory, path) is not None
        for path in dict.fromkeys(each.path for each in found)
    }
    return [each for each in found if may[each.path]]


def text_of(known: KnownFact) -> str:
    """Return the text of a fact, without markup."""
    return one_line(plain(known.fact.text))


def title_of(category: str) -> str:
    return TITLES.get(category, category.replace("-", " ").capitalize())


ROUTES = (
    Route("/facts", listing),
    Route("/facts/before", past),
    Route("/facts/{id}", one),
    Route("/facts/{id}/edit", edit, methods=["POST"]),
    Route("/facts/{id}/pin", pin, methods=["POST"]),
    Route("/facts/{id}/retire", retire, methods=["POST"]),
)
