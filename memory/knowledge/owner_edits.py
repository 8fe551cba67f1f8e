"""Learn from the owner's edits: their text takes precedence over anything a later batch finds.

A line of knowledge/ that Sam wrote and the owner changed is pinned. Its old text, deleted lines,
and bullets deleted from a day's file get a tombstone, and are not written again. Where the owner
gave a bullet another value, the facts from its messages get it too.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta

from ..errors import EditRefused, NoteUnreadable
from ..log import Log
from ..log.knowledge.facts import FactRow, FactState
from ..notes import daily_note
from ..notes import fact as facts
from ..notes.fact import Fact
from ..notes.kinds import kind_of
from ..notes.markdown import block_id, inert, lines, plain, strip_block_id, wikilink
from ..text.word_forms import normal_form, tomb
from ..vault import Vault
from .consolidate import is_sams
from .decide import is_replaced_by
from .folder import KnowledgeFolder, fingerprint, is_unchanged
from .notes import KnownFact

log = logging.getLogger(__name__)

CAUSE = "the owner's edit"
_REMEMBERED = (
    r"(?m)^(?P<head>- Remembered(?: \([^()\n]*\))?)(?P<text>: .*)?"
    r" (?P<link>\[\[{}#\^(?P<id>[a-z0-9-]+)\]\])(?P<rest>.*\n?)"
)
_EMPTY = re.compile(r"^## \d\d:\d\d:\d\d\n\s*(?=^## |\Z)", re.MULTILINE)
"""The section of a saved note in a day's file, without the note."""
_DATED = re.compile(r"^[-*+]\s+(?:\d{4}-\d{2}-\d{2}: )?")
_MARKS = re.compile(r"(?: \(expires:: [^()\n]*\)| #sam/sensitive)+")
_PART = re.compile(r"^(?:Action|Goal|Done|Next): ")
"""What a bullet may begin with, and a fact does not."""
BULLETS_OF = timedelta(days=14)  # how long a day's file is checked after its day


@dataclass(frozen=True, slots=True)
class OwnerEditCounts:
    """How many lines the owner has changed, and how many he has deleted, since the last check."""

    pinned: int = 0
    deleted: int = 0


@dataclass(frozen=True, slots=True)
class _RecentBullets:
    """The bullets of recent days. `deleted`: by the owner; `present`: they are there, or in
    the file of another such day; `corrected`: what he wrote instead, with another value, and the
    ids of the messages behind it."""

    deleted: list[str]
    present: list[str]
    corrected: list[tuple[str, frozenset[int]]]


async def learn(vault: Vault, source: Log, today: date) -> OwnerEditCounts:
    """Pin lines that the owner changed, add tombstones for lines that he deleted, and remove those
    of lines that he has put back; return the counts. Callers own `batch.lock`.

    A note that is missing with all its lines is ignored: it may still be syncing, or have moved.
    If another note has some of them, it was renamed or merged, and the others were deleted.
    """
    folder = KnowledgeFolder(vault)
    every = await folder.facts()
    known = {each.fact.id: each for each in every if each.fact.id}
    forms = {normal_form(each.fact.text) for each in every}
    archived, present = await folder.archived(), await folder.paths()
    in_work = await source.candidates.decided()
    bullets = await _bullets(vault, source, today)
    changed: list[FactRow] = []
    gone, back = list[str](), list[str]()
    pinned = deleted = 0
    rows = await source.facts.all()
    moved = {row.path for id_, row in rows.items() if id_ in known and known[id_].path != row.path}
    renamed = moved.difference(await _paths(vault)) if moved else moved
    for name, row in rows.items():
        here = known.get(name)
        if row.state == "deleted" and here is not None:
            state: FactState = "owners" if here.fact.pinned else "sams"
            row = replace(row, path=here.path, text=here.fact.text, state=state)
            changed.append(row)
            back.append(tomb(row.text))
        if row.state not in ("sams", "owners") or name in in_work:
            continue
        if here is not None:
            if is_sams(here, rows):
                here = _corrected(here, row, bullets.corrected)
            mark = fingerprint(here.fact)
            if not is_unchanged(here.fact, row):
                try:
                    changed.append(await _pin(folder, here, row, today))
                except EditRefused as why:  # it is being edited: pinned at the next check
                    log.warning("fact=%s is not pinned yet: %s", name, why)
                    continue
                if normal_form(row.text) != normal_form(here.fact.text):
                    gone.append(tomb(row.text))
                pinned += 1
            elif (row.path, row.line_hash) != (here.path, mark):  # moved to another note, unchanged
                changed.append(replace(row, path=here.path, line_hash=mark))
        elif name in archived and _by_sam(archived[name][1]):
            changed.append(replace(row, state="archived"))
        elif row.path in present or row.path in renamed:
            changed.append(replace(row, state="deleted", text=""))
            # Otherwise the owner kept the text and only removed its id.
            if normal_form(row.text) not in forms:
                gone.append(tomb(row.text))
            deleted += 1
    fresh = len(bullets.deleted) - len(await source.forgetting.with_tombstone(bullets.deleted))
    await source.forgetting.remove_tombstones([*back, *bullets.present])
    await source.forgetting.add_tombstones([*gone, *bullets.deleted], CAUSE)
    if changed:
        await source.facts.put(changed)
    if pinned or deleted or fresh:
        log.info("the owner's edits: pinned=%d deleted=%d bullets=%d", pinned, deleted, fresh)
    return OwnerEditCounts(pinned, deleted + fresh)


def _corrected(
    here: KnownFact, row: FactRow, corrected: Iterable[tuple[str, frozenset[int]]]
) -> KnownFact:
    """Return the fact with the value that the owner gave to a bullet from its messages."""
    old = plain(here.fact.text)
    for said, ids in corrected:
        if ids & {*row.sources} and is_replaced_by(said, old):
            return replace(here, fact=replace(here.fact, text=inert(said)))
    return here


def pinned(fact: Fact) -> Fact:
    """Return the fact with the tag `pinned`, so that only the owner may change it."""
    return fact if fact.pinned else replace(fact, tags=(*fact.tags, "pinned"))


async def _pin(folder: KnowledgeFolder, here: KnownFact, row: FactRow, today: date) -> FactRow:
    """Mark the line as the owner's, with today as the date of its statement."""
    fact, reworded = here.fact, normal_form(row.text) != normal_form(here.fact.text)
    fact = pinned(fact)
    if reworded and fact.updated is not None and fact.updated < today:
        fact = fact.with_field("updated", today)
    if fact != here.fact:
        await folder.rewrite(here, fact, cause=CAUSE)
    return replace(row, path=here.path, line_hash=fingerprint(fact), text=fact.text, state="owners")


def _by_sam(line: str) -> bool:
    """Return whether an archived line was superseded or expired, and not removed by the owner."""
    fact = facts.parse(line)
    return fact is not None and bool(fact.superseded or fact.get("valid_to"))


async def update_memory_links(vault: Vault) -> None:
    """Update the links of the days' files to lines of MEMORY.md. Callers own `batch.lock`.

    If the owner has moved a line to another note, or a later line has replaced it, the link leads
    there; if he has deleted the line, the link is removed. Links of an older version, which repeat
    the line's text, lose the text. Without a MEMORY.md nothing is changed.
    """
    memory = vault.own("MEMORY.md")
    text = await vault.read_optional(memory)
    if text is None:
        return
    there = {name for row in lines(text) if (name := block_id(row))}
    old = KnowledgeFolder(vault).archive_of(memory)
    notes = "|".join(re.escape(path.removesuffix(".md")) for path in (memory, old))
    link = re.compile(_REMEMBERED.format(f"(?:{notes})"))
    days = [path for path in await _paths(vault) if kind_of(path, vault.sam_dir) == "summary"]
    texts = {path: await _text(vault, path) or "" for path in days}
    linked = [match for each in texts.values() for match in link.finditer(each)]
    lost = {match["id"] for match in linked} - there
    moved = await _moved(vault, lost, but={memory, *days}) if lost else {}
    for row in lines(await vault.read_optional(old) or "") if lost else ():
        if (name := block_id(row)) in lost:
            moved.setdefault(name or "", wikilink(old, name or ""))

    def follow(match: re.Match[str]) -> str:
        here = wikilink(memory, match["id"])
        link = here if match["id"] in there else moved.get(match["id"])
        return f"{match['head']} {link}{match['rest']}" if link is not None else ""

    def change(text: str) -> str:
        after = link.sub(follow, text)
        return after if _EMPTY.search(text) else _EMPTY.sub("", after)

    for path, note in texts.items():
        if link.sub(follow, note) != note:
            await vault.edit(path, change, cause=CAUSE)


def words_of(row: str) -> str:
    """Return a line of MEMORY.md without its dash, day, marks and id."""
    return _MARKS.sub("", _DATED.sub("", strip_block_id(row).strip()))


async def _paths(vault: Vault) -> list[str]:
    return await asyncio.to_thread(lambda: [file.path for file in vault.notes()])


async def _text(vault: Vault, path: str) -> str | None:
    """Return the note's text; None for one that is missing or cannot be read: it may be too
    large."""
    try:
        return await vault.read_optional(path)
    except NoteUnreadable:
        return None


async def _moved(vault: Vault, lost: Collection[str], but: Collection[str]) -> dict[str, str]:
    """Return id → link of those lines that are in another note now."""
    found: dict[str, str] = {}
    for path in await _paths(vault):
        if path in but:
            continue
        names = {block_id(row) for row in lines(await _text(vault, path) or "")}
        found |= {name: wikilink(path, name) for name in lost if name in names}
    return found


async def _bullets(vault: Vault, source: Log, today: date) -> _RecentBullets:
    written = await source.batches.bullets_since(today - BULLETS_OF)
    texts = {path: await _text(vault, path) for path in written}
    read = {path: daily_note.bullets(text) for path, text in texts.items() if text is not None}
    owners = {path: there - _one_line(written[path]) for path, there in read.items()}
    moved = set[str]().union(*owners.values())
    found = _RecentBullets([], [], [])
    for path, there in read.items():
        gone = [each for each in written[path] if not _one_line([each]) & (there | moved)]
        found.deleted.extend(gone)
        found.present.extend(each for each in written[path] if each not in gone)
        sources = await source.batches.sources_of(path) if gone and owners[path] else {}
        found.corrected.extend(
            (_PART.sub("", plain(said)), frozenset(sources.get(each, ())))
            for each in gone
            for said in sorted(owners[path])
            if is_replaced_by(plain(said), plain(each))
        )
    return found


def _one_line(bullets: Iterable[str]) -> set[str]:
    return {" ".join(each.split()) for each in bullets}
