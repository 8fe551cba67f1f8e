"""Revert everything derived from the old text of edited messages.

    facts of the old words → archive/, what they superseded is current again
    → the section of their batch goes, its messages are pending

They are summarised again in their current form. In this order it is idempotent after a crash. Lines
that the owner has changed are theirs, and stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..infra.file_locks import locked
from ..knowledge import forgotten
from ..vault import edit_group
from . import erase

if TYPE_CHECKING:
    from ..core import Memory


async def revert_outdated(memory: Memory) -> int:
    """Revert outdated text; return the number of edited messages that are to be summarised again.
    Raises LockHeld while a summary is written, and what an edit of the notes may raise."""
    outdated = await memory.log.messages.outdated()
    if not outdated:
        return 0
    changed, edited = set[str](), [each.id for each in outdated]
    async with locked(memory.profile.files.batch_lock, timeout=1.0):
        with edit_group():
            await forgotten.archive(memory.vault, memory.log, edited, memory.today())
        for batch in dict.fromkeys(each.batch for each in outdated if each.batch):
            messages = [row.id for row in await memory.log.batches.messages(batch)]
            derived = await memory.log.forgetting.derived(messages)
            for section in await erase.sections_of(memory, derived):
                await erase.delete_bullets(memory, section, forgotten.EDITED)
                changed.add(section.path)
            await memory.log.forgetting.summarise_again(batch)
        await memory.log.messages.mark_current(edited)
    await memory.reconcile(changed)
    return sum(each.batch is not None for each in outdated)
