"""The lifetime of lines in knowledge/: archive expired ones, merge old log lines.

Both are idempotent: a line is archived before it is removed, and a merged line names the ones that
it replaces.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from ..errors import EditRefused
from ..log import Log
from ..log.knowledge.facts import FactRow
from ..notes import fact as facts
from ..notes.fact import Fact
from ..notes.markdown import date_in, new_id, wikilink
from ..vault import Vault
from .draft import FILES
from .folder import KnowledgeFolder, fingerprint
from .notes import KnownFact

log = logging.getLogger(__name__)

MERGED_AFTER = timedelta(days=7)
AT_ONCE, LEAST = 5, 2  # lines in one merge
CAUSE = "maintain"
_BLOCK = re.compile(r"#\^([A-Za-z0-9-]+)\]\]")

_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_COUNTED = re.compile(r"(?:for )?(a|an|one|\d{1,4}) (day|week|month|year)s?")
LONGEST_LIFE = 3653  # days, about ten years


@dataclass(frozen=True, slots=True)
class Maintained:
    """Counts of lines that expired, and of lines that were merged."""

    expired: int = 0
    merged: int = 0


async def maintain(vault: Vault, source: Log, today: date) -> Maintained:
    """Archive expired lines, and merge old log lines. Callers own `batch.lock`.

    Pinned lines are left alone.
    """
    folder = KnowledgeFolder(vault)
    expired = 0
    for known in await folder.facts():
        end = known.fact.expires
        if end is not None and end <= today and not known.fact.pinned:
            last = end - timedelta(days=1)
            if await folder.retire(known, reason="expired", day=last, cause=CAUSE):
                expired += 1
                await _archived(source, known)
    merged = await _merge(folder, source, today)
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
        merged += await _absorb(folder, source, known, instead[known.fact.id or ""], today)
    left = [each for each in old if each.fact.id not in instead]
    left.sort(key=lambda each: (each.fact.updated or today, each.number))
    rows, taken = await source.facts.all(), await folder.ids()
    for at in range(0, len(left), AT_ONCE):
        group = left[at : at + AT_ONCE]
        if len(group) < LEAST:
            break
        fact = merged_fact(
            [each.fact for each in group],
            id=new_id(lambda name: name in taken or name in rows),
            links=[folder.archive_of(each.path) for each in group],
        )
        taken.add(fact.id or "")
        path, line = folder.path_of(FILES["contextual"]), facts.render(fact)
        await folder.add(path, line, cause=CAUSE)
        made = facts.parse(line)
        assert made is not None and made.id is not None
        said = {s for each in group if (row := rows.get(each.fact.id or "")) for s in row.sources}
        await source.facts.put(
            [FactRow(made.id, path, fingerprint(made), made.text, tuple(sorted(said)))]
        )
        for known in group:
            merged += await _absorb(folder, source, known, KnownFact(path, 0, made, "fact"), today)
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


def _is_old(known: KnownFact, today: date) -> bool:
    fact = known.fact
    volatile = known.kind == "log" or fact.stability == "volatile"
    return (
        volatile
        and fact.expires is None
        and not fact.pinned
        and fact.id is not None
        and fact.updated is not None
        and today - fact.updated >= MERGED_AFTER
    )


async def _absorb(
    folder: KnowledgeFolder, source: Log, known: KnownFact, by: KnownFact, today: date
) -> int:
    link = wikilink(by.path, by.fact.id or "")
    if not await folder.retire(known, reason="merged", day=today, cause=CAUSE, by=link):
        return 0
    await _archived(source, known)
    return 1


async def _archived(source: Log, known: KnownFact) -> None:
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
        end = day + timedelta(days=1) if said.startswith("until ") else day
        if today < end <= today + timedelta(days=LONGEST_LIFE):
            return end
    raise EditRefused(f"{life!r} is no life: say `for 2 weeks`, or `until 2026-03-01`.")
