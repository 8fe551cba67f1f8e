"""Forget messages and lines, with everything derived only from them.

    tombstones → Sam's notes → the history of edits → the log → the transcript → the index
    → the bytes on disk

In this order it is idempotent after a crash, and forgotten lines are never written again. The
owner's own text stays: lines and transcripts that they edited, and their notes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import EditRefused, NoteMissing, SamError
from ..infra.file_locks import locked
from ..knowledge import forgotten
from ..knowledge.forgotten import FactLine, by_group
from ..log.batches import line_hash
from ..log.erasure import Derived
from ..log.transcript import line_of, mark_in, mark_of
from ..notes import daily_note as dayfile
from ..notes.kinds import WRITTEN, kind_of
from ..notes.markdown import block_id, has_only_titles
from ..text.tokenize import terms
from ..text.word_forms import tomb
from ..vault import Vault
from . import archive_copies, edit_history
from .kept_lines import LineErasure, copies_of, line_places, notes_of_sams

if TYPE_CHECKING:
    from ..core import Memory

PARTLY = "(a part of this was forgotten)"
"""Replaces a summary if some of its messages are forgotten, because its text came from all of
them."""


@dataclass(frozen=True, slots=True)
class Selection:
    """A selection to forget: messages by id, lines of Sam's notes by `line_hash`."""

    messages: frozenset[int] = frozenset()
    lines: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class SectionErasure:
    """What is removed from one batch's section of a day's file.

    `was`: the file's path when it was written. `bullets` are removed; `changed` ones were edited or
    deleted by the owner, and stay. `summary`: the summary's line, if it is removed; "" if it stays.
    `instead`: its replacement; "" if no other messages share it. `rest`: the hash of the remaining
    text of Sam's; None where that is not known, or nothing is left.
    """

    path: str
    was: str
    batch: str
    bullets: tuple[str, ...]
    changed: tuple[str, ...]
    summary: str
    instead: str
    rest: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgettable:
    """Everything that is removed with a selection. `tombs`: the lines that are never written again.

    `facts`: lines of knowledge/ that came from the messages alone; `waiting`: texts of facts that
    are not written yet. `transcript`: the path of a
    session's, where all of it goes; `own`: the owner edited it. `texts`: of the messages, and
    `spoken` when they were sent. `copies`: lines that the log keeps of the owner's files.
    """

    sections: tuple[SectionErasure, ...] = ()
    lines: tuple[LineErasure, ...] = ()
    tombs: tuple[str, ...] = ()
    facts: tuple[FactLine, ...] = ()
    waiting: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    spoken: tuple[datetime, ...] = ()
    copies: tuple[str, ...] = ()
    transcript: str | None = None
    own: bool = False


@asynccontextmanager
async def exclusive_access(memory: Memory) -> AsyncIterator[None]:
    """Prevent summaries, and the building of an index, within this context. Raises LockHeld."""
    # Both, because an index that is being built would keep the content.
    async with locked(memory.profile.files.batch_lock), memory.index.unbuilt(timeout=60):
        yield


async def forgettable(memory: Memory, selected: Selection) -> Forgettable:
    """Return what would be removed with the selection, including the messages' lines in
    transcripts."""
    return (await forgettable_each(memory, [selected]))[0]


async def forgettable_each(memory: Memory, selections: Sequence[Selection]) -> list[Forgettable]:
    """Return for each selection what would be removed with it alone. Notes and edits are read only
    once."""
    log, messages = memory.log, [one.messages for one in selections]
    every = frozenset[int]().union(*messages)
    rows = {row.id: row for row in await log.messages.by_ids(every)}
    said = [[rows[id_] for id_ in sorted(ids & rows.keys()) if rows[id_].text] for ids in messages]
    going = [
        one.lines | {line_hash(line_of(message, memory.zone)) for message in own}
        for one, own in zip(selections, said, strict=True)
    ]
    hashes = frozenset[str]().union(*going)
    placed = await _placed(memory, going, [set(map(mark_of, own)) for own in said])
    facts = await forgotten.lines_from_each(memory.vault, log, messages)
    texts = [row.text for row in (await log.facts.all()).values()]
    texts += [text for path, text in await log.forgetting.written() if not path]
    known = [(text, hash_) for text in texts if (hash_ := line_hash(text)) in hashes]
    copies = [
        (row, hash_)
        for row in await copies_of(memory)
        if (hash_ := line_hash(archive_copies.bullet(row))) in hashes
    ]
    is_waiting = bool(await log.facts.waiting_from(every))
    waiting = [await log.facts.waiting_from(ids) if is_waiting else [] for ids in messages]
    derived = await log.forgetting.derived_each([(one.messages, one.lines) for one in selections])
    sections = await sections_of(memory, derived, [one.lines for one in selections])
    moved = await moved_lines(memory, sections)
    made = []
    for n, selected in enumerate(selections):
        named = [
            FactLine(each.path, each.text, id_)
            for each in placed[n]
            if (id_ := block_id(each.text)) and not mark_in(each.text)
        ]
        copied = [row for row, hash_ in copies if hash_ in going[n]]
        tombstones = [
            *(line for one in derived[n] for line in one.deleted_bullets),
            *(each for line in (*facts[n], *named) for each in line.tombstone_texts),
            *(tomb(text) for text, hash_ in known if hash_ in selected.lines),
            *map(tomb, waiting[n]),
            *(each.text for each in placed[n]),
            *copied,
        ]
        made.append(
            Forgettable(
                sections=sections[n],
                lines=(*placed[n], *moved[n]),
                tombs=tuple(dict.fromkeys(tombstones)),
                facts=tuple(facts[n]),
                waiting=tuple(waiting[n]),
                texts=tuple(message.text for message in said[n]),
                spoken=tuple(message.sent_at for message in said[n]),
                copies=tuple(copied),
            )
        )
    return made


async def _placed(
    memory: Memory, hashes: Sequence[Collection[str]], marks: Sequence[Collection[str]]
) -> list[list[LineErasure]]:
    """Return for each selection where its lines and the blocks of its messages are: in notes, and
    then those that only the edits have, which can be undone."""
    every, blocks = set[str]().union(*hashes), set[str]().union(*marks)
    in_notes = await asyncio.to_thread(lambda: list(line_places(memory.vault, every, blocks)))
    in_edits = await edit_history.lines_of(memory.log, every)
    places = dict[str, list[int]]()
    for n, each in enumerate(in_notes):
        for name in {line_hash(each.text), mark_in(each.text)}:
            places.setdefault(name, []).append(n)
    kept = by_group([(each, line_hash(each[1])) for each in in_edits], hashes)
    found = []
    for own, names, left in zip(hashes, marks, kept, strict=True):
        numbers = {n for name in (*own, *names) for n in places.get(name, ())}
        placed = [in_notes[n] for n in sorted(numbers)]
        there = {each.text for each in placed}
        placed += [LineErasure(path, 0, text) for path, text in left if text not in there]
        found.append(placed)
    return found


async def sections_of(
    memory: Memory,
    derived: Sequence[Sequence[Derived]],
    named: Sequence[Collection[str]] | None = None,
) -> list[tuple[SectionErasure, ...]]:
    """Return for each group of batches what is to be removed from the days' files, also if the
    owner has renamed a file or moved a section.

    `named`: the hashes of lines that the owner chose, by group.
    """
    every = [one for group in derived for one in group]
    places = await asyncio.to_thread(_places, memory.vault, every)
    paths = {one.batch: places.get(one.batch, one.path) for one in every}
    texts = {path: await memory.vault.read_optional(path) or "" for path in {*paths.values()}}
    return [
        tuple(
            _section(memory, one, path, texts[path], own)
            for one in group
            for path in [paths[one.batch]]
        )
        for group, own in zip(derived, named or [()] * len(derived), strict=True)
    ]


async def moved_lines(
    memory: Memory, sections: Sequence[Sequence[SectionErasure]]
) -> list[list[LineErasure]]:
    """Return for each group of sections those of its bullets that the owner has moved to the file
    of another day."""
    hashes = [{line_hash(text) for one in group for text in one.changed} for group in sections]
    every = set[str]().union(*hashes)
    found = await asyncio.to_thread(lambda: list(line_places(memory.vault, every, ())))
    days = [each for each in found if kind_of(each.path, memory.vault.sam_dir) == "summary"]
    own = {path: await memory.log.batches.sources_of(path) for path in {e.path for e in days}}
    moved = [(each, line_hash(each.text)) for each in days if each.text not in own[each.path]]
    return by_group(moved, hashes)


def _places(vault: Vault, derived: Sequence[Derived]) -> dict[str, str]:
    """Map the batches whose sections are no longer in the files that they were written to, to those
    that have them; for a thread."""
    texts = {path: vault.load_optional(path) or "" for path in {e.path for e in derived}}
    lost = {one.batch for one in derived if not dayfile.has_batch(texts[one.path], one.batch)}
    found: dict[str, str] = {}
    sams = notes_of_sams(vault) if lost else ()
    days = (path for path in sams if kind_of(path, vault.sam_dir) == "summary")
    for path, note in vault.load_each(days):
        found |= dict.fromkeys(lost & dayfile.summaries(note.text).keys(), path)
    return found


async def erase(memory: Memory, selected: Selection, going: Forgettable, cause: str) -> int:
    """Forget what is planned; return the number of messages. Callers are within `exclusive_access`.

    Raises SamError while a message is being answered, and what an edit of the notes may raise; then
    only lines that are already removed are forgotten.
    """
    forgetting = memory.log.forgetting
    if await forgetting.has_open_turn(selected.messages):
        raise SamError("It is being answered: try again when that is done.")
    await forgetting.add_tombstones(going.tombs, cause)
    named = {id_ for each in going.lines if each.line and (id_ := block_id(each.text))}
    gone = {row.id for row in await memory.log.facts.alone_from(selected.messages)} | named
    await forgotten.restore(memory.vault, memory.log, gone, memory.today(), forgotten=cause)
    await forgotten.restore_ended(
        memory.vault, memory.log, selected.messages, memory.today(), forgotten=cause
    )
    await forgotten.restore_remembered(memory.vault, memory.log, named, memory.today(), cause)
    for section in going.sections:
        await delete_bullets(memory, section, cause)
        for path in await asyncio.to_thread(archive_copies.copies, memory.vault, section.batch):
            await delete_bullets(memory, replace(section, path=path), cause)
    for path in dict.fromkeys(each.path for each in going.lines):
        await _without(memory, path, {each.text for each in going.lines}, cause)
        await _remove_empty(memory, path, cause)
    for path in notes_with_removed_title(memory.vault, going):
        await memory.log.journal.forget(path)
    await forgotten.delete_lines(memory.vault, going.facts, cause=cause)
    await archive_copies.purge(memory.vault, forgetting.with_tombstone, cause=cause)
    await _clear_copies(memory, going)
    ids = {block_id(each.text) for each in going.lines} | {each.fact for each in going.facts}
    texts = [*going.tombs, *(each.text for each in going.lines)]
    derived = await forgetting.derived(selected.messages, selected.lines)
    batches = {one.batch for one in derived if one.touched}
    await edit_history.forget(
        memory.log, selected.messages, batches, ids - {None}, selected.lines, texts
    )
    rests = [(section.batch, section.rest) for section in going.sections]
    return await forgetting.forget(selected.messages, rests, selected.lines)


async def _clear_copies(memory: Memory, going: Forgettable) -> None:
    """Remove the lines from earlier versions of the owner's files, and the proposals that have
    them or were made in the messages' turns."""
    gone = {archive_copies.bullet(row) for row in going.copies}
    await memory.log.versions.forget(partial(archive_copies.without_lines, gone=gone))
    await memory.log.proposals.forget(
        lambda text: archive_copies.without_lines(text, gone) != text, going.spoken
    )


async def sweep(memory: Memory, going: Forgettable) -> None:
    """Bring the index up to date, and remove the forgotten bytes from the databases."""
    paths = {each.path for each in going.sections} | {each.path for each in going.lines}
    paths |= {each.path for each in going.facts} | {each.was for each in going.sections}
    await memory.reconcile(paths)
    try:
        await memory.index.forget()
    finally:  # also after an error: the texts are forgotten, so a retry would not find them
        await memory.log.scrub()


async def _without(memory: Memory, path: str, gone: Collection[str], cause: str) -> None:
    """Remove these lines from a note. A transcript that was Sam's alone remains so."""
    change = partial(archive_copies.without_lines, gone=gone)
    await memory.vault.edit_existing(path, change, cause=await writer(memory, path) or cause)


async def _remove_empty(memory: Memory, path: str, cause: str) -> None:
    """Remove a note that Sam created if only titles are left: they and its name may have the
    words."""
    if not path.startswith(memory.vault.own(f"{WRITTEN}/")):
        return
    try:
        note = await asyncio.to_thread(memory.vault.load, path)
        if has_only_titles(note.text):
            await memory.vault.remove(path, expected=note.hash, cause=cause)
    except (NoteMissing, EditRefused):
        return


def notes_with_removed_title(vault: Vault, going: Forgettable) -> list[str]:
    """Return the paths of the notes that Sam created whose file name has all words of a title that
    is removed."""
    titles = [
        (each.path, set(terms(each.text.removeprefix("# "))))
        for each in going.lines
        if each.path.startswith(vault.own(f"{WRITTEN}/")) and each.text.startswith("# ")
    ]
    return [path for path, words in titles if words and words <= {*terms(Path(path).stem)}]


async def writer(memory: Memory, path: str) -> str | None:
    """Return the cause of the session that wrote a transcript as it is now; "" for another note,
    and for one that the owner edited; None where there is none."""
    try:
        now = (await asyncio.to_thread(memory.vault.load, path)).hash
    except NoteMissing:
        return None
    edits = await memory.log.journal.recent(1000, path)
    of_sessions = (e.cause for e in edits if e.after == now and e.cause.startswith("session "))
    return next(of_sessions, "")


def _section(
    memory: Memory, derived: Derived, path: str, text: str, named: Collection[str]
) -> SectionErasure:
    found = [
        line
        for line in derived.deleted_bullets
        if dayfile.without(text, derived.batch, (line,), summary=None) != text
    ]
    heading, summary = dayfile.section_of(text, derived.batch)
    unchanged = _is_sams(memory, derived, text)
    goes = (derived.touched and unchanged) or line_hash(archive_copies.bullet(summary)) in named
    instead = "" if derived.whole else PARTLY
    if instead and summary == dayfile.summary_line(instead, derived.batch):
        goes = False  # already replaced
    kept = dayfile.summary_line(instead, derived.batch) if goes else summary
    rest = [heading, kept, *(f"- {line}" for line in derived.kept_bullets)]
    is_left = unchanged and (instead or not goes)
    return SectionErasure(
        path=path,
        was=derived.path,
        batch=derived.batch,
        bullets=tuple(found),
        changed=tuple(line for line in derived.deleted_bullets if line not in found),
        summary=summary if goes else "",
        instead=instead,
        rest=line_hash("\n".join(rest)) if is_left else None,
    )


def _is_sams(memory: Memory, derived: Derived, text: str) -> bool:
    """Return whether the summary's line is unchanged: only the section's hash is known."""
    heading, summary = dayfile.section_of(text, derived.batch)
    at = derived.ended_at.astimezone(memory.zone)
    return any(
        line_hash("\n".join([head, summary, *(f"- {line}" for line, _ in derived.lines)]))
        == derived.text_hash
        for head in (heading, f"## {at:%H:%M:%S}")  # the owner may have given it another heading
    )


async def delete_bullets(memory: Memory, section: SectionErasure, cause: str) -> None:
    """Remove a batch's lines from the day's file, except those that the owner has changed."""

    def change(text: str) -> str:
        # Decided again from the current text: the owner may have changed it in the meantime.
        sams = dayfile.section_of(text, section.batch)[1] == section.summary != ""
        instead = section.instead if sams else None
        return dayfile.without(text, section.batch, section.bullets, summary=instead)

    await memory.vault.edit_existing(section.path, change, cause=cause)
