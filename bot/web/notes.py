"""One note of the vault, as it may be shown to its owner: never a sealed or excluded one."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from memory import Memory, NoteMissing
from memory.notes import privacy, split_front_matter

from .. import pictures
from .frame import markdown
from .frame.pages import console_of, page, query_value

GONE = "There is no such note, or it is sealed: only you can read it, in your editor."


async def readable(memory: Memory, path: str) -> str | None:
    """Return the note's text; None if there is none, or it must not be shown."""
    return await asyncio.to_thread(pictures.readable, memory, path)


async def one(request: Request) -> Response:
    """Show a note."""
    path = query_value(request, "path")
    text = await readable(console_of(request).memory, path)
    if text is None:
        raise NoteMissing(GONE)
    fields, body, _ = split_front_matter(text)
    return page(
        request,
        "note.html",
        path=path,
        note=markdown.note(body),
        private=privacy(text) != "normal",
        fields={name: value for name, value in fields.items() if isinstance(value, str)},
    )


ROUTES = (Route("/note", one),)
