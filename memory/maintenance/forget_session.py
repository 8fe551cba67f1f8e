"""Forget a session: its messages, its transcript, and the bullets and facts that came only from it.

So do the notes that the model wrote into the days' files in its turns. What the owner asked to
remember stays, and so does a transcript that they edited.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import NoteMissing, SamError
from ..knowledge import forgotten
from ..log import Message
from ..log.erasure import SessionOverview
from ..log.transcript import parts
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
    path = overview.session.path or None
    selected = await _selection(memory, session_id)
    derived = await memory.log.forgetting.derived(selected.messages)
    [facts] = await forgotten.lines_from_each(memory.vault, memory.log, [selected.messages])
    gone = [line for one in derived for line in one.deleted_bullets]
    said = await memory.log.messages.by_ids(selected.messages)
    [sections] = await sections_of(memory, [derived])
    [moved] = await moved_lines(memory, [sections])
    notes = [*await _notes(memory, said), *moved]
    return ForgettableSession(
        overview=overview,
        sections=sections,
        lines=tuple(notes),
        facts=tuple(facts),
        spoken=tuple(each.sent_at for each in said),
        tombs=(
            *gone,
            *(each for fact in facts for each in fact.tombstone_texts),
            *(each.text for each in notes),
        ),
        transcript=path,  # as a whole, and none of its lines if the owner has edited it
        own=any([await writer(memory, each) == "" for each in await _parts(memory, path)]),
    )


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
            for path in await _parts(memory, going.transcript):
                await _remove(memory, path, cause)
        if going.transcript is not None:  # an open session gets its transcript at its end
            await memory.log.sessions.set_transcript(session_id, "")
        await sweep(memory, going)
    log.info("forgot session=%d messages=%d", session_id, count)
    return going


async def _notes(memory: Memory, said: Iterable[Message]) -> list[LineErasure]:
    """Return the notes that the model wrote into the days' files in the turns of these messages."""
    wrote = await edit_history.written_in(memory.log, {each.turn_id for each in said})
    sam_dir = memory.vault.sam_dir
    days = {hash_ for path, hash_ in wrote if kind_of(path, sam_dir) == "summary"}
    found = await asyncio.to_thread(lambda: list(line_places(memory.vault, days, ())))
    return [
        each
        for each in found
        if each.text.startswith(_NOTE) and kind_of(each.path, sam_dir) == "summary"
    ]


async def _selection(memory: Memory, session_id: int) -> Selection:
    return Selection(frozenset(await memory.log.forgetting.of_session(session_id)))


async def _parts(memory: Memory, path: str | None) -> list[str]:
    """Return the paths of the transcript's notes."""
    return [] if path is None else await asyncio.to_thread(parts, memory.vault, path)


async def _remove(memory: Memory, path: str, cause: str) -> None:
    with suppress(NoteMissing):
        await memory.vault.remove(path, expected=memory.vault.load(path).hash, cause=cause)
    await memory.log.journal.forget(path)
