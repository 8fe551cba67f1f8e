"""Find, add, replace and remove single lines in the text of a note of knowledge/. Pure.

All other lines keep their bytes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import date

from ..notes import fact as facts
from ..notes.chunker import Chunk, chunks
from ..notes.fact import RULE, Fact
from ..notes.markdown import (
    block_id,
    fenced,
    lines,
    privacy_of,
    split_front_matter,
    without_code,
    words_of,
)
from ..notes.prose import prose
from ..notes.redaction import with_item
from ..text.word_forms import TAG
from .draft import FILES, LOG

FOLDER = "knowledge"
ARCHIVE = "archive/knowledge"
UNCERTAIN = 0.6  # confidence; below it, a fact is shown as uncertain
_OUTER = re.compile(r"^(?:---|#.*(?:::|sam/)|[ \t]+[-*+][ \t])", re.MULTILINE | re.IGNORECASE)
"""What a note needs for its front matter, a heading or an item to say something of other lines."""


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A line of knowledge/. `path`: its note; `number`: of the line, from 1; `kind`: `fact`,
    `rule`, or `log` for a short-lived line; `private`: no model may see it; `sealed`: its note is
    sealed, and it is never shown; `passage`: the one that it stands in, if that may end before
    it."""

    path: str
    number: int
    fact: Fact
    kind: str
    private: bool = False
    sealed: bool = False
    passage: Chunk | None = None

    @property
    def fact_alone(self) -> Fact:
        """Return the fact to be written elsewhere: private by its own tag, if it is private."""
        if not self.private or self.fact.sensitive:
            return self.fact
        return replace(self.fact, tags=(*self.fact.tags, "sensitive"))

    @property
    def category(self) -> str:
        """Return the category: `biographical`, …, or `rule`, by the name of the note; any other
        name for a note of the owner's."""
        name = self.path.rpartition("/")[2].removesuffix(".md").lower()
        return RULE if name == FILES[RULE].removesuffix(".md") else name

    @property
    def tags(self) -> frozenset[str]:
        """Return its tags in lower case, without #, except Sam's own."""
        found = (match[1].lower() for match in TAG.finditer(without_code(self.fact.text)))
        return frozenset(tag for tag in found if not tag.startswith("sam/"))

    @property
    def uncertain(self) -> bool:
        """Return whether it is uncertain: another fact may be true instead."""
        return self.fact.confidence is not None and self.fact.confidence < UNCERTAIN

    @property
    def certain(self) -> Fact:
        """Return the fact without the mark that it is uncertain."""
        return self.fact.with_field("confidence", None) if self.uncertain else self.fact

    @property
    def problems(self) -> list[str]:
        """Return its violations of the rules for its kind, one sentence each."""
        return facts.problems(self.fact, self.kind)

    def fits(self, category: str, tags: Collection[str], *, private: bool = False) -> bool:
        """Return whether it is of that category ("" for any) and has one of the tags, if some are
        given. `private` admits those that no model may see; those of sealed notes never fit."""
        any_tag = {tag.lstrip("#").lower() for tag in tags}
        return (
            not self.sealed
            and (private or not self.private)
            and category in ("", self.category)
            and (not any_tag or bool(any_tag & self.tags))
        )

    def is_valid(self, today: date) -> bool:
        """Return whether the fact is well-formed, and true on that day."""
        is_past = self.passage is not None and not self.passage.active(today)
        return facts.active(self.fact, today) and not is_past and not self.problems


def known_facts(path: str, text: str) -> Iterator[KnownFact]:
    """Yield the facts of a note in knowledge/, including invalid ones. Privacy and end dates in the
    front matter, in a heading or in an item apply to the facts below it."""
    fields, body, skipped = split_front_matter(text)
    of_note, all_log = privacy_of(fields), LOG in words_of(fields.get("kind"))
    rows = lines(body)
    seen = prose(rows)  # without comments
    rule = path.rpartition("/")[2].lower() == FILES[RULE]
    passages = chunks(text) if _OUTER.search(text) else []
    around = {n: each for each in passages for n in range(each.start_line, each.end_line + 1)}
    start = skipped + 1
    for number, (row, shown, code) in enumerate(zip(rows, seen, fenced(rows), strict=True), start):
        if code or not shown.strip():
            continue
        if (found := facts.parse(row)) is not None:
            log = all_log or found.get("kind").lower() == LOG
            kind = LOG if log else RULE if rule else "fact"
            passage = around.get(number)
            private = of_note != "normal" or found.sensitive
            private = private or (passage is not None and passage.privacy != "normal")
            yield KnownFact(path, number, found, kind, private, of_note == "sealed", passage)


def line_of(text: str, name: str) -> str | None:
    """Return the line with that block id, without its line end; None if there is none."""
    return next((row for row in lines(text) if block_id(row) == name), None)


def with_line(text: str, line: str, *, title: str) -> str:
    """Return the note with the line added; unchanged if a line already has its id."""
    name = block_id(line)
    if name is not None and line_of(text, name) is not None:
        return text
    return with_item(text, line, title)


def with_replaced_line(text: str, old: str, new: str) -> str:
    """Return the note with the first line equal to `old` replaced by `new`; unchanged if there is
    none. An empty `new` removes the line."""
    rows = text.split("\n")
    for number, row in enumerate(rows):
        bare = row.removesuffix("\r").removeprefix("\ufeff" if number == 0 else "")
        if bare == old:
            if new:
                rows[number] = row.replace(old, new)
            else:
                del rows[number]
            return "\n".join(rows)
    return text


def archived_line(known: KnownFact, *, reason: str, day: date, by: str = "") -> str:
    """Return the line for the archive: with the last day on which it was true, the reason, and
    `by`, a link to the line that replaced it."""
    fact = known.fact_alone.with_field("superseded_by", by or None).with_field(
        "superseded", None if by else day
    )
    return facts.render(fact.with_field("valid_to", day).with_field("reason", reason))


def unarchived(archived: Fact) -> Fact:
    """Return the fact of an archived line as it was before it was archived."""
    for field in ("superseded", "superseded_by", "valid_to", "reason"):
        archived = archived.with_field(field, None)
    return archived


def superseded_by(archived: Fact) -> str:
    """Return the block id of the line that replaced an archived one; "" without any."""
    return archived.get("superseded_by").partition("#^")[2].removesuffix("]]")


def title_of(path: str) -> str:
    """Return the heading of a new note of that name."""
    return path.rpartition("/")[2].removesuffix(".md").replace("-", " ").capitalize()
