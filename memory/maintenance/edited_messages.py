"""Revert everything derived from the old text of edited messages.

    facts of the old words → archive/, what they superseded is current again
    → bullets that the owner has deleted from the section of their batch get a tombstone
    → the section goes, its messages are pending

They are summarised again in their current form. In this order it is idempotent after a crash. Lines
that the owner has changed are theirs, and stay.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from ..errors import NoteUnreadable, PathRefused
from ..infra.file_locks import locked
from ..knowledge import forgotten, owner_edits
from ..log.batches import line_hash
from ..vault import edit_group
from . import erase
from .kept_lines import line_places

if TYPE_CHECKING:
    from ..core import Memory

log = logging.getLogger(__name__)


async def revert_outdated(memory: Memory) -> int:
    """Revert the facts and summaries that were made from messages before these were edited; return
    the number of edited messages that are to be summarised again.

    Batches whose day's file cannot be read are left to the next call. Raises LockHeld while a
    summary is written, and what an edit of the notes may raise.
    """
    outdated = await memory.log.messages.outdated()
    if not outdated:
        return 0
    changed, count = set[str](), 0
    edited = [each.id for each in outdated]
    async with locked(memory.profile.files.batch_lock, timeout=1.0):
        with edit_group():
            await forgotten.archive(memory.vault, memory.log, edited, memory.today())
        for batch in dict.fromkeys(each.batch for each in outdated if each.batch):
            messages = [row.id for row in await memory.log.batches.messages(batch)]
            derived = await memory.log.forgetting.derived(messages)
            # Not from later batches that cite these messages: they are not summarised again.
            derived = [each for each in derived if each.batch == batch]
            try:
                [sections] = await erase.sections_of(memory, [derived])
            except (NoteUnreadable, PathRefused) as why:
                log.warning("batch=%s is taken back later: %s", batch, why)
                continue
            for section in sections:
                await _learn_deleted(memory, section)
                await erase.delete_bullets(memory, section, forgotten.EDITED)
                changed.add(section.path)
            await memory.log.forgetting.summarise_again(batch)
            count += sum(each.batch == batch for each in outdated)
        await memory.log.messages.mark_current(edited)
    await memory.reconcile(changed)
    return count


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
