"""The lifetime of lines in knowledge/: archive expired ones, merge old log lines; and merge old
notes of kind log.

All are idempotent: a line is archived before it is removed, and what is merged names what it
replaces. A merged note stays where it is, so that links to it still lead somewhere; its
`superseded_by` takes it out of recall.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial

from ..dates.calendar import add
from ..errors import EditRefused
from ..log import Log
from ..notes import fact as facts
from ..notes.fact import Fact
from ..notes.kinds import AUTHOR, WRITTEN
from ..notes.markdown import (
    date_in,
    headings,
    new_id,
    newline,
    privacy_of,
    split_front_matter,
    tags_of,
    wikilink,
    words_of,
)
from ..vault import Vault
from .draft import FILES, LOG
from .folder import KnowledgeFolder, row_of
from .notes import KnownFact

log = logging.getLogger(__name__)

MERGED_AFTER = timedelta(days=7)
AT_ONCE, LEAST = 5, 2  # lines in one merge
CAUSE = "maintain"
DEEPEST = 6  # level of a heading
_NOTE = re.compile(r"\[\[([^\[\]#|]+)\]\]")
_BLOCK = re.compile(r"#\^([A-Za-z0-9-]+)\]\]")

_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_COUNTED = re.compile(r"(?:for )?(a|an|one|\d{1,4}) (day|week|month|year)s?")
LONGEST_LIFE = 3653  # days, about ten years


@dataclass(frozen=True, slots=True)
class Maintained:
    """Counts of lines that expired, and of lines and notes that were merged."""

    expired: int = 0
    merged: int = 0


async def maintain(vault: Vault, source: Log, today: date) -> Maintained:
    """Archive expired lines, and merge old lines and notes of kind log; return the counts. Callers
    own `batch.lock`.

    Pinned lines are left alone. So are sealed ones, because their copy in the archive would not be
    sealed.
    """
    folder = KnowledgeFolder(vault)
    expired = 0
    for known in [each for each in await folder.facts() if not each.sealed]:
        end = known.fact.expires
        if end is not None and end <= today and not known.fact.pinned:
            last = add(end, -1)
            if await folder.retire(known, reason="expired", day=last, cause=CAUSE):
                expired += 1
                await record_archived(source, known)
    merged = await _merge(folder, source, today) + await _merge_notes(vault, source, today)
    if expired or merged:
        log.info("maintained knowledge: expired=%d merged=%d", expired, merged)
    return Maintained(expired, merged)


async def _merge(folder: KnowledgeFolder, source: Log, today: date) -> int:
    every = await folder.facts()
    instead = {
        name: known for known in every for name in _BLOCK.findall(known.fact.get("supersedes"))
    }
    old = [each for each in every if _is_old(each, today)]
    merged = 0
    for known in [each for each in old if each.fact.id in instead]:  # left by a crash
        by = instead[known.fact.id or ""]
        merged += await _absorb(folder, source, known, by.path, by.fact.id or "", today)
    left = [each for each in old if each.fact.id not in instead]
    apart = await source.forgetting.with_tombstone([no_merge_key(f"^{k.fact.id}") for k in left])
    left = [each for each in left if no_merge_key(f"^{each.fact.id}") not in apart]
    left.sort(key=lambda each: (each.fact.updated or today, each.number))
    rows, taken = await source.facts.all(), await folder.ids()
    for at in range(0, len(left), AT_ONCE):
        group = left[at : at + AT_ONCE]
        if len(group) < LEAST:
            break
        fact = merged_fact(
            [each.fact_alone for each in group],
            id=new_id(lambda name: name in taken or name in rows),
            links=[folder.archive_of(each.path) for each in group],
        )
        taken.add(fact.id or "")
        path, line = folder.path_of(FILES["contextual"]), facts.render(fact)
        await folder.add(path, line, cause=CAUSE)
        said = {s for each in group if (row := rows.get(each.fact.id or "")) for s in row.sources}
        await source.facts.put([row_of(path, line, tuple(sorted(said)))])
        for known in group:
            merged += await _absorb(folder, source, known, path, fact.id or "", today)
    return merged


def merged_fact(group: Sequence[Fact], *, id: str, links: Sequence[str]) -> Fact:
    """Return one fact for several lines: all their texts, the strictest privacy, the lowest
    confidence. `links`: the archived note of each."""
    days = [fact.updated for fact in group if fact.updated]
    sure = [fact.confidence for fact in group if fact.confidence is not None]
    span = f"{min(days)} to {max(days)}: " if days else ""
    made = facts.new(
        "",
        id=id,
        updated=max(days, default=None),
        confidence=min(sure, default=None),
        supersedes=", ".join(
            wikilink(path, fact.id or "") for path, fact in zip(links, group, strict=True)
        ),
    )
    private = ("sensitive",) if any(fact.sensitive for fact in group) else ()
    # The texts come from a note, so they are already inert.
    return replace(made, text=span + "; ".join(fact.text for fact in group), tags=private)


def no_merge_key(name: str) -> str:
    """Return the text of the tombstone that keeps a line (`^id`) or a note (its path without
    suffix) from being merged again after the owner has undone a merge."""
    return f"apart: {name}"


def _is_old(known: KnownFact, today: date) -> bool:
    fact = known.fact
    volatile = known.kind == "log" or fact.stability == "volatile"
    return (
        volatile
        and not known.sealed
        and fact.expires is None
        and not fact.pinned
        and fact.id is not None
        and fact.updated is not None
        and today - fact.updated >= MERGED_AFTER
    )


async def _absorb(
    folder: KnowledgeFolder, source: Log, known: KnownFact, path: str, by: str, today: date
) -> int:
    """Archive a line that the one with the id `by` in that note replaces."""
    link = wikilink(path, by)
    if not await folder.retire(known, reason="merged", day=today, cause=CAUSE, by=link):
        return 0
    await record_archived(source, known)
    return 1


# ── notes of kind log ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class LogNote:
    """A note of kind log that Sam wrote. `path` has no suffix."""

    path: str
    created: date
    title: str
    body: tuple[str, ...]
    confidence: float | None
    sensitive: bool


def log_note(path: str, text: str) -> LogNote | None:
    """Parse a note of kind log that Sam wrote. Return None if it must not be merged: it is another
    note, it has an end, or it is sealed or pinned."""
    fields, body, _ = split_front_matter(text)
    created = date_in(fields.get("created"))
    tags = {tag.lower() for tag in tags_of(fields)}
    if (
        fields.get("author") != AUTHOR
        or LOG not in words_of(fields.get("kind"))
        or created is None
        or "sam/pinned" in tags
        or privacy_of(fields) == "sealed"
        or any(fields.get(name) for name in ("expires", "superseded", "superseded_by"))
    ):
        return None
    rows = [row.rstrip("\r") for row in body.strip().split("\n")]
    name = path.rpartition("/")[2].removesuffix(".md")
    if rows[0].startswith("# "):
        name = rows.pop(0).removeprefix("# ").strip()
    for heading in headings(rows):
        if heading.level < DEEPEST:
            rows[heading.line] = f"#{rows[heading.line]}"
    sure = fields.get("confidence")
    confidence = facts.new("", id="", confidence=sure).confidence
    return LogNote(
        path.removesuffix(".md"),
        created,
        name,
        tuple(rows),
        confidence,
        privacy_of(fields) == "sensitive",
    )


def merged_note(group: Sequence[LogNote], title: str, today: date) -> str:
    """Return one note for several: all their texts, the strictest privacy, the lowest
    confidence."""
    sure = [each.confidence for each in group if each.confidence is not None]
    head = [
        "---",
        f"created: {today}",
        f"author: {AUTHOR}",
        *["privacy: sensitive"] * any(each.sensitive for each in group),
        *([f"confidence: {min(sure)}"] if sure else []),
        "supersedes:",
        *(f"  - {json.dumps(wikilink(each.path), ensure_ascii=False)}" for each in group),
        "---",
    ]
    parts = ["\n".join(head), f"# {title}"]
    for each in group:
        parts += [f"## {each.title} ({each.created})", "\n".join(each.body).strip()]
    return "\n\n".join(part for part in parts if part) + "\n"


def with_successor(text: str, path: str) -> str:
    """Return the note with `superseded_by` in its front matter; unchanged if it may not be
    merged."""
    if log_note("", text) is None:
        return text
    rows, (_, _, skipped) = text.split("\n"), split_front_matter(text)
    end = newline(text).removesuffix("\n")
    link = json.dumps(wikilink(path), ensure_ascii=False)
    rows.insert(skipped - 1, f"superseded_by: {link}{end}")
    return "\n".join(rows)


async def _merge_notes(vault: Vault, source: Log, today: date) -> int:
    """Merge Sam's old notes of kind log, and link each to the note that replaces it."""
    texts = await asyncio.to_thread(_written, vault)
    by = {
        name: path.removesuffix(".md")
        for path, text in texts.items()
        for said in words_of(split_front_matter(text)[0].get("supersedes"))
        for name in _NOTE.findall(said)
    }
    found = [note for path, text in texts.items() if (note := log_note(path, text))]
    old = [each for each in found if today - each.created >= MERGED_AFTER]
    merged = 0
    for each in [each for each in old if each.path in by]:  # left by a crash
        merged += await _supersede(vault, each, by[each.path])
    left = [each for each in old if each.path not in by]
    apart = await source.forgetting.with_tombstone([no_merge_key(each.path) for each in left])
    left = [each for each in left if no_merge_key(each.path) not in apart]
    left.sort(key=lambda each: (each.created, each.path))
    for at in range(0, len(left), AT_ONCE):
        group = left[at : at + AT_ONCE]
        if len(group) < LEAST:
            break
        title = f"Log {group[0].created} to {group[-1].created}"
        path = await _free(vault, title)
        text = merged_note(group, title, today)
        await vault.edit(f"{path}.md", partial(_or, text), cause=CAUSE)
        for each in group:
            merged += await _supersede(vault, each, path)
    return merged


def _or(new: str, there: str) -> str:
    return there or new


async def _supersede(vault: Vault, note: LogNote, path: str) -> bool:
    change = partial(with_successor, path=path)
    return await vault.edit_existing(f"{note.path}.md", change, cause=CAUSE) is not None


async def _free(vault: Vault, title: str) -> str:
    """Return a path in notes/, without suffix, that no note has."""
    path, number = vault.own(f"{WRITTEN}/{title}"), 1
    while await vault.read_optional(f"{path}.md") is not None:
        number += 1
        path = vault.own(f"{WRITTEN}/{title} {number}")
    return path


def is_written(vault: Vault, path: str) -> bool:
    """Return whether the path is that of a note in Sam's folder notes/."""
    return path.startswith(f"{vault.own(WRITTEN)}/")


def _written(vault: Vault) -> dict[str, str]:
    """Map the paths of the notes in Sam's notes/ to their texts; for a thread."""
    found = vault.load_each(filter(vault.is_indexed, vault.in_folder(WRITTEN)))
    return {path: note.text for path, note in found}


# ─────────────────────────────────────────────────────────────────────────────────────────────────


async def record_archived(source: Log, known: KnownFact) -> None:
    """Record that a line is in the archive, if Sam wrote it."""
    row = await source.facts.by_id(known.fact.id) if known.fact.id else None
    if row is not None:
        await source.facts.put([replace(row, state="archived")])


def end_of(life: str, today: date) -> date | None:
    """Return the first day after a lifetime like "for a week", "30 days" or "until 2026-03-01";
    None for "", which means no end. Raises EditRefused for an invalid lifetime, or one that is
    over."""
    said = " ".join(life.lower().split())
    if said in ("", "for ever", "forever", "permanent"):
        return None
    if match := _COUNTED.fullmatch(said):
        days = (int(match[1]) if match[1].isdecimal() else 1) * _DAYS[match[2]]
        if 0 < days <= LONGEST_LIFE:
            return today + timedelta(days=days)
    elif day := date_in(said):
        # "until" includes its day; a bare date is the first day after the end.
        end = add(day, 1) if said.startswith("until ") else day
        if today < end <= today + timedelta(days=LONGEST_LIFE):
            return end
    raise EditRefused(f"{life!r} is no life: say `for 2 weeks`, or `until 2026-03-01`.")
