"""Save a text that a model was given: in MEMORY.md and the day's file, or as a fact.

What the owner asked to remember goes to MEMORY.md for good, and the day's file links to it;
everything else goes to the day's file.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Literal

from ..errors import EditRefused, LockHeld
from ..knowledge.lifetime import end_of
from ..log.batches import line_hash
from ..notes import daily_note
from ..notes import fact as facts
from ..notes.kinds import Privacy
from ..notes.markdown import (
    block_id,
    date_in,
    inert,
    lines,
    new_id,
    plain,
    strip_block_id,
    wikilink,
)
from ..notes.redaction import visible_lines, with_item
from ..text.catalogue import mark, tr
from ..text.grammar import rewords
from ..text.humanize import clipped, one_line
from ..trust import write_policy
from ..trust.provenance import Foreign, Provenance, mostly_in
from . import statements
from .results import Saved, ToolResult

if TYPE_CHECKING:
    from ..core import Memory
    from ..knowledge import Knowledge
    from ..log import Log, Message

log = logging.getLogger(__name__)

OWNER = "owner"
"""The source of texts that the owner asked to remember."""


Kind = Literal[
    "note", "log", "biographical", "preference", "task", "relationship", "contextual", "rule"
]
"""The form of a saved text: a note of the day, a log line, or a fact of that category."""

REPLACED = mark("It replaces: {texts}. /undo brings it back.")
_SHOWN = 200  # characters of a replaced line
_EARLIER = 20  # messages of the session in which the text of a private line is looked for
UNCONFIRMED = 0.6
"""The confidence of a fact that the owner has not said in this turn."""

_SENSITIVE = " #sam/sensitive"
_EXPIRES = re.compile(r" \(expires:: ([^()\n]*)\)")


@dataclass(frozen=True, slots=True)
class SaveMarks:
    """The marks of a saved text. `expires`: the first day on which it is no longer true."""

    kind: Kind
    tags: tuple[str, ...]
    expires: date | None
    sensitive: bool

    @property
    def of_fact(self) -> bool:
        """Return whether it is saved as a fact."""
        return self.kind != "note"

    @property
    def fields(self) -> str:
        """Return the marks as the end of a line in the day's file."""
        expires = f" (expires:: {self.expires})" if self.expires else ""
        return expires + _SENSITIVE * self.sensitive


@dataclass(frozen=True, slots=True)
class Remembered:
    """A line of MEMORY.md: its path without suffix, and its block id, "" if it is the owner's own
    and has none. `known`: it was there before, with the words `says`, "" for a private one.
    `replaced`: the texts of the older lines that it replaces, "" for a private one."""

    path: str
    block: str
    known: bool = False
    says: str = ""
    replaced: tuple[str, ...] = ()


def make_marks(
    kind: Kind, tags: Iterable[str], life: str, privacy: Privacy, today: date
) -> SaveMarks:
    """Return the marks that a model gives to a text. Raises EditRefused for an invalid lifetime."""
    return SaveMarks(kind, tuple(tags), end_of(life, today), privacy == "sensitive")


async def save(
    memory: Memory,
    seen: Provenance | None,
    now: datetime,
    content: str,
    source: str,
    marks: SaveMarks,
    client: str,
) -> ToolResult[Saved]:
    """Write a text down as a fact, or as a line of the day's file, and of MEMORY.md if the owner
    asked for it; return the result for the model.

    Raises EditRefused for what nobody said. `now`: in the owner's time zone.
    """
    vault, today = memory.vault, now.date()
    link, theirs = None, write_policy.source_of_note(seen, content)
    user = await vault.read_optional(vault.own("user.md")) or ""
    is_his = statements.owner_said(seen, content, today, user)
    if theirs is None and not is_his:
        user += await vault.read_optional(vault.own("MEMORY.md")) or ""
        statements.check_said(seen, content, today, user)
    if await is_private(memory, seen):
        marks = replace(marks, sensitive=True)
    if marks.sensitive:
        await keep_private(memory, seen, content)
    if theirs is None and marks.of_fact:
        statements.check_reading(seen, content, is_goal=marks.kind in ("task", facts.RULE))
        said = seen.asked if seen is not None else ()
        return await _save_fact(memory.knowledge, content, marks, said, is_owners=is_his)
    asked = theirs is None and source.strip().lower() == OWNER
    if asked and is_his:
        link = await _add_to_memory_file(memory, content, today, marks)
    words = content
    if theirs is not None:
        content, source = theirs.says(content), ""
    item = _day_line(content, source.strip(), link, client)
    item += marks.fields if link is None else ""
    refused = attribution(theirs) or (statements.NOT_HIS if asked and not is_his else "")

    def change(text: str) -> str:
        if f"- {item}" in map(str.rstrip, lines(text)):
            return text
        return daily_note.append_note(text, today, now.time(), item)

    edited = await vault.edit(memory.day_path(today), change, cause="save_memory")
    await _record_sources(memory.log, seen, item, link)
    paths = [*([f"{link.path}.md"] if link is not None else []), edited.path]
    if link is not None and link.known:
        return ToolResult(_known(paths[0], link.says), Saved(paths, known=True, says=link.says))
    text = f"Saved in {' and '.join(paths)}{refused}.{_replacement_notice(link)}"
    says = "" if edited.changed or marks.sensitive else clipped(one_line(words), _SHOWN)
    return ToolResult(text, Saved(paths, known=not edited.changed, says=says))


async def is_private(memory: Memory, seen: Provenance | None) -> bool:
    """Return whether the owner has called a message of this turn private: then so is what the model
    saves, whatever it says of it."""
    asked = await memory.log.messages.by_ids(seen.asked if seen is not None else ())
    return any(row.privacy != "normal" for row in asked)


async def keep_private(memory: Memory, seen: Provenance | None, content: str) -> None:
    """Give the messages that a private text comes from its privacy: those of this turn, and of the
    last ones those that say most of it. What a summary was made of stays as it is."""
    asked = await memory.log.messages.by_ids(seen.asked if seen is not None else ())
    if not asked:
        return
    before = await memory.log.messages.of_session(
        asked[0].session_id, before=asked[0].id, most=_EARLIER
    )
    said = [
        row
        for row in before
        if row.role == "user" and row.state == "pending" and mostly_in(content, [row.text])
    ]
    await memory.log.turns.make_sensitive(row.id for row in [*said, *asked])


async def hide_saved(memory: Memory, message: Message) -> None:
    """Make private what was saved from a message: facts, and lines of MEMORY.md and the file of its
    day. Raises what an edit of the notes may raise."""
    await memory.knowledge.hide(message.id)
    names = await memory.log.saved.names([message.id])
    hidden: list[str] = []

    def change(text: str) -> str:
        rows = text.split("\n")
        for number, row in enumerate(rows):
            bare, name = strip_block_id(row), block_id(row)
            known = f"^{name}" if name else line_hash(bare.strip().removeprefix("- "))
            if known in names and _SENSITIVE not in row and not daily_note.is_mere_link(bare):
                rows[number] = f"{bare}{_SENSITIVE}" + (f" ^{name}" if name else "")
                hidden.append(line_hash(rows[number].strip().removeprefix("- ")))
        return "\n".join(rows)

    day = memory.day_path(message.sent_at.astimezone(memory.zone).date())
    for path in (memory.vault.own("MEMORY.md"), day) if names else ():
        if await memory.vault.read_optional(path) is not None:
            await memory.vault.edit(path, change, cause="edit_memory")
    await memory.log.saved.put(hidden, [message.id])


async def _save_fact(
    knowledge: Knowledge, content: str, marks: SaveMarks, sources: Iterable[int], *, is_owners: bool
) -> ToolResult[Saved]:
    """Write a fact from these messages; return the result for the model. Raises EditRefused for one
    that its kind forbids, and for a rule that the owner did not give."""
    if marks.kind == facts.RULE and not is_owners:
        raise EditRefused("A rule is the owner's to give: ask him to say it in words of his own.")
    known, is_new = await knowledge.save(
        content,
        marks.kind,
        expires=marks.expires,
        tags=marks.tags,
        sensitive=marks.sensitive,
        confidence=1.0 if marks.kind == facts.RULE else None if is_owners else UNCONFIRMED,
        evidence="what the owner asked for" if marks.kind == facts.RULE else "",
        sources=sources,
    )
    said = "" if is_owners else ", as not confirmed: the owner has not said so in this turn"
    says = "" if is_new or known.private else clipped(one_line(plain(known.fact.text)), _SHOWN)
    text = f"Saved in {known.path}{said}." if is_new else _known(known.path, says)
    return ToolResult(text, Saved([known.path], known=not is_new, says=says))


def remember(
    text: str, content: str, day: date, marks: SaveMarks
) -> tuple[str, str, tuple[str, bool] | None]:
    """Return MEMORY.md with a dated line that says so; the block id of the line ("" if the owner's
    own line has none); and the words of a line that says so already, and whether it is private, or
    None.

    Such a line is not written twice: it holds as long as the longer-lived of both,
    and is private if either is. One that has expired does not count.
    """
    seen = visible_lines(text)
    for number, row in enumerate(lines(text)):
        if not seen[number].strip():
            continue  # in a comment, which no model sees
        body, end, private = _split_line(strip_block_id(row).strip().removeprefix("- "))
        bare = facts.unmarked(body)  # also without a pin
        dated, _, rest = bare.partition(": ")
        said = [plain(bare), *([plain(rest)] if len(dated) == 10 else [])]
        if not any(rewords(content, each) for each in said) or (end is not None and end <= day):
            continue
        ends = [each for each in (end, marks.expires) if each is not None]
        both = replace(
            marks,
            expires=max(ends) if len(ends) == 2 else None,
            sensitive=marks.sensitive or private,
        )
        name = block_id(row)
        if (both.expires, both.sensitive) == (end, private):
            return text, name or "", (said[-1], private)
        head = row[: len(row) - len(row.lstrip())] + "- " * row.lstrip().startswith("- ")
        line = f"{head}{body}{both.fields}" + (f" ^{name}" if name else "")
        raw = text.split("\n")
        raw[number] = raw[number].replace(row, line)
        return "\n".join(raw), name or "", (said[-1], both.sensitive)
    block = new_id({block_id(row) for row in lines(text)}.__contains__)
    item = f"- {day.isoformat()}: {inert(content)}{marks.fields} ^{block}"
    return with_item(text, item, "Memory"), block, None


async def _add_to_memory_file(
    memory: Memory, content: str, day: date, marks: SaveMarks
) -> Remembered:
    """Write one dated line into MEMORY.md. Unless it has an end, lines with another value for the
    same thing are archived."""
    block, known = "", None

    def change(text: str) -> str:
        nonlocal block, known
        after, block, known = remember(text, content, day, marks)
        return after

    edited = await memory.vault.edit(memory.vault.own("MEMORY.md"), change, cause="save_memory")
    path = edited.path.removesuffix(".md")
    if known is not None:
        says = "" if known[1] else clipped(one_line(known[0]), _SHOWN)
        return Remembered(path, block, known=True, says=says)
    replaced: list[str] = []
    if block and marks.expires is None:
        try:
            replaced = await memory.knowledge.archive_replaced_by(content, edited.path, block)
        except LockHeld:  # the line counts all the same: recall puts the newest first
            log.info("nothing is compared with a remembered line: a summary is being written")
    return Remembered(path, block, replaced=tuple(replaced))


def _replacement_notice(link: Remembered | None) -> str:
    """Return what to add to the answer: the texts that a remembered line replaces. A model may read
    it, so that a private one is not quoted."""
    private = tr("a private line: /changes shows it")
    replaced = link.replaced if link else ()
    texts = "; ".join(clipped(one_line(each), _SHOWN) or private for each in replaced)
    return " " + tr(REPLACED, texts=texts) if texts else ""


async def _record_sources(
    log: Log, seen: Provenance | None, item: str, link: Remembered | None
) -> None:
    """Record which messages of the owner's a line of the day came from, and the one of MEMORY.md to
    which it links."""
    if seen is not None and seen.asked:
        names = [line_hash(item), *([f"^{link.block}"] if link is not None and link.block else [])]
        await log.saved.put(names, seen.asked)


def _known(path: str, says: str) -> str:
    """Return the sentence for a model about a text that a line says already."""
    return f"{path} says so already: “{says}”." if says else f"{path} says so already."


def _split_line(row: str) -> tuple[str, date | None, bool]:
    """Split a line of MEMORY.md into its text, the day on which it ends, and whether it is
    private."""
    end = _EXPIRES.search(row)
    bare = _EXPIRES.sub("", row).replace(_SENSITIVE, "")
    return bare.rstrip(), date_in(end[1]) if end else None, _SENSITIVE in row


def _day_line(content: str, source: str, link: Remembered | None, client: str = "") -> str:
    """Return the line of the day's file, without its dash and marks. `link`: the line of MEMORY.md,
    which alone has the text then; `client`: the program that wrote it, which is its
    source where it names none."""
    named = client if source in ("", "manual", OWNER) else source
    named = f" ({inert(named)})" if named else ""
    if link is not None:
        return f"Remembered{named} {wikilink(link.path, link.block)}"
    return f"Note{named}: {inert(content)}"


def attribution(source: Foreign | None) -> str:
    """Return the notice that a note was saved as another person's words."""
    if source is None:
        return ""
    return (
        f", as what {source.who} said. It is not the owner's word, and does not stand in MEMORY.md:"
        " tell him so, and that it can once he says it himself"
    )
