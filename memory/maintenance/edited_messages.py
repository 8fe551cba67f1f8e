"""Revert everything derived from the old text of edited messages.

    facts of the old words → archive/, the section of their batch goes, its messages are pending

They are summarised again in their current form. In this order it is idempotent after a crash. Lines
that the owner has changed are theirs, and stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..infra.file_locks import locked
from . import erase

if TYPE_CHECKING:
    from ..core import Memory

REASON = "its message was edited"


async def revert_outdated(memory: Memory) -> int:
    """Revert outdated text; return the number of edited messages. Raises LockHeld while a summary
    is written, and what an edit of the notes may raise."""
    outdated = await memory.log.messages.outdated()
    if not outdated:
        return 0
    for row in await memory.log.facts.alone_from(each.id for each in outdated):
        if row.state == "sams" and await memory.knowledge.find(row.id) is not None:
            await memory.knowledge.retire(row.id, reason=REASON, again=True)
    changed = set[str]()
    async with locked(memory.profile.files.batch_lock, timeout=1.0):
        for batch in dict.fromkeys(each.batch for each in outdated if each.batch):
            messages = [row.id for row in await memory.log.batches.messages(batch)]
            derived = await memory.log.forgetting.derived(messages)
            for section in await erase.sections_of(memory, derived):
                await erase.delete_bullets(memory, section, REASON)
                changed.add(section.path)
            await memory.log.forgetting.summarise_again(batch)
    await memory.reconcile(changed)
    return len(outdated)
