"""Three-way merge of front matter, property by property, by value. Pure.

Obsidian's Properties view reformats YAML: another format is no change.
"""

from __future__ import annotations

import re

import yaml

from memory.notes import MAX_FRONT_MATTER

_KEY = re.compile(r"([^\s#\-:\[{\"'][^:]*?|\"[^\"]*\"|'[^']*')\s*:(?:\s|$)")
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class Front(dict[str, tuple[object, list[str]]]):
    """Value and lines of each property, in order."""


def align(
    base: list[str], mine: list[str], theirs: list[str], *, human: bool = False
) -> tuple[list[str], list[str], list[str], list[str]]:
    """Return the three versions (lines with their ends) with the same merged front matter.

    The last item: lines of theirs that were replaced, or of mine if theirs is the `human` side. If
    one version is not plain, all stay unchanged.
    """
    cut = [_cut(lines) for lines in (base, mine, theirs)]
    if any(found is None for found in cut):
        return base, mine, theirs, []
    (was, past), (own, body), (other, their_body) = [found for found in cut if found is not None]
    joined, lost = _joined(was, own, other, human)
    head = ["---\n", *joined, "---\n"] if joined else []
    return head + past, head + body, head + their_body, lost


def _joined(was: Front, mine: Front, theirs: Front, human: bool) -> tuple[list[str], list[str]]:
    lines: list[str] = []
    lost: list[str] = []
    for key in dict.fromkeys([*theirs, *mine]):
        old, own, other = (side[key][0] if key in side else None for side in (was, mine, theirs))
        if own in (other, old):
            side = theirs
        else:
            side = mine
            if own is not None and other not in (old, None):
                side, gives_way = (theirs, mine) if human else (mine, theirs)
                lost += gives_way[key][1]
        if own is not None and own == other and key in was and was[key][1] == theirs[key][1]:
            side = mine  # the same value in another format: the newer one
        if key in side:
            lines += side[key][1]
        elif old is not None and (own if side is theirs else other) != old:
            lines += (mine if side is theirs else theirs)[key][1]  # an edit beats a deletion
    return lines, lost


def _cut(lines: list[str]) -> tuple[Front, list[str]] | None:
    """Split into properties and body; None for front matter that is not plain."""
    if not lines or lines[0].rstrip() != "---":
        return Front(), lines
    end = next((n for n, line in enumerate(lines) if n and line.rstrip() == "---"), None)
    if end is None or not lines[end].endswith("\n"):
        return None
    inside = lines[1:end]
    try:
        text = "".join(inside)[: MAX_FRONT_MATTER + 1]
        values = yaml.load(text, Loader=_LOADER) or {}  # nosec B506: a BaseLoader makes texts alone
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    if not isinstance(values, dict) or sum(map(len, inside)) > MAX_FRONT_MATTER:
        return None
    front, key = Front(), None
    for line in inside:
        if match := _KEY.match(line):
            key = match[1].strip("\"'")
            if key not in values or key in front:
                return None
            front[key] = (values[key], [line])
        elif key is None:
            return None
        else:
            front[key][1].append(line)
    return (front, lines[end + 1 :]) if front.keys() == values.keys() else None
