"""Comma-separated values of the settings about people and groups."""

from __future__ import annotations

import re

from memory import OWNER, is_group


def people(value: object) -> object:
    """`12, 34:ana` → {12: "owner", 34: "ana"}."""
    if not isinstance(value, str):
        return value
    people: dict[int, str] = {}
    for part in filter(None, (part.strip() for part in value.split(","))):
        found = re.fullmatch(r"(\d+)(?::([a-z0-9_-]{1,32}))?", part)
        if not found:
            raise ValueError(f"{part!r} is not an `id` or `id:profile` (Telegram ids are numbers)")
        name = found[2] or OWNER
        if is_group(name):
            raise ValueError(f"{part!r}: names that begin with `group-` are reserved for groups")
        people[int(found[1])] = name
    return people


def groups(value: object) -> object:
    """`-100123, -100456` → (-100123, -100456)."""
    if not isinstance(value, str):
        return value
    parts = [part.strip() for part in value.split(",") if part.strip()]
    for part in parts:
        if not re.fullmatch(r"-\d{1,19}", part):
            raise ValueError(f"{part!r} is not a group id: those are negative numbers")
    return tuple(dict.fromkeys(map(int, parts)))


def dollars(value: object) -> object:
    """`ana:0.20, bob:0.50` → {"ana": 0.2, "bob": 0.5}."""
    if not isinstance(value, str):
        return value
    limits: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in value.split(","))):
        found = re.fullmatch(r"([A-Za-z0-9_-]{1,32}):(\d+(?:\.\d+)?)", part)
        if not found:
            raise ValueError(f"{part!r} is not `profile:dollars`, like ana:0.20")
        if found[1] == OWNER:
            raise ValueError("the owner's limit is BUDGET_DAILY_USD: name other profiles here")
        limits[found[1]] = float(found[2])
    return limits
