"""Find the names in facts and daily notes, and which of them occur together.

A name is a link (`[[Ana]]`, but not one to a line), or a capitalized word inside a sentence, or one
at its start that is followed by a comma or "'s". A name that follows "in", "at", "to" or the like
at least half of the time counts as a place. In German, where every noun is capitalized, a likely
noun is no name. Nor is a word for time ("Friday", "in June"), or one that says nothing about a
subject ("Sorry, 980"). Lines that no model may see unasked are left out.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import combinations
from typing import Literal

from memory import Memory, SamError
from memory.notes import fact as fact_line
from memory.notes import privacy, redaction
from memory.text import STOP_WORDS, clipped, is_no_name, one_line
from memory.tools import has_german, may_be_noun, names_only_time, time_range, weekday_of

Sort = Literal["name", "place", "day"]
Pair = tuple[str, str]

_DETERMINED = 3  # words before a noun: an article and two adjectives
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
_LABELS = frozenset({"sam", "user", "owner", "summary", "action", "note", "remembered"})
_ANY_DAY = date(2026, 1, 1)
_NEAR = 40  # characters before a word that tell whether it names a period


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
        german = [has_german(each.text) for each in rows]
        mostly = german.count(True) > german.count(False)
        named = [
            list(_names(each.text, is_german=mostly if found is None else found))
            for each, found in zip(rows, german, strict=True)
        ]
        known = {name for each in named for name, inside in each if inside}
        for each, candidates in zip(rows, named, strict=True):
            found = {name for name, _ in candidates} & known
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

    @staticmethod
    def near(key: str, edges: Mapping[Pair, int]) -> Counter[str]:
        """Count the lines that name each other key together with this one."""
        return Counter({b if a == key else a: n for (a, b), n in edges.items() if key in (a, b)})


def _names(text: str, *, is_german: bool) -> Iterator[tuple[str, bool]]:
    """Yield each possible name in a line, and whether it certainly is one: a link, or a capitalized
    word inside a sentence or with a name's mark at the start."""
    for match in _LINK.finditer(text):
        name = match[1].rpartition("/")[2].removesuffix(".md").strip()
        if name and not match[2] and not _DAY_NAME.search(name):
            yield name, True
    bare = _LINK.sub(" ", text)
    for match in _NAMED.finditer(bare):
        name, before = match[1], bare[: match.start()]
        starts = bool(_STARTS.search(before))
        first, _, rest = name.partition(" ")
        if starts and rest:  # "Met Ana": the first word is capitalized as the start of the sentence
            parts = [(before, first, False), (f"{before}{first} ", rest, True)]
        else:
            is_marked = bool(_NAMED_FIRST.match(bare, match.end()))
            parts = [(before, name, not starts or is_marked)]
        for ahead, words, is_name in parts:
            words = _without_times(ahead, words)
            words = _without_nouns(ahead, words) if is_german else words
            if _may_name(words):
                yield words, is_name


def _without_nouns(before: str, name: str) -> str:
    """Return the words of a German phrase from the first one that is likely no noun ("Kater
    Mogli"); "" without one."""
    words, ahead = name.split(" "), tuple(before.split()[-_DETERMINED:])
    for number, word in enumerate(words):
        if not _is_noun((*ahead, *words[:number]), word):
            return " ".join(words[number:])
    return ""


@lru_cache(maxsize=4096)
def _is_noun(before: tuple[str, ...], word: str) -> bool:
    return may_be_noun(before, word, ())


def _may_name(words: str) -> bool:
    parts = {word.casefold() for word in words.split(" ")}
    return len(words) > 2 and not parts & (STOP_WORDS | _LABELS) and not _is_no_name(words)


_is_no_name = lru_cache(maxsize=4096)(is_no_name)


def _without_times(before: str, name: str) -> str:
    """Return the words of a name that are no weekdays, and name no period where they stand: "Tom"
    of "Tom Friday". "Jan" is a month only in "5 Jan" or "in Jan"."""
    found, ahead = [], before[-_NEAR:]
    for word in name.split(" "):
        text = f"{ahead}{word}"
        if not _may_be_time(word) or not (
            weekday_of(word, has_capital=True)
            or time_range(text, _ANY_DAY) != time_range(ahead, _ANY_DAY)
        ):
            found.append(word)
        ahead = f"{text} "
    return " ".join(found)


@lru_cache(maxsize=4096)
def _may_be_time(word: str) -> bool:
    is_weekday = bool(weekday_of(word, has_capital=True))
    return is_weekday or names_only_time(word, 0, STOP_WORDS.__contains__)


def _places(text: str, names: Collection[str]) -> Iterator[str]:
    for name in names:
        at = text.find(name)
        if at > 0 and _BEFORE_PLACE.search(text[:at].rstrip("[ ")):
            yield name


def chosen(names: Names, edges: Mapping[Pair, int], most: int, about: str = "") -> list[str]:
    """Return up to `most` keys: the most frequent ones, or those most often beside `about`."""
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
        rows = redaction.visible_lines(text)
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
