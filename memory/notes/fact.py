"""A fact: one line of knowledge/, read and written.

- Prefers pytest (updated:: 2026-02-12) (source:: [[memories/2026-02-12#^b7k2mq]]) ^f7k2mx

A line is written back byte for byte unless its fact was changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from typing import cast, get_args

from . import kinds
from .markdown import (
    block_id,
    date_in,
    fenced,
    inert,
    inline_fields,
    lines,
    split_front_matter,
    strip_block_id,
    without_code,
    words_of,
)

RULE = "rule"
CATEGORIES = ("biographical", "preference", "task", "relationship", "contextual")
"""The categories of facts besides rules; each is a note, knowledge/NAME.md."""

FIELDS = (
    "updated",  # the day on which it was last said
    "source",  # a link to the section it came from
    "expires",  # the first day on which it is no longer true
    "confidence",  # 0 to 1
    "evidence",  # the sources of a rule
    "stability",  # volatile, stable, permanent
    "supersedes",  # a link to the fact that it replaces
    "superseded_by",  # a link to what replaces it
    "superseded",  # the same, or the day
    "valid_from",  # since when it is so
    "valid_to",  # until when it was so
    "kind",  # `log`: a line that is not kept
    "privacy",  # `sensitive`
)
"""The fields that have a meaning, in the order in which they are written."""

TAG = re.compile(r"(?<![\w/&\\])#sam/(sensitive|sealed|pinned)(?:/[\w/-]*)?(?![\w-])", re.I)
"""One of Sam's tags; in Obsidian, `#sam/sensitive/health` is a kind of `#sam/sensitive`."""
_ITEM = re.compile(r"([ \t]*[-*+][ \t]+)(?!\[.\](?:\s|$))(.*\S|)(\s*)", re.S)


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact. `fields`: key, value and opening bracket as written, known or not.

    `text`: the rest of the line, inert, as written in the note.
    """

    text: str
    fields: tuple[tuple[str, str, str], ...] = ()
    tags: tuple[str, ...] = ()
    id: str | None = None
    line: str = field(default="", compare=False, repr=False)
    """The line that it was read from; empty for a new one."""

    def get(self, key: str) -> str:
        """Return the first value of that field, or an empty text."""
        return next((value for name, value, _ in self.fields if name.lower() == key), "")

    def with_field(self, key: str, value: object) -> Fact:
        """Return the fact with that field set, in its place; None removes the field."""
        if value is None:
            return replace(self, fields=tuple(f for f in self.fields if f[0].lower() != key))
        said = value.isoformat() if isinstance(value, date) else str(value)
        if not self.get(key):
            rest = self.with_field(key, None).fields
            return replace(self, fields=_ordered((*rest, (key, said, "("))))
        changed = tuple((k, said if k.lower() == key else v, b) for k, v, b in self.fields)
        return replace(self, fields=changed)

    @property
    def updated(self) -> date | None:
        """Return the day on which the fact was last said; None if it is missing."""
        return date_in(self.get("updated"))

    @property
    def expires(self) -> date | None:
        """Return the first day on which the fact is no longer valid; None if it has no end."""
        return date_in(self.get("expires"))

    @property
    def confidence(self) -> float | None:
        """Return the confidence, from 0 to 1; None if it is missing or not such a number."""
        said = self.get("confidence")
        if not re.fullmatch(r"\d+(?:\.\d+)?|\.\d+", said, re.A):
            return None
        return float(said) if 0 <= float(said) <= 1 else None

    @property
    def stability(self) -> kinds.Stability | None:
        """Return the stability; None if it is missing or not one of `Stability`."""
        said = self.get("stability").lower()
        return cast(kinds.Stability, said) if said in get_args(kinds.Stability) else None

    @property
    def superseded(self) -> bool:
        """Return whether the line says that it is superseded."""
        return bool(self.get("superseded") or self.get("superseded_by"))

    @property
    def sensitive(self) -> bool:
        """Return whether the line must not be in a prompt unless the owner asks for it."""
        said = self.get("privacy").lower()
        return bool({"sensitive", "sealed"} & set(self.tags)) or said not in (
            "",
            "normal",
            "public",
        )

    @property
    def pinned(self) -> bool:
        """Return whether only the owner may change the line."""
        return "pinned" in self.tags


def new(text: str, *, id: str, **given: object) -> Fact:
    """Create a fact to be written. The text may come from a chat; `given` are fields, None for
    none."""
    fact = Fact(inert(text), id=id)
    for key in FIELDS:
        fact = fact.with_field(key, given.pop(key, None))
    if given:
        raise ValueError(f"no fields of a fact: {', '.join(given)}")
    return fact


def parse(line: str) -> Fact | None:
    """Return the fact of a line; None if it is not a list item, has no text, or is a task."""
    match = _ITEM.fullmatch(line)
    if match is None or not match[2]:
        return None
    body = strip_block_id(match[2])
    fields = tuple((f.name, f.value, body[f.start]) for f in inline_fields(body))
    tags = tuple(tag[1].lower() for tag in TAG.finditer(without_code(body)))
    text = unmarked(body).strip()
    return Fact(text, fields, tags, block_id(match[2]), line) if text else None


def render(fact: Fact) -> str:
    """Return the line of a fact, byte for byte unless the fact was changed."""
    if fact.line and parse(fact.line) == fact:
        return fact.line
    match = _ITEM.fullmatch(fact.line)
    lead, end = (match[1], match[3]) if match else ("- ", "")
    parts = [
        fact.text,
        *(f"{b}{key}:: {value}{')' if b == '(' else ']'}" for key, value, b in fact.fields),
        *(f"#sam/{tag}" for tag in fact.tags),
        *([f"^{fact.id}"] if fact.id else []),
    ]
    return f"{lead}{' '.join(parts)}{end}"


def active(fact: Fact, today: date) -> bool:
    """Return whether it is valid on that day."""
    return kinds.active(today, expires=fact.expires, superseded=fact.superseded)


def problems(fact: Fact, kind: str) -> list[str]:
    """Return its violations of the rules for that kind, one sentence each."""
    return kinds.problems(
        kind,
        fact.stability,
        expires=fact.expires,
        confidence=fact.confidence,
        evidence=fact.get("evidence"),
    )


def violations(text: str, kind: str) -> list[tuple[int, str]]:
    """Return the violations of the facts in a note of that kind: the line, from 1, and a
    sentence."""
    fields, body, skipped = split_front_matter(text)
    kind = "log" if "log" in words_of(fields.get("kind")) else kind
    rows = lines(body)
    return [
        (number, sentence)
        for number, (row, code) in enumerate(zip(rows, fenced(rows), strict=True), skipped + 1)
        if not code and (fact := parse(row))
        for sentence in problems(fact, "log" if fact.get("kind").lower() == "log" else kind)
    ]


def unmarked(line: str, only: Iterable[str] | None = None) -> str:
    """Return the line without its fields (all, or only those keys) and without Sam's own tags."""
    if "::" not in line and "/" not in line:
        return line
    keys = None if only is None else frozenset(only)
    kept = line
    for found in reversed(inline_fields(line)):
        if keys is None or found.key in keys:
            kept = kept[: found.start].rstrip() + kept[found.end :]
    for match in reversed(list(TAG.finditer(without_code(kept)))):
        kept = kept[: match.start()].rstrip() + kept[match.end() :]
    return kept


def _ordered(fields: tuple[tuple[str, str, str], ...]) -> tuple[tuple[str, str, str], ...]:
    """Sort known fields into their order, before the unknown ones."""
    rank = {key: number for number, key in enumerate(FIELDS)}
    return tuple(sorted(fields, key=lambda found: rank.get(found[0].lower(), len(rank))))
