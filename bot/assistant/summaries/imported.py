"""When imported chats are summarised, and what is said at the end of what was learned."""

from __future__ import annotations

from memory import Memory
from memory.log import ImportRow
from memory.text import plural

from ...claude.budget import IMPORTED_SHARE, Budget


async def are_waiting(memory: Memory, budget: Budget) -> bool:
    """Whether imported chats may be summarised now, or it can be said what was learned."""
    if await memory.log.bulk.open():
        return True  # to look whether they have come costs nothing
    _, more = await memory.log.bulk.waiting()
    if more or await memory.log.batches.pending(imported=True):
        return await budget.share_used() < IMPORTED_SHARE
    return bool(await learned(memory))


async def learned(memory: Memory) -> list[ImportRow]:
    """Return the imports of which all is summarised and the facts are written, and of which that
    was not said yet."""
    imports = memory.log.imports
    if not (untold := await imports.unannounced()) or await memory.knowledge.waiting():
        return []
    return [row for row in await imports.all() if row.id in untold and not row.waiting]


def said(row: ImportRow) -> str:
    """Return what was learned from an import."""
    chats = plural(row.chats, "conversation")
    facts = f"{plural(row.facts, 'fact')} to review" if row.facts else "no new facts"
    where = ": /changes, or `sam facts`" if row.facts else ""
    return f"Your import {row.id} is summarised: {chats}, {facts}{where}."
