"""Decide when to summarise imported chats, and report what was learned from them."""

from __future__ import annotations

from memory import Memory
from memory.log import ImportRow
from memory.text import tn, tr

from ...claude.budget import IMPORTED_SHARE, Budget


async def imports_waiting(memory: Memory, budget: Budget) -> bool:
    """Return whether imported chats may be summarised now, or a finished import can be reported."""
    if await memory.log.bulk.open():
        return True  # checking for finished answers costs nothing
    _, more = await memory.log.bulk.waiting()
    if more or await memory.log.batches.pending(imported=True):
        return await budget.share_used() < IMPORTED_SHARE
    return bool(await finished_imports(memory))


async def finished_imports(memory: Memory) -> list[ImportRow]:
    """Return the imports not reported yet that are summarised, with their facts written."""
    imports = memory.log.imports
    if not (untold := await imports.unannounced()) or await memory.knowledge.waiting():
        return []
    return [row for row in await imports.all() if row.id in untold and not row.waiting]


def import_report(row: ImportRow) -> str:
    """Return the message that says what was learned from an import."""
    chats = tn("{count} conversation", "{count} conversations", row.chats)
    facts, where = tr("no new facts"), ""
    if row.facts:
        facts = tr("{facts} to review", facts=tn("{count} fact", "{count} facts", row.facts))
        where = tr(": /changes, or `sam facts`")
    return tr(
        "Your import {id} is summarised: {chats}, {facts}{where}.",
        id=row.id,
        chats=chats,
        facts=facts,
        where=where,
    )
