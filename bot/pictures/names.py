"""Find the names in facts and daily notes, and which of them occur together.

A name is a link (`[[Ana]]`, but not one to a line), or a capitalized word inside a sentence, or one
at its start that is followed by a comma or "'s". A name that follows "in", "at", "to" or the like
at least half of the time counts as a place. Lines that no model may see unasked are left out.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import combinations
from typing import Literal

from memory import Memory, SamError
from memory.notes import fact as fact_line
from memory.notes import privacy, redaction
from memory.text import STOP_WORDS, clipped, one_line

Sort = Literal["name", "place", "day"]
Pair = tuple[str, str]

DAYS_BACK = 400  # number of days whose notes are read

_BEFORE_PLACE = re.compile(r"\b(?:in|at|to|from|near|nach|aus|à|en|em|w)$", re.I)
_DAY_NAME = re.compile(r"\d{4}-\d{2}-\d{2}")
_LINK = re.compile(r"\[\[([^\[\]|#^\n]{1,80})(#\^)?[^\[\]\n]*\]\]")
_UPPER = "".join(filter(str.isupper, map(chr, range(0x590))))  # Latin, Greek, Cyrillic, Armenian
_CAPITAL = rf"[{_UPPER}][^\W\d_]+"
_NAMED = re.compile(rf"(?<![\w.])({_CAPITAL}(?:[ -]{_CAPITAL}){{0,2}})")
_STARTS = re.compile(r"(?:^|[.!?:;…“”\"(]\s*|[-*+]\s+|\b(?:Summary|Action|Note)\b:?\s*)$")
_NAMED_FIRST = re.compile("['\u2019]s\\b|,")
"""What marks the first word of a sentence as a name: "Ana's birthday", "Ana, a friend"."""
_CALENDAR = frozenset(
    {
        *("today", "yesterday", "tomorrow", "now", "later", "finally", "meanwhile"),
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        *("january", "february", "march", "april", "may", "june", "july", "august"),
        *("september", "october", "november", "december"),
        *("sam", "action", "summary", "note", "remembered", "user", "owner", "ok"),
    }
)
"""Capitalized words that are not names."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A line with names. `day`: of the note, or the last day on which the fact was stated."""

    text: str
    path: str
    day: date | None


class Names:
    """The names in some lines, and how often they occur together."""

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
        """Return what the key is: a day, a place, or another name."""
        if key in self._days:
            return "day"
        return "place" if 2 * self._placed[key] >= len(self.of[key]) else "name"

    def edges(self) -> Counter[Pair]:
        """Count for each pair the lines that name both; a day is named by each of its lines."""
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
    """Yield each possible name in a line, and whether it certainly is one: a link, or a capitalized
    word inside a sentence or with a name's mark at the start."""
    for match in _LINK.finditer(text):
        name = match[1].rpartition("/")[2].removesuffix(".md").strip()
        if name and not match[2] and not _DAY_NAME.search(name):
            yield name, True
    bare = _LINK.sub(" ", text)
    for match in _NAMED.finditer(bare):
        name, starts = match[1], bool(_STARTS.search(bare[: match.start()]))
        first, _, rest = name.partition(" ")
        if starts and rest:  # "Met Ana": the first word is capitalized as the start of the sentence
            yield from ((part, part is rest) for part in (first, rest) if _may_name(part))
        elif _may_name(name):
            yield name, not starts or bool(_NAMED_FIRST.match(bare, match.end()))


def _may_name(words: str) -> bool:
    parts = {word.casefold() for word in words.split(" ")}
    return len(words) > 2 and not parts & (STOP_WORDS | _CALENDAR)


def _places(text: str, names: Collection[str]) -> Iterator[str]:
    for name in names:
        at = text.find(name)
        if at > 0 and _BEFORE_PLACE.search(text[:at].rstrip("[ ")):
            yield name


def chosen(names: Names, edges: Mapping[Pair, int], most: int, about: str = "") -> list[str]:
    """Return up to `most` keys: the most frequent names and days, or those that occur most often
    with `about`."""
    if about:
        return [about, *(key for key, _ in names.near(about, edges).most_common(most - 1))]
    strong = Counter({key: len(rows) for key, rows in names.of.items()})
    every = [key for key, _ in strong.most_common()]
    people = [key for key in every if names.sort(key) != "day"][: most * 2 // 3]
    days = [key for key in every if names.sort(key) == "day"][: most - len(people)]
    return people + days


async def mentions(memory: Memory, today: date) -> list[Mention]:
    """Return the lines of facts and of the latest daily notes."""
    found = [
        Mention(one_line(each.fact.text), each.path, each.fact.updated)
        for each in await memory.knowledge.facts(limit=5000)  # without sensitive ones
    ]
    return found + await asyncio.to_thread(_of_days, memory, today)


def readable(memory: Memory, path: str) -> str | None:
    """Return the note's text; None if it is missing, or must not be shown here.

    Runs in a thread. Raises PathRefused, NoteUnreadable, VaultGone.
    """
    text = memory.vault.load_optional(path)
    if text is None or not memory.vault.is_indexed(path) or privacy(text) == "sealed":
        return None
    return text


def _of_days(memory: Memory, today: date) -> list[Mention]:
    """Return the lines of the latest daily notes; runs in a thread."""
    folder = memory.day_path(today).rpartition("/")[0]
    found = []
    paths = sorted((note.path for note in memory.vault.notes()), reverse=True)
    for path in [p for p in paths if p.rpartition("/")[0] == folder][:DAYS_BACK]:
        day = _DAY_NAME.search(path.rpartition("/")[2])
        try:
            text = readable(memory, path)
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
