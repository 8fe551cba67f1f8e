"""Search as one types, and why something is remembered."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from memory import Filter, Hit, Recalled
from memory.notes import unlinked
from memory.tools import ALONE, Origins, Why, around, origin_sentence, with_sources

from ..chat.lookup.excerpt import excerpt
from ..turn.incognito import without_embedding
from . import days, notes
from .frame.pages import Console, console_of, day_of, page, query_value

HITS = 12
LEAST = 0.005  # score; what would be shown as 0 % is left out where there is anything better
LONGEST = 600  # characters of a passage
CONTEXT = 160  # characters of the message before or after it
_MARKUP = re.compile(r"\*\*|__|^#{1,6} ", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*[-*+] ", re.MULTILINE)
FILTERS: dict[str, tuple[Filter, str]] = {
    "all": ("all", "everything"),
    "conversations": ("conversations", "what we said"),
    "knowledge": ("knowledge", "notes and facts"),
}


@dataclass(frozen=True, slots=True)
class FoundHit:
    """One hit as shown. `leads`: the link to its day or note; `why`: the query of /why."""

    hit: Hit
    pieces: list[tuple[str, bool]]
    context: list[str]
    leads: str
    query: dict[str, object]
    why: dict[str, object]


async def search(request: Request) -> Response:
    """Show the hits: for the whole question, or, while typing, those that have its words."""
    console = console_of(request)
    words = query_value(request, "q")
    typing = bool(query_value(request, "typing"))
    since, until = day_of(query_value(request, "since")), day_of(query_value(request, "until"))
    chosen = query_value(request, "in") if query_value(request, "in") in FILTERS else "all"
    found = Recalled(words, "none")
    if words:
        # Partial input is never embedded: each letter would cost money and reveal a lot.
        with without_embedding(typing):
            found = await console.memory.recall(
                words,
                limit=HITS,
                filter=FILTERS[chosen][0],
                since=since,
                until=until,
                private=True,  # the owner asks himself, and no model sees the answer
                now=console.clock(),
                # The last word may be half typed: what fits the others stays.
                wordings=(words.rpartition(" ")[0],) if typing and " " in words else (),
            )
    nearest = not found.hits and bool(query_value(request, "nearest"))
    hits = [hit for hit in found.hits if hit.score >= LEAST] or found.hits
    rows = await _shown(console, found.nearest if nearest else hits, words)
    return page(
        request,
        "hits.html" if typing else "search.html",
        words=words,
        typing=typing,
        rows=rows,
        weak=found.is_weak or nearest,
        degraded="" if typing else found.degraded or "",
        more=bool(found.nearest) and not nearest and not typing,
        since=since.isoformat() if since else "",
        until=until.isoformat() if until else "",
        chosen=chosen,
        filters={name: title for name, (_, title) in FILTERS.items()},
    )


async def _shown(console: Console, hits: list[Hit], words: str) -> list[FoundHit]:
    memory = console.memory
    hits = await with_sources(hits, memory.log)
    near = await around(hits, memory.log.messages)
    return [
        FoundHit(
            hit,
            excerpt(_BULLET.sub("• ", _MARKUP.sub("", unlinked(hit.dated_text))), words, LONGEST),
            near.get(hit.chunk_id, ALONE).lines(CONTEXT, "You"),
            *_leads(hit, words),
        )
        for hit in hits
    ]


def _leads(hit: Hit, words: str) -> tuple[str, dict[str, object], dict[str, object]]:
    """Return the address of the page with a hit, its query, and the query of /why."""
    if hit.is_message:
        id_, day = hit.message_ids[0], hit.path.removeprefix("log/")
        return f"/days/{day}#m{id_}", {}, {"message": id_}
    place = {"path": hit.path, "from": hit.start_line, "to": hit.end_line}
    return "/note", {"path": hit.path}, {**place, "words": words}


async def why(request: Request) -> Response:
    """Show where something comes from: the lines, and the messages behind them."""
    console = console_of(request)
    origins = Origins(console.memory, private=True, now=console.clock())
    words, path, id_ = (
        query_value(request, "words"),
        query_value(request, "path"),
        query_value(request, "message"),
    )
    found: list[Why] = []
    if id_.isdecimal():
        found = await origins.of_message(int(id_))
    elif path and await notes.readable(console.memory, path) is not None:
        first, last = (_number(query_value(request, name)) for name in ("from", "to"))
        found = await origins.of_passage(path, first, max(first, last), words)
    elif words and not path:
        found = await origins.of_words(words)
    rows = [
        (replace(each, messages=tuple(filter(days.shown, each.messages))), origin_sentence(each))
        for each in found
    ]
    return page(request, "why.html", words=words, rows=rows)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 8 else 1


ROUTES = (Route("/search", search), Route("/why", why))
