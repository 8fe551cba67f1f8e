"""Undo an import: delete its messages and notes, and everything derived only from its messages.

    forget messages in portions → copied notes → notes now empty → the index → the import's rows

In this order it can be repeated after a crash: the rows list what to remove, and are deleted last.
No tombstones remain, so the same file can be imported again.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from ..errors import EditRefused, NoteMissing, TransferRefused
from ..infra.failpoints import failpoint
from ..log import ImportRow
from ..maintenance import Selection, notes_of_sams
from ..maintenance.erase import erase, exclusive_access, forgettable
from ..notes.markdown import has_only_titles

if TYPE_CHECKING:
    from ..core import Memory

log = logging.getLogger(__name__)

PORTION = 1_000  # messages per portion; each portion searches all of Sam's notes


@dataclass(frozen=True, slots=True)
class Undone:
    """What was removed. `stay`: paths of copied notes that the owner has changed since."""

    messages: int
    notes: int
    stay: tuple[str, ...]


async def imported(memory: Memory, import_id: int) -> ImportRow:
    """Return the import with that id. Raises TransferRefused if there is none."""
    for row in await memory.log.imports.all():
        if row.id == import_id:
            return row
    raise TransferRefused(f"There is no import {import_id}: `sam import --list` names them.")


async def undo(memory: Memory, import_id: int) -> Undone:
    """Undo an import; can be repeated after a crash.

    Lines and notes that the owner has changed are kept. Raises TransferRefused, or LockHeld while a
    summary is made or an index is built.
    """
    row, imports = await imported(memory, import_id), memory.log.imports
    cause = f"undo import {import_id}"
    async with exclusive_access(memory):
        messages = await imports.messages(import_id)
        touched: set[str] = set()
        for at in range(0, len(messages), PORTION):
            selected = Selection(frozenset(messages[at : at + PORTION]))
            going = await forgettable(memory, selected)
            await erase(memory, selected, going, cause)
            touched |= {each.path for each in going.sections}
            touched |= {each.path for each in going.lines}
            touched |= {each.path for each in going.facts}
            failpoint("in_undo")
        notes, stay = await imports.notes(import_id), []
        for path, hash_ in notes.items():
            if not await _drop(memory, path, hash_, cause):
                stay.append(path)
        touched |= await _drop_empty(memory, row.started_at, cause)
        await memory.reconcile({*touched, *notes})
        await memory.index.forget()
        failpoint("after_undo")
        await imports.delete_rows(import_id, cause)
        await memory.reconcile(())
        await memory.log.scrub()
    log.info("undid import=%d messages=%d notes=%d", import_id, len(messages), len(notes))
    return Undone(len(messages), len(notes) - len(stay), tuple(stay))


async def _drop(memory: Memory, path: str, hash_: str, cause: str) -> bool:
    """Delete a note if its hash is the expected one; return whether it is gone.

    Not by `Vault.remove`, which would also delete every copy of the same content elsewhere.
    """
    try:
        await memory.vault.take_back(path, expected=hash_, cause=cause)
    except NoteMissing:
        return True
    except EditRefused:
        return False
    return True


async def _drop_empty(memory: Memory, since: datetime, cause: str) -> set[str]:
    """Delete Sam's notes that were created since then and have only titles left; return their
    paths."""
    gone = set()
    for path, hash_ in await asyncio.to_thread(_empty, memory):
        edits = await memory.log.journal.recent(1000, path)
        made = next((edit for edit in edits if edit.before is None), None)
        if made is not None and made.at >= since and await _drop(memory, path, hash_, cause):
            gone.add(path)
    return gone


def _empty(memory: Memory) -> list[tuple[str, str]]:
    """Return the paths and hashes of Sam's notes that have only titles; runs in a thread."""
    found = memory.vault.load_each(notes_of_sams(memory.vault))
    return [(path, note.hash) for path, note in found if has_only_titles(note.text)]
