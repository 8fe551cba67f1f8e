"""Forget a session: its messages, its transcript, the bullets and facts that came from it alone.

    tombstones → the days' files, knowledge/ → the log → the transcript → the index → the bytes

In this order it can be repeated after a crash, and forgotten lines are never written again. The
owner's own text stays: a line that he changed, a transcript that he edited, all that he asked
to remember.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..errors import NoteMissing, SamError
from ..infra.file_locks import locked
from ..knowledge import forgotten
from ..knowledge.forgotten import FactLine
from ..log.batches import line_hash
from ..log.erasure import Derived, SessionOverview
from ..notes import daily_note as dayfile
from . import archive_copies as tombs

if TYPE_CHECKING:
    from ..core import Memory

log = logging.getLogger(__name__)

PARTLY = "(a part of this was forgotten)"
"""Replaces a summary if some of its messages are forgotten, since its words came from all of
them."""


@dataclass(frozen=True, slots=True)
class SectionErasure:
    """What is removed from one batch's section of a day's file.

    `bullets` are removed; `changed` ones were edited or deleted by the owner, and stay. `summary`:
    the summary's line, if that is removed; "" where the owner changed it. `instead`: its
    replacement; "" where no other messages share it. `rest`: the hash of the remaining text of
    Sam's; None where that is not known, or nothing is left.
    """

    path: str
    batch: str
    bullets: tuple[str, ...]
    changed: tuple[str, ...]
    summary: str
    instead: str
    rest: str | None


@dataclass(frozen=True, slots=True)
class Forgettable:
    """Everything that is removed with one session. `transcript`: its path; `own`: the owner edited
    it. `facts`: lines of knowledge/ that came from it alone."""

    overview: SessionOverview
    sections: tuple[SectionErasure, ...]
    tombs: tuple[str, ...]
    transcript: str | None
    own: bool
    facts: tuple[FactLine, ...] = ()


async def sessions(memory: Memory) -> list[SessionOverview]:
    """The sessions that can be forgotten, oldest first."""
    return await memory.log.forgetting.sessions()


async def preview(memory: Memory, session_id: int) -> Forgettable:
    """Return what would be removed with that session. Raises SamError when there is none."""
    overview = next((t for t in await sessions(memory) if t.session.id == session_id), None)
    if overview is None:
        raise SamError(f"There is no session {session_id}: `sam forget` lists them.")
    derived = await memory.log.forgetting.derived(session_id)
    transcript = overview.session.path or None
    facts = await forgotten.lines_from(memory.vault, memory.log, session_id)
    tombs_ = [line for one in derived for line in one.gone]
    return Forgettable(
        overview,
        tuple([await _section(memory, one) for one in derived]),
        (*tombs_, *(tomb for fact in facts for tomb in fact.tombs)),
        transcript,
        transcript is not None and await _edited(memory, session_id, transcript),
        tuple(facts),
    )


async def forget(memory: Memory, session_id: int) -> Forgettable:
    """Forget that session; return what was removed. May be repeated after a crash.

    Raises SamError while it is being answered, LockHeld while it is summarised or an index is
    built, and what an edit of the days' files may raise: then the session is unchanged but for
    lines that are removed already.
    """
    batches = memory.profile.files.batch_lock
    # First, since an index that is being built would keep the content.
    async with locked(batches), memory.index.unbuilt(timeout=60):
        if await memory.log.forgetting.answering(session_id):
            raise SamError(f"Session {session_id} is being answered: try again when that is done.")
        going = await preview(memory, session_id)
        cause = f"forget session {session_id}"
        await memory.log.forgetting.entomb(going.tombs, cause)
        for section in going.sections:
            await _take_out(memory, section, cause)
            for path in await asyncio.to_thread(tombs.copies, memory.vault, section.batch):
                await _take_out(memory, replace(section, path=path), cause)
        await forgotten.take_out(memory.vault, going.facts, cause=cause)
        await tombs.clear(memory.vault, memory.log.forgetting.entombed, cause=cause)
        rests = [(section.batch, section.rest) for section in going.sections]
        count = await memory.log.forgetting.forget(session_id, rests)
        if going.transcript is not None and not going.own:
            await _remove(memory, going.transcript, cause)
        if going.transcript is not None:  # an open session gets its transcript at its end
            await memory.log.sessions.transcribed(session_id, "")
        changed = {each.path for each in going.sections} | {each.path for each in going.facts}
        await memory.reconcile(changed)
        try:
            await memory.index.forget()
        finally:  # the session is forgotten by now, and cannot be given again
            await memory.log.scrub()
    log.info("forgot session=%d messages=%d", session_id, count)
    return going


async def _section(memory: Memory, derived: Derived) -> SectionErasure:
    text = await memory.vault.read_optional(derived.path) or ""
    found = [
        line
        for line in derived.gone
        if dayfile.without(text, derived.batch, (line,), summary=None) != text
    ]
    heading, summary = dayfile.section_of(text, derived.batch)
    unchanged = _is_sams(memory, derived, text)
    instead = "" if derived.whole else PARTLY
    rest = [heading, dayfile.summary_line(instead, derived.batch)]
    rest += [f"- {line}" for line in derived.stay]
    return SectionErasure(
        path=derived.path,
        batch=derived.batch,
        bullets=tuple(found),
        changed=tuple(line for line in derived.gone if line not in found),
        summary=summary if unchanged else "",
        instead=instead,
        rest=line_hash("\n".join(rest)) if unchanged and instead else None,
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


async def _take_out(memory: Memory, section: SectionErasure, cause: str) -> None:
    def change(text: str) -> str:
        # Decided again on the text that is there now: the owner may have changed it meanwhile.
        sams = dayfile.section_of(text, section.batch)[1] == section.summary != ""
        instead = section.instead if sams else None
        return dayfile.without(text, section.batch, section.bullets, summary=instead)

    try:
        await memory.vault.edit(section.path, change, cause=cause, create=False)
    except NoteMissing:
        return


async def _edited(memory: Memory, session_id: int, path: str) -> bool:
    """Return whether the owner edited the transcript."""
    try:
        now = memory.vault.load(path).hash
    except NoteMissing:
        return False
    wrote = [
        edit.after
        for edit in await memory.log.journal.recent(1000, path)
        if edit.cause == f"session {session_id}"
    ]
    return now not in wrote


async def _remove(memory: Memory, path: str, cause: str) -> None:
    try:
        await memory.vault.remove(path, expected=memory.vault.load(path).hash, cause=cause)
    except NoteMissing:
        return
