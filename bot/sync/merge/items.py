"""Three-way merge of tasks and facts, by id and field. Pure.

A line with the same id on both sides becomes the same merged line in all three versions, so that
the merge of lines sees no difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from memory.notes import Fact, Task, fenced, task
from memory.notes import fact as facts

T = TypeVar("T")
Key = tuple[str, str]

_LATEST = ("updated",)  # if both changed it, the later day wins


def align(
    base: list[str], mine: list[str], theirs: list[str], *, knowledge: bool, human: bool = False
) -> tuple[list[str], list[str], list[str], list[str]]:
    """Return the three versions (lines with their ends) with merged tasks and, in knowledge/,
    facts.

    The last item: their lines with a field that was replaced, because both sides changed it; my
    lines if theirs is the `human` side.
    """
    was, own, other = (_items(lines, knowledge) for lines in (base, mine, theirs))
    base, mine, theirs = list(base), list(mine), list(theirs)
    lost: list[str] = []
    for key in own.keys() & other.keys():
        m, t = own[key], other[key]
        if mine[m] == theirs[t]:
            continue
        old = base[was[key]] if key in was else None
        stands, gives_way = (theirs[t], mine[m]) if human else (mine[m], theirs[t])
        joined, clash = _joined(old, stands, gives_way)
        if clash:
            lost.append(gives_way)
        mine[m] = theirs[t] = joined
        if key in was:
            base[was[key]] = joined
    dropped = set()
    for key, at in was.items():  # an edit beats a deletion: treated as a new line
        left = [
            lines[found[key]] for lines, found in ((mine, own), (theirs, other)) if key in found
        ]
        if len(left) == 1 and left[0] != base[at]:
            dropped.add(at)
    return [line for n, line in enumerate(base) if n not in dropped], mine, theirs, sorted(lost)


def duplicates(out: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> list[int]:
    """Return the numbers of duplicate lines of the merged text: they were moved on both sides.

    A task is kept once, whatever its fields: done beats open.
    """
    sides = [_numbers(lines, True) for lines in (mine, theirs)]
    extra = []
    for key, numbers in _numbers(out, True).items():
        if any(len(side.get(key, ())) > 1 for side in sides):
            continue
        keep = next((n for n in numbers if not _is_open(out[n])), numbers[0])
        extra += [n for n in numbers if n != keep and out[n].strip() == out[keep].strip()]
    return extra


def _is_open(line: str) -> bool:
    parsed = task.parse(line.rstrip("\n"))
    return parsed is not None and parsed.open


def _items(lines: Sequence[str], knowledge: bool) -> dict[Key, int]:
    """Return the line numbers of keys that occur once."""
    found = _numbers(lines, knowledge).items()
    return {key: numbers[0] for key, numbers in found if len(numbers) == 1}


def _numbers(lines: Sequence[str], knowledge: bool) -> dict[Key, list[int]]:
    found: dict[Key, list[int]] = {}
    for number, key in _keys(lines, knowledge):
        found.setdefault(key, []).append(number)
    return found


def _keys(lines: Sequence[str], knowledge: bool) -> list[tuple[int, Key]]:
    bare = [line.rstrip("\n") for line in lines]
    found = []
    for number, (line, code) in enumerate(zip(bare, fenced(bare), strict=True)):
        if code or not line:
            continue
        if (parsed := task.parse(line)) is not None:
            said = " ".join(parsed.text.split())
            found.append((number, ("task", parsed.id) if parsed.id else ("text", said)))
        elif knowledge and (fact := facts.parse(line)) is not None and fact.id:
            found.append((number, ("fact", fact.id)))
    return found


def _joined(was: str | None, mine: str, theirs: str) -> tuple[str, bool]:
    """Merge the three lines; return also whether something of theirs is missing."""
    end = "\n" if mine.endswith("\n") or theirs.endswith("\n") else ""
    old, own, other = (None if x is None else x.rstrip("\n") for x in (was, mine, theirs))
    assert own is not None and other is not None
    # The side that moved or indented the line determines its indentation.
    form, rest = (other, own) if old is not None and _lead(own) == _lead(old) else (own, other)
    a, b = task.parse(own), task.parse(other)
    if a is not None and b is not None:
        one, clash = _task(task.parse(old) if old is not None else None, a, b)
        return task.render(replace(one, line=form if form else rest)) + end, clash
    c, d = facts.parse(own), facts.parse(other)
    if c is not None and d is not None:
        fact, clash = _fact(facts.parse(old) if old is not None else None, c, d)
        return facts.render(replace(fact, line=form if form else rest)) + end, clash
    return mine, True


def _lead(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _three(was: T | None, mine: T, theirs: T) -> tuple[T, bool]:
    """Return the merged value, and whether both sides had changed it."""
    if mine == theirs or theirs == was:
        return mine, False
    if mine == was:
        return theirs, False
    return mine, True


def _task(was: Task | None, mine: Task, theirs: Task) -> tuple[Task, bool]:
    text, clash = _three(was.text if was else None, mine.text, theirs.text)
    status, both = _three(was.status if was else None, mine.status, theirs.status)
    if both and mine.open and not theirs.open:
        status = theirs.status
    names = {name for one in (mine, theirs) for name, _ in one.fields} | (
        {name for name, _ in was.fields} if was else set()
    )
    fields: dict[str, str | None] = {}
    for name in names:
        value, both = _three(was.get(name) if was else "", mine.get(name), theirs.get(name))
        fields[name] = value or None
        clash |= both and name not in ("done", "cancelled")
    done = replace(mine, status=status).open is False
    if not done:
        fields["done"] = fields["cancelled"] = None
    return replace(mine, text=text, status=status, block=mine.block or theirs.block).with_fields(
        **fields
    ), clash


def _fact(was: Fact | None, mine: Fact, theirs: Fact) -> tuple[Fact, bool]:
    text, clash = _three(was.text if was else None, mine.text, theirs.text)
    fact = replace(mine, text=text)
    keys = list(dict.fromkeys(name.lower() for one in (mine, theirs) for name, _, _ in one.fields))
    for key in keys:
        value, both = _three(was.get(key) if was else "", mine.get(key), theirs.get(key))
        if both and key in _LATEST:
            value, both = max(mine.get(key), theirs.get(key)), False
        clash |= both
        if value != fact.get(key):
            fact = fact.with_field(key, value or None)
    tags = set(mine.tags) | set(theirs.tags)
    if was is not None:
        tags -= {tag for tag in was.tags if tag not in mine.tags or tag not in theirs.tags}
        if "sensitive" in was.tags:  # the strictest class wins
            tags |= {"sensitive"} & (set(mine.tags) | set(theirs.tags))
    return replace(fact, tags=tuple(sorted(tags))), clash
