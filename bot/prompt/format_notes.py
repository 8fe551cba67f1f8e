"""Format notes and hits for the model. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache

from memory import Hit, Message
from memory.notes import (
    block_id,
    headings,
    is_mere_link,
    is_summary,
    lines,
    plain,
    split_front_matter,
)
from memory.notes import redaction as seen
from memory.text import ENGLISH, age, speaking, tr
from memory.tools import ALONE, Around, name_of_another
from memory.tools import line as line_of

from .history import foreign_remark
from .layout import ShownHit

OWNERS = "the owner"  # who has said a message, in its title
_OF_MESSAGE = re.compile(r"Conversation of (\d{4}-\d\d-\d\d): (.+)")
_FOREIGN = re.compile(r"(\w+)(?:,? (?:by )?(.*))?: not the owner's own words")  # foreign_remark
OLD = timedelta(days=60)  # from then on a hit says how long ago it is
CONTEXT = 200  # characters of what was said before or after a hit


@lru_cache(maxsize=32)  # turns keep showing the same few notes, mostly unchanged
def readable(
    text: str,
    path: str,
    today: date,
    *,
    sam_dir: str = "",
    known: frozenset[str] = frozenset(),
    only: frozenset[str] | None = None,
) -> str:
    """Return a note's prose for the context, without private and expired lines.

    Front matter, comments and block ids are removed, and so are links to lines of MEMORY.md, which
    is shown itself, and the sections of a day's file whose batch is in `known`; the owner's
    sections stay. With `only`, nothing but the sections of these batches is left.
    """
    gone = set(range(1, split_front_matter(text)[2] + 1))
    gone |= seen.withheld(text, path, sam_dir, today=today) | _sections(text, known)
    gone |= _mere_links(text)
    if only is not None:
        gone |= {*range(1, len(lines(text)) + 1)} - _sections(text, only)
    rows: list[str] = []
    for number, row in enumerate(seen.visible_lines(text), 1):
        # Blank lines around removed parts become one.
        if number not in gone and (row.strip() or (rows and rows[-1])):
            rows.append(row.rstrip())
    body = "\n".join(rows).strip()
    # A note with only a title is empty.
    return body if any(row and not row.startswith("#") for row in rows) else ""


def _extents(rows: list[str]) -> list[range]:
    """Return the lines of each section, from 0, with its heading."""
    starts = [heading.line for heading in headings(rows) if heading.level <= 2]
    ends = [*starts[1:], len(rows)]  # one extra entry where there are no headings
    return list(map(range, starts, ends))


def _sections(text: str, known: Collection[str]) -> set[int]:
    """Return the lines, from 1, of the sections with one of those block ids."""
    rows = lines(text)
    return {
        number + 1
        for extent in _extents(rows)
        if any(block_id(rows[number]) in known for number in extent if block_id(rows[number]))
        for number in extent
    }


def _mere_links(text: str) -> set[int]:
    """Return the lines, from 1, that only link to MEMORY.md, and the sections of nothing else."""
    rows = lines(text)
    links = {number for number, row in enumerate(rows) if is_mere_link(row)}
    for extent in _extents(rows) if links else ():
        said = {number for number in extent[1:] if rows[number].strip()}
        if said and said <= links:
            links.update(extent)
    return {number + 1 for number in links}


def passage(
    hit: Hit, messages: Mapping[int, Message], around: Around = ALONE, today: date | None = None
) -> ShownHit:
    """Convert a hit into a search result. `messages`: by id, for the speakers; `around`: its
    context. With `today` an old one says its age."""
    said = messages.get(hit.message_ids[0]) if hit.kind == "message" and hit.message_ids else None
    before, after = (line_of(row, CONTEXT) if row is not None else "" for row in around)
    with speaking(ENGLISH):  # it is for the model
        text, marks = hit.dated_text, _marks(hit, today)
    if hit.kind == "message":
        title = f"Conversation of {hit.date}: {_speaker(hit, said)}"
        return ShownHit(hit.path, title, text, marks, before, after, hit.score)
    lines_ = f"{hit.start_line}-{hit.end_line}" if hit.end_line > hit.start_line else hit.start_line
    name = hit.heading or hit.name
    if hit.kind == "summary":  # its last heading alone is a time of day
        name = name.replace(" > ", ", ")
    title = f"{name} ({hit.date})" if hit.date and str(hit.date) not in name else name
    return ShownHit(f"{hit.path}:{lines_}", title, text, marks, score=hit.score)


def _marks(hit: Hit, today: date | None) -> tuple[str, ...]:
    is_old = today is not None and hit.date is not None and today - hit.date >= OLD
    old = age(hit.date, today) if today is not None and is_old else ""
    return tuple(filter(None, ("weak" if hit.weak else "", hit.outdated, old)))


def _speaker(hit: Hit, said: Message | None) -> str:
    if hit.role == "assistant":
        return "Sam"
    if said is not None and said.origin != "owner":
        return foreign_remark(said)
    return OWNERS


def readers_title(title: str) -> str:
    """Return a passage's title in the owner's language; a message's is written for models."""
    if (found := _OF_MESSAGE.fullmatch(title)) is None:
        return title
    day, speaker = found.groups()
    shown = tr("Conversation of {day}", day=day)
    if speaker == OWNERS:
        return shown
    if another := _FOREIGN.fullmatch(speaker):
        speaker = name_of_another(another[2] or "", another[1], tr("You"))
    return f"{shown}: {speaker}"


def line(hit: Hit) -> str:
    """Format a rule or a summary on one line, with its day: its parts without their dashes."""
    with speaking(ENGLISH):  # it is for the model
        text, outdated = hit.dated_text, hit.outdated
    rows = (" ".join(row.split()) for row in lines(text))
    bare = (row.removeprefix("- ").removeprefix("**Summary**: ") for row in rows if row)
    about = ", ".join(filter(None, (f"{hit.date or ''}", outdated)))
    said = "; ".join(bare)
    return f"[{about}] {said}" if about else said


@lru_cache(maxsize=16)  # as `readable`
def _on_one_line(text: str) -> str:
    return " ".join(text.split())


class Fresh:
    """Select hits that are not in the context yet, from several lists; each is used once.

    `texts`: the texts in the context; `messages`: the ids of its messages; `written`: the lines of
    days' files that came from those messages alone.
    """

    def __init__(
        self, texts: Iterable[str], messages: Collection[int], written: Iterable[str]
    ) -> None:
        self._whole = "\n".join(map(_on_one_line, texts))
        self._messages = frozenset(messages)
        self._written = frozenset(map(plain, written))
        self._taken: set[int] = set()

    def select(self, hits: Iterable[Hit], limit: int) -> list[Hit]:
        """Return the first hits that come from neither those messages nor those texts, and that are
        not shown as the context of others."""
        kept: list[Hit] = []
        for hit in hits:
            if len(kept) == limit:
                break
            if hit.chunk_id in self._taken or self._is_said(hit) or _is_context(hit, kept):
                continue
            if all(map(is_mere_link, filter(str.strip, lines(hit.text)))):
                continue  # MEMORY.md is in the context
            if " ".join(hit.text.split()) not in self._whole:
                self._taken.add(hit.chunk_id)
                kept.append(hit)
        return kept

    def _is_said(self, hit: Hit) -> bool:
        if hit.kind == "summary":
            rows = {row.removeprefix("- ") for row in lines(hit.text) if not is_summary(row)}
            return bool(rows) and self._written.issuperset(rows)
        return bool(hit.message_ids) and self._messages.issuperset(hit.message_ids)


def _is_context(hit: Hit, kept: Sequence[Hit]) -> bool:
    """Return whether a hit is Sam's short answer to a kept message, to be shown behind it."""
    if hit.role != "assistant" or not hit.message_ids or len(hit.text) > CONTEXT:
        return False
    answered = ((hit.message_ids[0] - 1,), hit.chat)
    return any((each.message_ids, each.chat) == answered for each in kept if each.is_message)
