"""A graph of names and days: what is named together, in facts and in the notes of days."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from memory.text import clipped

from ..pictures import HEIGHT, WIDTH, Names, Pair, Sort, apart, chosen, layout, mentions
from .frame.pages import console_of, page, query_value

MOST = 40  # nodes in the picture
MENTIONS = 30  # lines below the picture
LETTER, LINE = 12, 27  # of a label on a phone: width and height, in the units of the picture
LONGEST = 22  # characters of a label; the list has the whole name


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

    @property
    def label(self) -> str:
        """What stands above it."""
        return self.key[5:] if self.sort == "day" else clipped(self.key, LONGEST)

    @property
    def room(self) -> tuple[float, float, float]:
        """The box of the circle and its label: half of its width, above and below the center."""
        half = max(self.radius, len(self.label) * LETTER / 2)
        return half, self.radius + LINE, self.radius


async def show(request: Request) -> Response:
    """Show the names that occur together most often, or those around one of them."""
    console = console_of(request)
    about, today = query_value(request, "about"), console.now.date()
    names = await asyncio.to_thread(Names, await mentions(console.memory, today))
    edges = names.edges()
    about = about if about in names.of else ""
    keys = chosen(names, edges, MOST, about)
    inside = {pair: n for pair, n in edges.items() if pair[0] in keys and pair[1] in keys}
    nodes = await asyncio.to_thread(_placed, keys, names, inside)
    placed = {node.key: (node.x, node.y) for node in nodes}
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


def _placed(keys: Sequence[str], names: Names, edges: Mapping[Pair, int]) -> list[Node]:
    """Return the nodes where they and their labels neither overlap nor leave the picture."""
    found = layout(keys, edges)
    nodes = [Node(key, names.sort(key), len(names.of[key]), *found[key]) for key in keys]
    moved = apart(found, {node.key: node.room for node in nodes}, (WIDTH, HEIGHT))
    return [replace(node, x=moved[node.key][0], y=moved[node.key][1]) for node in nodes]


ROUTES = (Route("/graph", show),)
