"""The time zones of cities and countries, by their names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from zoneinfo import available_timezones

FILE = Path(__file__).with_name("cities.txt")
_OFFSET = re.compile(
    r"(?:utc|gmt)? ?[+\-−–±] ?\d{1,2}(?::?\d\d)?|gmt|[cew]es?t|mes?z|[ecmp][sd]t|[ijbk]st|msk|мск",
    re.IGNORECASE,
)
_I_AM = (
    r"i(?:\sam|['’]?m|\slive)|we(?:\sare|['’]?re|\slive)|(?:ich\s|wir\s)?(?:bin|wohnen?|leben?)"
    r"|(?:yo\s)?(?:vivo|estoy)|j['’]habite|je\s(?:suis|vis)|abito|sono|moro|(?:я\s)?живу|я"
)
_AND = r"\s+(?:and|und|y|et|e|en|i|и)\s"
_ENDS = re.compile(r"[,;(]")
_I_AM_AND = re.compile(rf"((?:{_I_AM})\s.*?){_AND}", re.IGNORECASE)
_WHERE = re.compile(
    rf"(?:(?:{_I_AM})\s+)?(?:(?:in|near|from|at|aus|bei|en|à|a|em|da|в|из)\s+(?:the\s+)?)?(?:我?(?:住在|在))?",
    re.IGNORECASE,
)


def zones_named(words: str) -> tuple[str, ...]:
    """Return the time zones of the places of that name, the largest place's first.

    `words`: an IANA name, or a city or country in one of many languages, also with what comes
    before and after it: "I live in Linz, Austria". Time zones whose clocks agree count as one.
    """
    for name in dict.fromkeys(plain(each) for each in _names(words)):
        if found := _full_names().get(name) or _listed(name) or _zone_cities().get(name):
            return tuple(found.split())
    return ()


def is_more_than_place(words: str) -> bool:
    """Return whether words that name a place say more than where it is: "Linz, I teach there", but
    not "Linz, Austria"."""
    _, *rest = _ENDS.split(words)
    return _before_and(words) != words or not all(map(_is_part_of_place, rest))


def _before_and(words: str) -> str:
    """Return "I live in Linz" of "I live in Linz and teach"; any other words as they are."""
    found = _I_AM_AND.match(words)
    return found[1] if found else words


def _is_part_of_place(words: str) -> bool:
    bare = words.strip(" )")
    first = [word[0] for word in bare.split()]
    is_name = len(first) <= 2 and all(each.isupper() or not each.isalpha() for each in first)
    return is_name or bool(zones_named(bare))


def is_offset(words: str) -> bool:
    """Return whether it is an offset from UTC, or an abbreviation such as CET: neither says when
    the clocks change."""
    return _OFFSET.fullmatch(words) is not None


def city(zone: str) -> str:
    """Return the city that a time zone is named after."""
    return zone.rpartition("/")[2].replace("_", " ")


def plain(name: str) -> str:
    """Return a name in lower case, without accents and punctuation."""
    letters = unicodedata.normalize("NFKD", name).casefold()
    letters = "".join(each for each in letters if not unicodedata.combining(each))
    return " ".join(re.sub(r"[\W_]+", " ", letters).split())


def _names(words: str) -> Iterator[str]:
    """Yield what may be the name in them, the longest first."""
    for each in (words, _ENDS.split(words)[0], _ENDS.split(_before_and(words))[0]):
        yield each
        if begin := _WHERE.match(each):
            yield each[begin.end() :]


def _listed(name: str) -> str:
    """Return the time zones of a place in the file, read each time: it is seldom needed."""
    if name:
        with FILE.open(encoding="utf-8") as lines:
            for line in lines:
                if f"|{name}|" in line:
                    return line.partition("\t")[0]
    return ""


@cache
def _full_names() -> dict[str, str]:
    zones = (name for name in available_timezones() if "/" in name or name == "UTC")
    return {plain(name): name for name in zones if not name.startswith(_NO_PLACES)}


@cache
def _zone_cities() -> dict[str, str]:
    return {plain(city(name)): name for name in sorted(_full_names().values(), reverse=True)}


_NO_PLACES = ("Etc/", "SystemV/", "posix", "right")
