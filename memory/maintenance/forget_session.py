"""Forget a session: its messages, its transcript, and the bullets and facts that came only from it.

So do the notes that the model wrote into the days' files in its turns. What the owner asked to
remember stays, and so does a transcript that they edited.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from ..errors import NoteMissing, SamError
from ..knowledge import forgotten
from ..knowledge.forgotten import by_group
from ..log.batches import line_hash
from ..log.erasure import SessionOverview
from ..log.transcript import parts_of
from ..notes.kinds import kind_of
from . import edit_history
from .erase import (
    Forgettable,
    Selection,
    erase,
    exclusive_access,
    moved_lines,
    sections_of,
    sweep,
    writer,
)
from .kept_lines import LineErasure, line_places

if TYPE_CHECKING:
    from ..core import Memory

log = logging.getLogger(__name__)

_NOTE = "Note"  # begins a line that save_memory wrote into a day's file; asked for: "Remembered"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgettableSession(Forgettable):
    """Everything that is removed with one session."""

    overview: SessionOverview


async def sessions(memory: Memory) -> list[SessionOverview]:
    """Return the sessions that can be forgotten, oldest first."""
    return await memory.log.forgetting.sessions()


async def preview(memory: Memory, session_id: int) -> ForgettableSession:
    """Return what would be removed with that session. Raises SamError when there is none."""
    overview = next((t for t in await sessions(memory) if t.session.id == session_id), None)
    if overview is None:
        raise SamError(f"There is no session {session_id}: `sam forget` lists them.")
    return (await previews(memory, [overview]))[0]


async def previews(
    memory: Memory, overviews: Sequence[SessionOverview]
) -> list[ForgettableSession]:
    """Return for each of these sessions what would be removed with it alone. Notes and edits are
    read only once."""
    log, paths = memory.log, [each.session.path or None for each in overviews]
    messages = [(await _selection(memory, each.session.id)).messages for each in overviews]
    turns, spoken = list[set[int | None]](), list[tuple[datetime, ...]]()
    for ids in messages:
        said = await log.messages.by_ids(ids)
        turns.append({each.turn_id for each in said})
        spoken.append(tuple(each.sent_at for each in said))
    derived = await log.forgetting.derived_each([(ids, ()) for ids in messages])
    facts = await forgotten.lines_from_each(memory.vault, log, messages)
    sections = await sections_of(memory, derived)
    moved = await moved_lines(memory, sections)
    notes = await _notes(memory, turns)
    parts = await asyncio.to_thread(parts_of, memory.vault, paths)
    found = []
    for n, overview in enumerate(overviews):
        lines = (*notes[n], *moved[n])
        found.append(
            ForgettableSession(
                overview=overview,
                sections=sections[n],
                lines=lines,
                facts=tuple(facts[n]),
                spoken=spoken[n],
                tombs=(
                    *(line for one in derived[n] for line in one.deleted_bullets),
                    *(each for fact in facts[n] for each in fact.tombstone_texts),
                    *(each.text for each in lines),
                ),
                transcript=paths[n],  # as a whole, and none of its lines if the owner has edited it
                own=any([await writer(memory, path) == "" for path in parts[n]]),
            )
        )
    return found


async def forget(memory: Memory, session_id: int) -> ForgettableSession:
    """Forget that session; return what was removed. May be repeated after a crash.

    Raises SamError while it is being answered, LockHeld while it is summarised or an index is
    built, and what an edit of the days' files may raise: then the session is unchanged except for
    lines that are already removed.
    """
    async with exclusive_access(memory):
        going = await preview(memory, session_id)
        cause = f"forget session {session_id}"
        await memory.log.forgetting.note_time()
        count = await erase(memory, await _selection(memory, session_id), going, cause)
        if not going.own:
            [parts] = await asyncio.to_thread(parts_of, memory.vault, [going.transcript])
            for path in parts:
                await _remove(memory, path, cause)
        if going.transcript is not None:  # an open session gets its transcript at its end
            await memory.log.sessions.set_transcript(session_id, "")
        await sweep(memory, going)
    log.info("forgot session=%d messages=%d", session_id, count)
    return going


async def _notes(
    memory: Memory, turns: Sequence[Collection[int | None]]
) -> list[list[LineErasure]]:
    """Return for each group of turns the notes that the model wrote into the days' files in it."""
    sam_dir = memory.vault.sam_dir
    days = dict[int | None, set[str]]()
    for turn, path, hash_ in await edit_history.written_in(memory.log, set().union(*turns)):
        if kind_of(path, sam_dir) == "summary":
            days.setdefault(turn, set()).add(hash_)
    every = set[str]().union(*days.values())
    found = await asyncio.to_thread(lambda: list(line_places(memory.vault, every, ())))
    notes = [
        (each, line_hash(each.text))
        for each in found
        if each.text.startswith(_NOTE) and kind_of(each.path, sam_dir) == "summary"
    ]
    return by_group(notes, [{h for turn in group for h in days.get(turn, ())} for group in turns])


async def _selection(memory: Memory, session_id: int) -> Selection:
    return Selection(frozenset(await memory.log.forgetting.of_session(session_id)))


async def _remove(memory: Memory, path: str, cause: str) -> None:
    with suppress(NoteMissing):
        await memory.vault.remove(path, expected=memory.vault.load(path).hash, cause=cause)
    await memory.log.journal.forget(path)
