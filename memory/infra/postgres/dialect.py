"""Translate the SQL of the log and the inbox from SQLite's dialect to PostgreSQL's.

    ?  ?1  :name                  $1, $2, …
    json_each(x)                  json_numbers(x), a function of schema.py
    json_each(x, '$')             json_texts(x)
    a IS [NOT] b                  a IS [NOT] DISTINCT FROM b, the other way round
    CROSS JOIN … ON               JOIN … ON: SQLite's spelling of a fixed order
    ON CONFLICT (key)             ON CONFLICT (tenant, key): every key begins with the tenant
    INSERT INTO t                 … RETURNING id, if t numbers its rows

Everything else is written so that both engines read it alike.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_TOKEN = re.compile(
    r"""
      (?P<text>'(?:[^']|'')*')
    | \?(?P<number>\d*)
    | (?<![:\w]):(?P<name>[a-z_]\w*)
    | \bjson_each\((?P<list>[^()',]+)(?P<texts>,\s*'\$')?\)
    | \bIS\s+NOT\b(?!\s+(?:NULL|DISTINCT)\b)(?P<differs>)
    | \bIS\b(?!\s+(?:NOT|NULL|DISTINCT)\b)(?P<equals>)
    | \bCROSS\s+(?=JOIN\b)(?P<cross>)
    | \bON\s+CONFLICT\s+\((?P<key>)
    """,
    re.VERBOSE,
)
_INSERT = re.compile(r"\s*INSERT\s+INTO\s+(\w+)")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement for PostgreSQL. `names`: the names of its parameters in the order of their
    numbers; empty where they are given by place. `returns_id`: it returns the id of a new row."""

    sql: str
    names: tuple[str, ...]
    returns_id: bool

    def values(self, given: Any) -> list[Any]:
        """Return the parameters in order, as PostgreSQL takes them."""
        by_place = [given[name] for name in self.names] if isinstance(given, Mapping) else given
        return [storable(each) for each in by_place]


def storable(value: Any) -> Any:
    """Return the value as PostgreSQL stores it."""
    match value:
        case bool():
            return int(value)
        case str() if "\0" in value:
            return value.replace("\0", "\ufffd")  # the one character that PostgreSQL has not
    return value


@functools.lru_cache(maxsize=1024)
def translate(sql: str, numbered: frozenset[str]) -> Statement:
    """Translate one statement. `numbered`: the tables with a number as their id."""
    names: list[str] = []
    places = 0

    def token(found: re.Match[str]) -> str:
        nonlocal places
        if found["text"] is not None:
            return found[0]
        if found["number"] is not None:
            places += 1
            return f"${found['number'] or places}"
        if found["name"] is not None:
            if found["name"] not in names:
                names.append(found["name"])
            return f"${names.index(found['name']) + 1}"
        if found["list"] is not None:
            listed = _TOKEN.sub(token, found["list"])
            return f"json_{'texts' if found['texts'] else 'numbers'}({listed})"
        if found["differs"] is not None:
            return "IS DISTINCT FROM"
        if found["equals"] is not None:
            return "IS NOT DISTINCT FROM"
        return "" if found["cross"] is not None else f"{found[0]}tenant, "

    text = _TOKEN.sub(token, sql)
    into = _INSERT.match(sql)
    returns_id = into is not None and into[1] in numbered
    return Statement(f"{text} RETURNING id" if returns_id else text, tuple(names), returns_id)
