"""A graph of names and days that are mentioned together in facts and day notes.

A name is a link (`[[Ana]]`), or a word with a capital letter that stands so inside of a sentence.
One with "in", "at", "to" or the like before it, half of the times or more, is shown as a place.
Lines that no model may see unasked are left out.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import combinations
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from memory import Memory, SamError
from memory.notes import fact as fact_line
from memory.notes import redaction
from memory.text import STOP_WORDS, clipped, one_line

from . import notes
from .frame.pages import asked, console_of, page

Sort = Literal["name", "place", "day"]
Pair = tuple[str, str]

MOST = 40  # nodes in the picture
DAYS_BACK = 400  # notes of days that are read, the latest
MENTIONS = 30  # lines below the picture
ROUNDS = 150  # of the layout
WIDTH, HEIGHT, EDGE = 720, 560, 46

_BEFORE_PLACE = re.compile(r"\b(?:in|at|to|from|near|nach|aus|à|en|em|w)$", re.I)
_DAY_NAME = re.compile(r"\d{4}-\d{2}-\d{2}")
_LINK = re.compile(r"\[\[([^\[\]|#^\n]{1,80})(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]")
_CAPITAL = r"[^\W\d_a-zß-öø-ÿ][^\W\d_]+"
_NAMED = re.compile(rf"(?<![\w.])({_CAPITAL}(?:[ -]{_CAPITAL}){{0,2}})")
_STARTS = re.compile(r"(?:^|[.!?:;…“”\"(]\s*|[-*+]\s+|\b(?:Summary|Action|Note)\b:?\s*)$")
_CALENDAR = frozenset(
    {
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        *("january", "february", "march", "april", "may", "june", "july", "august"),
        *("september", "october", "november", "december"),
        *("sam", "action", "summary", "note", "remembered", "user", "owner", "ok"),
    }
)
"""Capitalised words that are not names."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A line that names something. `day`: of the note, or on which the fact was last said."""

    text: str
    path: str
    day: date | None


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


class Names:
    """The names in some lines, and which occur together."""

    def __init__(self, mentions: Iterable[Mention]) -> None:
        self.of: dict[str, list[Mention]] = defaultdict(list)
        self._placed: Counter[str] = Counter()
        self._days: dict[str, date] = {}
        rows = list(mentions)
        known = {name for each in rows for name, inside in _names(each.text) if inside}
        for each in rows:
            found = {name for name, _ in _names(each.text)} & known
            for name in found:
                self.of[name].append(each)
            self._placed.update(_places(each.text, found))
            if each.day is not None and found:
                key = each.day.isoformat()
                self._days[key] = each.day
                self.of[key].append(each)

    def sort(self, key: str) -> Sort:
        """Return the type of the key."""
        if key in self._days:
            return "day"
        return "place" if 2 * self._placed[key] >= len(self.of[key]) else "name"

    def edges(self) -> Counter[Pair]:
        """Count for each two the lines that name both; a day is named by each of its lines."""
        together: dict[int, set[str]] = defaultdict(set)
        for key, rows in self.of.items():
            for row in rows:
                together[id(row)].add(key)
        return Counter(
            (a, b) for keys in together.values() for a, b in combinations(sorted(keys), 2)
        )

    def near(self, key: str, edges: Mapping[Pair, int]) -> Counter[str]:
        """Count the lines that name each other key together with this one."""
        return Counter({b if a == key else a: n for (a, b), n in edges.items() if key in (a, b)})


def _names(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each name in a line, and whether it is sure to be one: a link, or a word with a capital
    letter that stands inside of a sentence."""
    for match in _LINK.finditer(text):
        name = match[1].rpartition("/")[2].removesuffix(".md").strip()
        if name and not _DAY_NAME.search(name):
            yield name, True
    bare = _LINK.sub(" ", text)
    for match in _NAMED.finditer(bare):
        name, starts = match[1], bool(_STARTS.search(bare[: match.start()]))
        first, _, rest = name.partition(" ")
        if starts and rest:  # "Met Ana": the first word has its capital letter from the sentence
            yield from ((part, part is rest) for part in (first, rest) if _may_name(part))
        elif _may_name(name):
            yield name, not starts


def _may_name(words: str) -> bool:
    parts = {word.casefold() for word in words.split(" ")}
    return len(words) > 2 and not parts & (STOP_WORDS | _CALENDAR)


def _places(text: str, names: Collection[str]) -> Iterator[str]:
    for name in names:
        at = text.find(name)
        if at > 0 and _BEFORE_PLACE.search(text[:at].rstrip("[ ")):
            yield name


def layout(keys: Collection[str], edges: Mapping[Pair, int]) -> dict[str, tuple[float, float]]:
    """Place the nodes by their forces: all repel each other, edges draw together (Fruchterman and
    Reingold 1991). The same graph gives the same picture."""
    import numpy as np

    order = sorted(keys)
    count = len(order)
    if count < 2:
        return {key: (WIDTH / 2, HEIGHT / 2) for key in order}
    at = {key: number for number, key in enumerate(order)}
    turn = 2.399963 * np.arange(count)  # the golden angle: an even start
    place = np.sqrt(np.arange(1, count + 1) / count)[:, None] * np.stack(
        [np.cos(turn), np.sin(turn)], axis=1
    )
    pull = np.zeros((count, count))
    for (a, b), weight in edges.items():
        if a in at and b in at:
            pull[at[a], at[b]] = pull[at[b], at[a]] = 1 + math.log(weight)
    ideal = 1.4 / math.sqrt(count)
    for number in range(ROUNDS):
        apart = place[:, None, :] - place[None, :, :]
        far = np.maximum(np.sqrt((apart**2).sum(axis=2)), 1e-3)
        force = ideal**2 / far - pull * far**2 / ideal
        np.fill_diagonal(force, 0)
        move = (apart / far[:, :, None] * force[:, :, None]).sum(axis=1) - place * ideal
        size = np.maximum(np.sqrt((move**2).sum(axis=1)), 1e-9)
        heat = 0.12 * (1 - number / ROUNDS)
        place = place + move / size[:, None] * np.minimum(size, heat)[:, None]
    low, high = place.min(axis=0), place.max(axis=0)
    span = np.maximum(high - low, 1e-9)
    scaled = (place - low) / span * [WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE] + EDGE
    return {
        key: (round(float(x), 1), round(float(y), 1))
        for key, (x, y) in zip(order, scaled, strict=True)
    }


async def show(request: Request) -> Response:
    """Show the names that occur together most often, or those around one of them."""
    console = console_of(request)
    about, today = asked(request, "about"), console.now.date()
    mentions = await _mentions(console.memory, today)
    names = await asyncio.to_thread(Names, mentions)
    edges = names.edges()
    about = about if about in names.of else ""
    keys = _chosen(names, edges, about)
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


def _chosen(names: Names, edges: Mapping[Pair, int], about: str) -> list[str]:
    """Return the nodes of the graph: the most frequent names, with the days of their mentions."""
    if about:
        return [about, *(key for key, _ in names.near(about, edges).most_common(MOST - 1))]
    strong = Counter({key: len(rows) for key, rows in names.of.items()})
    every = [key for key, _ in strong.most_common()]
    people = [key for key in every if names.sort(key) != "day"][: MOST * 2 // 3]
    days = [key for key in every if names.sort(key) == "day"][: MOST - len(people)]
    return people + days


async def _mentions(memory: Memory, today: date) -> list[Mention]:
    found = [
        Mention(one_line(each.fact.text), each.path, each.fact.updated)
        for each in await memory.knowledge.facts(limit=5000)  # without sensitive ones
    ]
    return found + await asyncio.to_thread(_of_days, memory, today)


def _of_days(memory: Memory, today: date) -> list[Mention]:
    """Return the lines of the latest day notes; runs in a thread."""
    folder = memory.day_path(today).rpartition("/")[0]
    found = []
    paths = sorted((note.path for note in memory.vault.notes()), reverse=True)
    for path in [p for p in paths if p.rpartition("/")[0] == folder][:DAYS_BACK]:
        day = _DAY_NAME.search(path.rpartition("/")[2])
        try:
            text = notes.load(memory, path)
        except SamError:
            continue  # unreadable, which `sam doctor` reports
        if text is None or day is None:
            continue
        hidden = redaction.withheld(text, path, memory.vault.sam_dir)
        rows = redaction.written(text)
        for number, row in enumerate(rows, 1):
            if number not in hidden and row.lstrip().startswith(("- ", "* ")):
                made = fact_line.parse(row)
                said = made.text if made else row
                found.append(Mention(clipped(one_line(said), 400), path, _date(day[0])))
    return found


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


ROUTES = (Route("/graph", show),)
