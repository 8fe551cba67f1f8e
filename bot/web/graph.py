"""A graph of names and days: what is named together, in facts and in the notes of days."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from dataclasses import dataclass
from datetime import date

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..pictures import HEIGHT, WIDTH, Names, Sort, chosen, layout, mentions
from .frame.pages import console_of, page, query_value

MOST = 40  # nodes in the picture
MENTIONS = 30  # lines below the picture


@dataclass(frozen=True, slots=True)
class Node:
    """A name or a day in the picture. `weight`: the lines that name it."""

    key: str
    sort: Sort
    weight: int
    x: float
    y: float

    @property
    def radius(self) -> float:
        """How large it is drawn."""
        return round(5 + 3.2 * math.sqrt(min(self.weight, 40)), 1)


async def show(request: Request) -> Response:
    """Show the names that occur together most often, or those around one of them."""
    console = console_of(request)
    about, today = query_value(request, "about"), console.now.date()
    names = await asyncio.to_thread(Names, await mentions(console.memory, today))
    edges = names.edges()
    about = about if about in names.of else ""
    keys = chosen(names, edges, MOST, about)
    inside = {pair: n for pair, n in edges.items() if pair[0] in keys and pair[1] in keys}
    placed = await asyncio.to_thread(layout, keys, inside)
    nodes = [Node(key, names.sort(key), len(names.of[key]), *placed[key]) for key in keys]
    near = names.near(about, edges) if about else Counter[str]()
    rows = sorted(names.of.get(about, []), key=lambda each: each.day or date.min, reverse=True)
    return page(
        request,
        "graph.html",
        about=about,
        sort=names.sort(about) if about else "",
        nodes=sorted(nodes, key=lambda node: -node.weight),
        edges=[(*placed[a], *placed[b], n, about in (a, b)) for (a, b), n in inside.items()],
        near=near,
        mentions=rows[:MENTIONS],
        width=WIDTH,
        height=HEIGHT,
    )


ROUTES = (Route("/graph", show),)
