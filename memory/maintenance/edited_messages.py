"""Revert everything derived from the old text of edited messages, and summaries with a value that
the owner corrected in a later message of the same day.

    facts of the old words → archive/, what they superseded is current again
    → bullets that the owner has deleted from the section of their batch get a tombstone
    → the section goes, its messages are pending

They are summarised again in their current form, or together with their correction. In this order it
is idempotent after a crash. Lines that the owner has changed are theirs, and stay.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..errors import NoteUnreadable, PathRefused
from ..history.corrections import FOLLOWING, corrections_among
from ..infra.file_locks import locked
from ..knowledge import forgotten, owner_edits
from ..log.batches import line_hash
from ..vault import edit_group
from . import erase
from .kept_lines import line_places

if TYPE_CHECKING:
    from ..core import Memory

log = logging.getLogger(__name__)

_CORRECTED = "batches to be summarised again with a correction"


async def revert_outdated(memory: Memory) -> int:
    """Revert the facts and summaries that were made from messages before these were edited; return
    the number of edited messages that are to be summarised again.

    Batches whose day's file cannot be read are left to the next call. Raises LockHeld while a
    summary is written, and what an edit of the notes may raise.
    """
    outdated = await memory.log.messages.outdated()
    if not outdated:
        return 0
    edited = [each.id for each in outdated]
    async with locked(memory.profile.files.batch_lock, timeout=1.0):
        with edit_group():
            await forgotten.archive(memory.vault, memory.log, edited, memory.today())
        reverted = await _revert(memory, (each.batch for each in outdated if each.batch))
        await memory.log.messages.mark_current(edited)
    return sum(each.batch in reverted for each in outdated)


async def revert_corrected(memory: Memory) -> None:
    """Revert the summaries of messages that one of the owner's next messages, which waits to be
    summarised, corrects on the same day. A section that the owner has changed stays.

    Raises what `revert_outdated` does."""
    stored = await memory.log.settings.get(_CORRECTED)  # by a run that crashed
    batches = json.loads(stored) if stored else await _corrected(memory)
    if not batches:
        return
    async with locked(memory.profile.files.batch_lock, timeout=1.0):
        await memory.log.settings.set(_CORRECTED, json.dumps(batches))
        with edit_group():
            await _revert(memory, batches)
        await memory.log.settings.set(_CORRECTED, "")


async def _corrected(memory: Memory) -> list[str]:
    """Return the batches of messages that a waiting one corrects, and whose sections are as Sam
    wrote them. A chat whose summaries fail keeps those that it has."""
    messages, retries = memory.log.messages, await memory.log.batches.retries()
    followed = await messages.with_next_of_owner(
        await messages.before_pending(FOLLOWING), FOLLOWING
    )
    found = dict[str, None]()
    for old, following in followed.values():
        if old.chat not in retries and any(
            each.state == "pending" and memory.today(each.sent_at) == memory.today(old.sent_at)
            for each in corrections_among(following, old)
        ):
            found[str(old.batch)] = None
    return [batch for batch in found if await _is_unchanged(memory, batch)]


async def _is_unchanged(memory: Memory, batch: str) -> bool:
    """Return whether the section of a batch is as Sam wrote it, and can be read."""
    try:
        sections = await _sections(memory, batch)
    except (NoteUnreadable, PathRefused):
        return False
    return all(section.summary and not section.changed for section in sections)


async def _sections(memory: Memory, batch: str) -> tuple[erase.SectionErasure, ...]:
    messages = [row.id for row in await memory.log.batches.messages(batch)]
    [sections] = await erase.sections_of(memory, [await memory.log.forgetting.derived(messages)])
    return sections


async def _revert(memory: Memory, batches: Iterable[str]) -> set[str]:
    """Delete the sections of these batches, and release their messages; return those batches whose
    day's file can be read."""
    reverted, changed = set[str](), set[str]()
    for batch in dict.fromkeys(batches):
        try:
            sections = await _sections(memory, batch)
        except (NoteUnreadable, PathRefused) as why:
            log.warning("batch=%s is taken back later: %s", batch, why)
            continue
        for section in sections:
            await _learn_deleted(memory, section)
            await erase.delete_bullets(memory, section, forgotten.EDITED)
            changed.add(section.path)
        await memory.log.forgetting.summarise_again(batch)
        reverted.add(batch)
    await memory.reconcile(changed)
    return reverted


async def _learn_deleted(memory: Memory, section: erase.SectionErasure) -> None:
    """Add tombstones for the bullets that the owner has deleted from a section, or they would be
    written again. Not where nothing of Sam's is left of it: he has removed it before a crash."""
    if not (section.bullets or section.summary):
        return
    hashes = {line_hash(text) for text in section.changed}
    moved = await asyncio.to_thread(lambda: [*line_places(memory.vault, hashes, ())])
    left = {line_hash(each.text) for each in moved}
    gone = [text for text in section.changed if line_hash(text) not in left]
    await memory.log.forgetting.add_tombstones(gone, owner_edits.CAUSE)
