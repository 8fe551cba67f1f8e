"""Draw a map of what Sam knows: names, places and days, with related ones near each other."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from memory import Memory
from memory.text import clipped, day_month, mark, tn, tr

from .canvas import COLOURS, INK, SOFT, Canvas, drawable_language, is_drawable
from .layout import HEIGHT, WIDTH, apart, layout
from .names import Names, Pair, Sort, chosen, mentions

MOST = 24  # names and days: more cannot be read on a phone
NEAREST = 3  # names listed for each name in words
IN_WORDS = 8  # names listed in words
LONGEST = 22  # characters of a name
HEAD, FOOT = 72, 64
TITLE, NAME, DAY, KEY = 30, 24, 19, 21  # font sizes: a phone shows half of them
HEADINGS: Mapping[Sort, str] = {
    "name": mark("names"),
    "place": mark("places"),
    "day": mark("days"),
}


@dataclass(frozen=True, slots=True)
class KnowledgeMap:
    """What is on the map. `weights`: the number of lines that name each key, largest first."""

    weights: Mapping[str, int]
    sorts: Mapping[str, Sort]
    edges: Mapping[Pair, int]
    about: str = ""

    def near(self, key: str) -> list[str]:
        """Return the names that occur with the key, most frequent first, without days."""
        counts = Names.near(key, self.edges)
        return [each for each, _ in counts.most_common() if self.sorts[each] != "day"]


async def read_map(memory: Memory, today: date, about: str = "") -> KnowledgeMap:
    """Build the map from facts and daily notes. `about`: only the surroundings of this name."""
    found = await mentions(memory, today)
    return await asyncio.to_thread(lambda: map_names(Names(found), about))


def map_names(names: Names, about: str = "") -> KnowledgeMap:
    """Return the map of some names; empty if `about` is not among them."""
    wanted = about.casefold()
    found = next((key for key in names.of if key.casefold() == wanted), "")
    if about and not found:
        return KnowledgeMap({}, {}, {}, about)
    edges = names.edges()
    keys = chosen(names, edges, MOST, found)
    weights = {key: len(names.of[key]) for key in keys}
    inside = {pair: n for pair, n in edges.items() if pair[0] in weights and pair[1] in weights}
    strongest = sorted(keys, key=lambda key: (key != found, -weights[key], key))
    return KnowledgeMap(
        {key: weights[key] for key in strongest},
        {key: names.sort(key) for key in strongest},
        inside,
        found,
    )


@drawable_language()
def png(seen: KnowledgeMap) -> bytes:
    """Draw the map. A name that the font lacks glyphs for is shown by its number in `numbered`."""
    canvas = Canvas(WIDTH, HEIGHT + HEAD + FOOT)
    title = tr("What I know")
    if seen.about and is_drawable(seen.about):
        title = tr("Around {about}", about=clipped(seen.about, LONGEST))
    canvas.text(28, 48, title, TITLE, bold=True)
    numbers = numbered(seen)
    labels = {
        key: f"#{numbers[key]}" if key in numbers else _shown(key, seen.sorts[key])
        for key in seen.weights
    }
    rooms = {key: _room(canvas, labels[key], seen, key) for key in seen.weights}
    placed = apart(layout(list(seen.weights), seen.edges), rooms, (WIDTH, HEIGHT))
    places = {key: (x, y + HEAD) for key, (x, y) in placed.items()}
    for (a, b), count in seen.edges.items():
        canvas.line(places[a], places[b], min(1 + count / 2, 4))
    for key in reversed([*seen.weights]):  # the strongest on top
        x, y = places[key]
        is_day, radius = seen.sorts[key] == "day", _radius(seen.weights[key])
        canvas.circle(x, y, radius, COLOURS[seen.sorts[key]])
        size, colour = (DAY, SOFT) if is_day else (NAME, INK)
        below = y + radius + size
        canvas.text(x, below, labels[key], size, colour, anchor="ms", bold=not is_day, rim=True)
    left = 28.0
    for sort, heading in HEADINGS.items():
        said = tr(heading)
        canvas.circle(left + 9, HEIGHT + HEAD + FOOT - 26, 9, COLOURS[sort])
        canvas.text(left + 26, HEIGHT + HEAD + FOOT - 19, said, KEY, SOFT)
        left += 60 + canvas.width(said, KEY)
    return canvas.png()


def _room(canvas: Canvas, label: str, seen: KnowledgeMap, key: str) -> tuple[float, float, float]:
    """Return the box of a circle and the label below it, as `apart` takes it."""
    is_day, radius = seen.sorts[key] == "day", _radius(seen.weights[key])
    size = DAY if is_day else NAME
    half = max(canvas.width(label, size, bold=not is_day) / 2, radius) + 6
    return half, radius + 4, radius + size * 1.3 + 4


def numbered(seen: KnowledgeMap) -> dict[str, int]:
    """Number the names that the font lacks glyphs for."""
    lacking = (key for key in seen.weights if not is_drawable(key))
    return {key: number for number, key in enumerate(lacking, 1)}


def in_words(seen: KnowledgeMap) -> list[str]:
    """Describe the map in lines: names with those nearest to them, then days."""
    names = [key for key in seen.weights if seen.sorts[key] != "day"]
    rows = [_described(seen, key) for key in names[:IN_WORDS]]
    if more := names[IN_WORDS:]:
        rows.append(tr("and {names}", names=", ".join(more)))
    days = [key for key in seen.weights if seen.sorts[key] == "day"]
    if days:
        rows.append(
            tr("Days: {days}", days=", ".join(_shown(day, "day") for day in sorted(days)[-6:]))
        )
    return rows


def _described(seen: KnowledgeMap, key: str) -> str:
    kind = tr(" (a place)") if seen.sorts[key] == "place" else ""
    near: Sequence[str] = seen.near(key)[:NEAREST]
    beside = tr(": with {names}", names=", ".join(near)) if near else ""
    return f"{key}{kind}, {tn('{count} line', '{count} lines', seen.weights[key])}{beside}"


def _radius(weight: int) -> float:
    return round(8 + 4 * math.sqrt(min(weight, 40)), 1)


def _shown(key: str, sort: Sort) -> str:
    if sort != "day":
        return clipped(key, LONGEST)
    return day_month(date.fromisoformat(key))
