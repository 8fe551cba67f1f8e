"""Take back the facts that came only from messages that were forgotten or edited.

What such a fact superseded is current again. Lines that the owner has changed are kept. Callers own
`batch.lock`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import TypeVar

from ..log import Log
from ..log.knowledge.facts import FactRow
from ..notes import fact as facts
from ..text.word_forms import normal_form, tomb
from ..vault import Vault
from . import notes
from .folder import KnowledgeFolder, fingerprint, is_unchanged
from .notes import KnownFact

EDITED = "its message was edited"
"""The reason of an archived line that is never current again: nobody says so any more."""
FoundT = TypeVar("FoundT")


@dataclass(frozen=True, slots=True)
class FactLine:
    """One line, in knowledge/ or in archive/. `fact`: its id."""

    path: str
    line: str
    fact: str

    @property
    def tombstone_texts(self) -> tuple[str, str]:
        """Return the two texts whose tombstones keep the line from being written again: the line
        without its list marker, and its statement."""
        fact = facts.parse(self.line)
        bare = self.line.strip().lstrip("-*+").strip()
        return bare, tomb(fact.text if fact else bare)


async def lines_from_each(
    vault: Vault, source: Log, groups: Sequence[Collection[int]]
) -> list[list[FactLine]]:
    """Return for each group of message ids the lines of the facts that came from this group
    alone."""
    folder, found = KnowledgeFolder(vault), list[tuple[FactLine, str]]()
    every = await source.facts.alone_from(frozenset[int]().union(*groups))
    if not every:
        return [[] for _ in groups]
    rows = {row.id: row for row in every}
    for known in await folder.facts():
        if (name := known.fact.id) and _is_unchanged(known, rows):
            found.append((FactLine(known.path, known.fact.line, name), name))
    for name, (path, line) in (await folder.archived()).items():
        if name in rows:
            found.append((FactLine(path, line, name), name))
    said = await source.messages.by_ids({id_ for row in every for id_ in row.sources})
    there = {message.id for message in said if message.state != "forgotten"}
    of_message: dict[int, set[str]] = {}
    for row in every:
        for id_ in row.sources:
            of_message.setdefault(id_, set()).add(row.id)
    alone = []
    for group in map(frozenset, groups):
        ids = {name for id_ in group for name in of_message.get(id_, ())}
        alone.append({name for name in ids if not there & {*rows[name].sources} - group})
    return by_group(found, alone)


def by_group(
    found: Sequence[tuple[FoundT, str]], groups: Sequence[Collection[str]]
) -> list[list[FoundT]]:
    """Return for each group of names those that were found by one of these names, in order."""
    places = dict[str, list[int]]()
    for n, (_, name) in enumerate(found):
        places.setdefault(name, []).append(n)
    return [
        [found[n][0] for n in sorted(n for name in {*names} for n in places.get(name, ()))]
        for names in groups
    ]


async def delete_lines(vault: Vault, found: Sequence[FactLine], *, cause: str) -> None:
    """Delete these lines from their notes. Idempotent. Raises what `Vault.edit` raises."""
    for each in found:
        change = partial(notes.with_replaced_line, old=each.line, new="")
        await vault.edit_existing(each.path, change, cause=cause)


async def archive(vault: Vault, source: Log, messages: Collection[int], today: date) -> None:
    """Archive the facts that came only from these messages, which were edited, and restore what
    they superseded or ended. Idempotent."""
    folder = KnowledgeFolder(vault)
    rows = {row.id: row for row in await source.facts.alone_from(messages)}
    await restore_ended(vault, source, messages, today)
    if not rows:
        return
    await restore(vault, source, rows, today)
    for known in await folder.facts():
        if _is_unchanged(known, rows):
            cause = f"retire {known.fact.id}"
            await folder.retire(known, reason=EDITED, day=today, cause=cause)
    for known in await folder.past():
        fact = known.fact
        if fact.id in rows and notes.superseded_by(fact) and fact.get("reason") != EDITED:
            edited = fact.with_field("reason", EDITED)
            await folder.rewrite(known, edited, cause=f"retire {fact.id}")
    there = {each.fact.id for each in await folder.facts()}
    gone = [row for name, row in rows.items() if row.state == "sams" and name not in there]
    await source.facts.put([replace(row, state="archived") for row in gone])


async def restore(
    vault: Vault, source: Log, gone: Collection[str], today: date, *, forgotten: str = ""
) -> None:
    """Replace the facts with these ids by what they superseded, unless the owner has changed or
    deleted that, or another line says the same. Idempotent.

    `forgotten`: the cause, if they are forgotten. Otherwise they are archived, as EDITED."""
    folder, rows = KnowledgeFolder(vault), await source.facts.all()
    every = await folder.facts()
    known = {each.fact.id: each for each in every if each.fact.id}
    forms = {normal_form(each.fact.text) for each in every if each.is_valid(today)}
    older = {notes.superseded_by(each.fact): each for each in await folder.past()}
    for name in gone:
        old = _superseded(name, older, gone)
        if old is None:
            continue
        cause = forgotten or f"retire {name}"
        # Otherwise it is already restored: a crash came before the last step.
        if old.fact.id not in known:
            new, row = known.get(name), rows.get(old.fact.id or "")
            if new is None or row is None or not _is_unchanged(new, rows):
                continue
            back = notes.unarchived(old.fact)
            if not await _may_return(source, old, row, forms, today):
                continue
            # Before the lines are changed, or `learn` would take them for deleted by the owner.
            # After a crash, it marks the fact whose line is only in archive/ as archived again.
            now = replace(row, path=new.path, line_hash=fingerprint(back), state="sams")
            await source.facts.put([now, replace(rows[name], state="archived")])
            if forgotten:
                await folder.rewrite(new, back, cause=cause)
            else:
                # Its link would lead nowhere: what it superseded leaves the archive.
                new = replace(new, fact=new.fact.with_field("supersedes", None))
                line = facts.render(back)
                await folder.retire(new, reason=EDITED, day=today, cause=cause, instead=line)
        copy = FactLine(old.path, old.fact.line, old.fact.id or "")
        await delete_lines(vault, [copy], cause=cause)


async def restore_remembered(
    vault: Vault, source: Log, blocks: Collection[str], today: date, cause: str
) -> None:
    """Bring back the facts and the lines of MEMORY.md that lines of MEMORY.md with these block ids
    replaced, before those are forgotten, on the conditions of `restore`. Idempotent.

    What was replaced by several in turn returns only if the last of them goes."""
    folder, rows, memory = KnowledgeFolder(vault), await source.facts.all(), vault.own("MEMORY.md")
    archive = folder.archive_of(memory)
    remembered = list(notes.known_facts(archive, await vault.read_optional(archive) or ""))
    newer = {each.fact.id: notes.superseded_by(each.fact) for each in remembered}
    every = await folder.facts()
    for old in [*await folder.past(), *remembered]:
        block, passed = notes.superseded_by(old.fact), set[str]()
        while newer.get(block) and block in blocks and block not in passed:
            passed.add(block)
            block = newer[block]
        back, id_ = notes.unarchived(old.fact), old.fact.id or ""
        if block not in blocks or id_ in blocks or not replace(old, fact=back).is_valid(today):
            continue
        copy = FactLine(old.path, old.fact.line, id_)
        if old.path != archive:
            await _return(vault, source, old, rows, every, today, cause)
        elif not await source.forgetting.with_tombstone(copy.tombstone_texts):
            await folder.add(memory, facts.render(back), cause=cause)
            await delete_lines(vault, [copy], cause=cause)


async def restore_ended(
    vault: Vault, source: Log, messages: Collection[int], today: date, *, forgotten: str = ""
) -> None:
    """Bring back the facts that only these messages ended ("I no longer have a cat"), on the
    conditions of `restore`. Idempotent. `forgotten`: the cause, if they are forgotten."""
    ended = await source.saved.ended_by(messages)
    if not ended:
        return
    folder, rows = KnowledgeFolder(vault), await source.facts.all()
    every = await folder.facts()
    for old in await folder.past():
        if old.fact.id in ended and not notes.superseded_by(old.fact):
            cause = forgotten or f"retire {old.fact.id}"
            await _return(vault, source, old, rows, every, today, cause)


async def _return(
    vault: Vault,
    source: Log,
    old: KnownFact,
    rows: Mapping[str, FactRow],
    every: Sequence[KnownFact],
    today: date,
    cause: str,
) -> None:
    """Move an archived fact back to its note, unless it may not count, or one of `every` fact that
    there is says the same."""
    back, row = notes.unarchived(old.fact), rows.get(old.fact.id or "")
    if old.fact.id not in {
        each.fact.id for each in every
    }:  # else it is already restored, after a crash
        forms = {normal_form(each.fact.text) for each in every if each.is_valid(today)}
        if row is None or not await _may_return(source, old, row, forms, today):
            return
        await source.facts.put([replace(row, line_hash=fingerprint(back), state="sams")])
        await KnowledgeFolder(vault).add(row.path, facts.render(back), cause=cause)
    await delete_lines(vault, [FactLine(old.path, old.fact.line, old.fact.id or "")], cause=cause)


def _superseded(
    name: str, older: Mapping[str, KnownFact], gone: Collection[str]
) -> KnownFact | None:
    """Return what that fact superseded in the archive, past what is taken back itself."""
    passed = set[str]()  # the owner may have linked lines in a circle
    while name not in passed and (old := older.get(name)) is not None:
        passed.add(name)
        name = old.fact.id or ""
        if name not in gone and old.fact.get("reason") != EDITED:
            return old
    return None


def _is_unchanged(known: KnownFact, rows: Mapping[str, FactRow]) -> bool:
    """Return whether it is the line of one of the rows, as Sam wrote it."""
    row = rows.get(known.fact.id or "")
    return row is not None and is_unchanged(known.fact, row)


async def _may_return(
    source: Log, old: KnownFact, row: FactRow, forms: Collection[str], today: date
) -> bool:
    """Return whether an archived fact is as Sam wrote it and would count, no fact says the same,
    and nobody has forbidden it since. `forms`: the normal forms of the facts that count."""
    back = notes.unarchived(old.fact)
    without_tag = replace(back, tags=tuple(tag for tag in back.tags if tag != "sensitive"))
    return (
        normal_form(back.text) not in forms
        and replace(old, fact=back).is_valid(today)
        and row.state in ("archived", "sams")  # `sams`: an earlier attempt has stored it already
        # In the archive a line of a private note has the tag `sensitive`.
        and (is_unchanged(back, row) or is_unchanged(without_tag, row))
        and not await source.forgetting.with_tombstone([tomb(back.text)])
    )
