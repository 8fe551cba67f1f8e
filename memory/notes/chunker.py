"""Split notes into the passages that are indexed.

A note is split at its headings, a section at its paragraphs, a paragraph at its lines, a line at
its words: each only if the piece is too long. Lines with a life or a privacy of their own
(`(expires:: …)`, `#sam/sensitive`), facts, rules and tasks are a chunk each.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from ..dates.period import leading_date
from .fact import FIELDS, TAG, parse, problems, unmarked
from .kinds import AUTHOR, Privacy, active, kind_of
from .markdown import (
    date_in,
    fenced,
    headings,
    inline_fields,
    lines,
    plain,
    privacy_of,
    split_front_matter,
    tags_of,
    without_code,
    words_of,
)
from .prose import prose
from .splitter import pack

CHUNKER = "9"
"""The version of these rules, part of the index's identity: raise it when it changes chunks."""

BY_LINE = frozenset({"fact", "rule", "task"})
WRITTEN_INERT = frozenset({"fact", "rule", "task", "summary", "memory", "log"})
TITLE_SAYS_NOTHING = BY_LINE | {"soul", "agent", "user", "memory", "summary"}
"""Kinds in which a heading without text is an empty form; in others it counts as content."""

MAX_HEADING = 300  # characters; aliases and tags can be many
MAX_SECTIONS = 5_000
"""Maximum per note. With more, only headings with marks start a section, and the others are plain
lines: a file of millions of headings costs no more than one of prose."""

_NO_PROPERTY = re.compile(
    r"title|alias(?:es)?|tags?|date|privacy|expires|supersede[sd]|superseded_by|kind|format|created"
    r"|updated|modified|id|cssclass(?:es)?|publish|permalink|(?:excalidraw|kanban)-plugin"
)
"""Front matter that is searchable anyway, or that programs read and nobody asks about."""

_DAY = re.compile(r"^(?:\d{4}[-_.]?\d\d[-_.]?\d\d|\d\d?[-_.]\d\d?[-_.]\d{4})")
_ITEM = re.compile(r"^(\s*)(?:[-*+]|\d{1,9}[.)])\s")
_QUOTE = re.compile(r"(?:[ \t]*>)*")
_DATED = re.compile(r"^[-*+]\s+(\d{4}-\d{2}-\d{2}): ")  # the form of items in MEMORY.md
_NOTE_KIND = re.compile(r"^(?:[-*+]\s+)?kind::\s*log\s*$", re.I)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage. `text` lines [start_line, end_line] of the file, from 1, without anything that is
    not prose.

    `heading` is the path of headings, `A > B`, below the name of an owner's note. `kind` is None if
    the path was not given.
    """

    heading: str
    start_line: int
    end_line: int
    text: str
    kind: str | None = None
    date: dt.date | None = None
    privacy: Privacy = "normal"
    expires: dt.date | None = None
    superseded: bool = False

    def active(self, today: dt.date) -> bool:
        """Return whether it may be recalled on that day."""
        return active(today, expires=self.expires, superseded=self.superseded)

    def alike(self, other: Chunk) -> bool:
        """Return whether both have the same privacy and expiry."""
        return (self.privacy, self.expires, self.superseded) == (
            other.privacy,
            other.expires,
            other.superseded,
        )


@dataclass(frozen=True, slots=True)
class _Marks:
    """The marks of a line, a section or a note; inner ones add to outer ones."""

    kind: str | None = None
    date: dt.date | None = None
    sensitive: bool = False
    expires: dt.date | None = None
    superseded: bool = False

    def within(self, outer: _Marks) -> _Marks:
        """Return these marks, with those of the enclosing section where there are none; the
        stricter privacy and the earlier end apply."""
        ends = [day for day in (self.expires, outer.expires) if day]
        return _Marks(
            kind=self.kind or outer.kind,
            date=self.date or outer.date,
            sensitive=self.sensitive or outer.sensitive,
            expires=min(ends) if ends else None,
            superseded=self.superseded or outer.superseded,
        )

    def alike(self, other: _Marks) -> bool:
        """Return whether both have the same privacy and expiry."""
        return (self.sensitive, self.expires, self.superseded) == (
            other.sensitive,
            other.expires,
            other.superseded,
        )


_NONE = _Marks()


@dataclass(frozen=True, slots=True)
class _Section:
    """Lines [start, end) under one heading; `line` is the heading's, or the first before any."""

    line: int
    start: int
    end: int
    level: int
    path: tuple[str, ...]
    marks: _Marks


def chunks(text: str, *, limit: int = 1600, path: str = "", sam_dir: str = "") -> list[Chunk]:
    """Split a note into passages, none longer than `limit` characters; none at all when it is
    sealed.

    `path` is relative to the vault; it decides the kind and may hold the date. Never raises.
    """
    fields, body, skipped = split_front_matter(text)
    privacy = privacy_of(fields)
    if privacy == "sealed":
        return []
    rows = prose(lines(body), drawing="excalidraw-plugin" in fields)
    code = fenced(rows)
    place = kind_of(path, sam_dir) if path else None
    inline = any(_NOTE_KIND.match(row) and not code[n] for n, row in enumerate(rows))
    stated = inline or "log" in words_of(fields.get("kind"))
    whole = _Marks(
        kind="log" if stated else place,
        date=_date_of(path.rpartition("/")[2]) or _date_of(fields.get("date")),
        sensitive=privacy == "sensitive",
        expires=date_in(fields.get("expires")),
        superseded=bool(fields.get("superseded_by") or fields.get("superseded")),
    )
    found = list(_note(rows, code, skipped, whole, limit))
    has_text = bool(found)
    if not has_text and (label := _label(fields, "")):
        found = [_chunk("", 1, max(skipped, 1), label[:limit], whole)]
    if place == "note":
        found = _with_properties(fields, found, skipped, whole, limit)
        if name := _name(path):
            found = [_named(name, chunk) for chunk in found]
    if has_text and (label := _label(fields, found[0].heading)):
        found[0] = _below(label, found[0])
    return found


def _with_properties(
    fields: dict[str, object], found: list[Chunk], end: int, whole: _Marks, limit: int
) -> list[Chunk]:
    """Put a note's properties before its first text, or make them a chunk if that would be too
    long or has marks of its own."""
    text = "\n".join(
        f"{key}: {said}"
        for key, value in fields.items()
        if not _NO_PROPERTY.fullmatch(key)
        and (said := ", ".join(words_of(value)))
        and (key, said) != ("author", AUTHOR)
    )[:limit]
    if not text or not end:  # a block that is not closed is text
        return found
    alone = _chunk("", 1, end, text, whole)
    if not found:
        return [alone]
    first = found[0]
    whole_text = f"{text}\n\n{first.text}"
    if len(whole_text) > limit or not first.alike(alone):
        return [replace(alone, heading=first.heading), *found]
    return [replace(first, start_line=1, text=whole_text), *found[1:]]


def _name(path: str) -> str:
    """Return the name of a note's file, its title in Obsidian; "" if it is only a day."""
    name = path.rpartition("/")[2].removesuffix(".md")
    rest = _DAY.sub("", name)
    only_day = leading_date(name) if rest == name else not re.search(r"[^\W\d_]", rest)
    return "" if only_day else name


def _named(name: str, chunk: Chunk) -> Chunk:
    """Put the note's name before the headings, unless one of them is the same."""
    parts = chunk.heading.casefold().split(" > ")
    return chunk if name.casefold() in parts else _below(name, chunk)


def _below(title: str, chunk: Chunk) -> Chunk:
    heading = " > ".join(filter(None, (title, chunk.heading)))
    return replace(chunk, heading=heading[:MAX_HEADING])


def _date_of(text: object) -> dt.date | None:
    """Return the ISO date in the text, or another one that it begins with."""
    return date_in(text) or (leading_date(text) if isinstance(text, str) else None)


def _chunk(heading: str, start: int, end: int, text: str, marks: _Marks) -> Chunk:
    return Chunk(
        heading=heading,
        start_line=start,
        end_line=end,
        text=text,
        kind=marks.kind,
        date=marks.date,
        privacy="sensitive" if marks.sensitive else "normal",
        expires=marks.expires,
        superseded=marks.superseded,
    )


def _label(fields: dict[str, object], heading: str) -> str:
    """Return the title, aliases and tags of front matter, without what the heading has."""
    title = fields.get("title")
    own = title.strip() if isinstance(title, str) else ""
    aliases = (*words_of(fields.get("aliases")), *words_of(fields.get("alias")))
    names = dict.fromkeys([own, *aliases])
    tags = [f"#{tag}" for tag in tags_of(fields)]
    known = {"", *heading.split(" > ")}
    return " ".join([", ".join(name for name in names if name not in known), *tags]).strip()


def _note(
    rows: list[str], code: list[bool], skipped: int, whole: _Marks, limit: int
) -> Iterator[Chunk]:
    sections = _sections(rows, whole)
    pending: _Section | None = None  # headings that have had no text below them so far
    for number, section in enumerate(sections):
        heading = " > ".join(section.path)[:MAX_HEADING]
        # A heading belongs to the first chunk below it, but not to one that is hidden or ends
        # for a reason of its own, nor to a line of its own, such as a fact. A heading that hides
        # its section, or ends it, is in a chunk of the section in any case.
        is_carried = pending and (pending.marks.sensitive or pending.marks.alike(section.marks))
        first = pending if pending and is_carried else section
        top = first.line + skipped + 1
        found = False
        for owner, unit in _units(rows, code, section):
            marks = owner.marks
            texts = [(n + skipped + 1, _clean(rows[n], code[n], marks)) for n in unit]
            if marks.kind in ("fact", "rule"):
                texts[0] = (texts[0][0], _ITEM.sub(r"\1", texts[0][1]))
            own = section.level and (section.marks.sensitive or marks.alike(section.marks))
            own = own and (owner.line < 0 or not section.marks.alike(_NONE))
            for text, start, end in pack(texts, limit):
                yield _chunk(heading, top if own and not found else start, end, text, marks)
                found = True
        pending = None
        if found or not section.level:
            continue
        title = section.path[-1][:limit]
        if number + 1 < len(sections) and sections[number + 1].level > section.level:
            pending = first
        elif title and (section.marks.kind not in TITLE_SAYS_NOTHING or section.marks.sensitive):
            yield _chunk(heading, top, section.line + skipped + 1, title, section.marks)


def _sections(rows: list[str], whole: _Marks) -> list[_Section]:
    found = headings(rows)
    if len(found) > MAX_SECTIONS:
        found = [heading for heading in found if _marks(heading.title) != _NONE]
    first = found[0].line if found else len(rows)
    sections = [_Section(0, 0, first, 0, (), whole)]
    above: list[tuple[int, str, _Marks]] = []
    for number, heading in enumerate(found):
        above = [entry for entry in above if entry[0] < heading.level]
        marks = _marks(heading.title).within(above[-1][2] if above else whole)
        if day := leading_date(heading.title):  # of a diary: "## 30 September 2026: Compost"
            marks = replace(marks, date=day)
        above.append((heading.level, unmarked(heading.title, FIELDS), marks))
        end = found[number + 1].line if number + 1 < len(found) else len(rows)
        path = tuple(title for _, title, _ in above)
        sections.append(_Section(heading.line, heading.line + 1, end, heading.level, path, marks))
    return sections


class _Owner(NamedTuple):
    """A line with marks: those of an item apply to the lines that are indented below it, too. Line
    -1 stands for the section."""

    indent: int
    level: int  # of quotation
    line: int  # without it, two items with the same marks would be one
    marks: _Marks


def _units(
    rows: list[str], code: list[bool], section: _Section
) -> Iterator[tuple[_Owner, list[int]]]:
    """Split a section into runs of lines with the same marks. An item with marks includes the lines
    indented below it, so that a tag on a list item covers its children."""
    for owner, lines_ in groupby(_owners(rows, code, section), key=itemgetter(1)):
        yield owner, [number for number, _ in lines_]


def _owners(rows: list[str], code: list[bool], section: _Section) -> Iterator[tuple[int, _Owner]]:
    """Yield the number of each line of a section, and whose marks apply to it."""
    kind = section.marks.kind
    whole = _Owner(-1, 0, -1, section.marks)
    inside = [whole]  # the items around a line
    after_blank = False
    for number in range(section.start, section.end):
        row, is_code = rows[number], code[number]
        level = _level(row)
        text = _unquoted(row, level)
        item = None if is_code else _ITEM.match(text)
        continues_code = is_code and number > 0 and code[number - 1]
        if text.strip() and not continues_code and (item or after_blank or is_code):
            inside = [each for each in inside if each.indent < _indent(row, each.level)]
        after_blank = not text.strip()
        around = inside[-1]
        marks = _NONE if is_code else _marks(row)
        if kind == "memory" and not is_code and (dated := _DATED.match(row)):
            marks = replace(marks, date=marks.date or date_in(dated[1]))
        if marks == _NONE and not (kind in BY_LINE and item and around is whole):
            yield number, around
            continue
        marks = marks.within(around.marks)
        if item and kind in ("fact", "rule") and _is_invalid(row, marks.kind):
            marks = replace(marks, superseded=True)
        own = _Owner(_indent(row, level), level, number, marks)
        if item:
            inside.append(own)
        yield number, own


def _level(row: str) -> int:
    """Return the level of quotation of a line; a callout is a quotation."""
    quote = _QUOTE.match(row) if ">" in row else None
    return quote[0].count(">") if quote else 0


def _unquoted(row: str, level: int) -> str:
    """Return the line with spaces instead of the marks of so many levels of quotation."""
    return row.replace(">", " ", level)


def _indent(row: str, level: int) -> int:
    """Return the indent inside that level of quotation; -1 outside of it."""
    if level > _level(row):
        return -1
    text = _unquoted(row, level)
    return len(text) - len(text.lstrip())


def _is_invalid(row: str, kind: str | None) -> bool:
    """Return whether a line lacks a field required of a fact or rule, and is ignored."""
    fact = parse(row.strip())
    return fact is not None and bool(problems(fact, kind or "fact"))


def _marks(row: str) -> _Marks:
    """Return the marks of one line: fields and tags outside of code."""
    if "::" not in row and "#s" not in row and "#S" not in row:
        return _NONE
    said = {field.key: field.value for field in inline_fields(row)}
    tags = {match[1].lower() for match in TAG.finditer(without_code(row))}
    return _Marks(
        kind="log" if said.get("kind", "").lower() == "log" else None,
        date=date_in(said.get("updated")),
        sensitive=bool(tags & {"sensitive", "sealed"})
        or said.get("privacy", "normal").lower() not in ("", "normal", "public"),
        expires=date_in(said.get("expires")),
        superseded=bool(said.get("superseded") or said.get("superseded_by")),
    )


def _clean(row: str, code: bool, marks: _Marks) -> str:
    """Return the line for search and embedding; a line that only has marks is unchanged."""
    if code:
        return row
    kept = unmarked(row, FIELDS).rstrip()
    if marks.kind in WRITTEN_INERT:
        kept = plain(kept)
    return kept if kept.strip() else row.rstrip()
