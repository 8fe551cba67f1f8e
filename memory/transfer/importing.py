"""Import conversations into the log in portions.

It can be killed and repeated at any time: each message has a key, and an interrupted import is
continued. Imported messages are pending, like those of live chats, and are summarised after those.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import aclosing
from contextvars import copy_context
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from ..infra.database_threads import Lane
from ..infra.failpoints import failpoint
from .formats.imported_message import ImportedMessage, LeftOut
from .formats.source_file import Progress, no_progress
from .importers import Conversations
from .known_chats import KnownChats

if TYPE_CHECKING:
    from ..core import Memory

log = logging.getLogger(__name__)

PORTION = 500  # messages in one transaction


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import, including its interrupted runs. `known`: messages that already
    existed, and have not changed; `updated`: those that were edited since, which belong to the
    import that brought them; `id`: None if there was no new one."""

    id: int | None
    chats: int
    messages: int
    known: int
    updated: int = 0


async def import_conversations(
    memory: Memory,
    found: Conversations,
    *,
    chats: Collection[str],
    me: str = "",
    bulk: bool = False,
    progress: Progress = no_progress,
) -> Imported:
    """Import these chats, given by their names in the log. `me`: the owner's name in them, if the
    files do not say who the owner is. `bulk`: order the summaries in bulk. Raises TransferRefused,
    StoreError."""
    imports = memory.log.imports
    mark = await asyncio.to_thread(found.mark)
    import_id = await imports.begin(found.importer.source, found.name, mark, bulk=bulk)
    total = added = updated = 0
    async with aclosing(portions(memory, found, progress, chats=chats)) as reading:
        async for read in reading:
            said = [message.said(me) for _, message in read]
            titles = {message.chat.name: message.chat.title for _, message in read}
            new, edited = await imports.add(import_id, said, titles)
            added, updated = added + new, updated + edited
            total += len(said)
            failpoint("in_import")
    failpoint("after_import")
    log.info(
        "imported id=%d source=%s messages=%d updated=%d",
        *(import_id, found.importer.source, added, updated),
    )
    if not await imports.end(import_id):
        return Imported(None, 0, 0, total - updated, updated)
    [row] = [each for each in await imports.all() if each.id == import_id]
    same = max(0, total - row.messages - updated)
    return Imported(import_id, row.chats, row.messages, same, updated)


async def portions(
    memory: Memory,
    found: Conversations,
    progress: Progress,
    leave_out: Callable[[LeftOut], None] = lambda each: None,
    chats: Collection[str] | None = None,
    size: int = PORTION,
) -> AsyncGenerator[list[tuple[ImportedMessage, ImportedMessage]]]:
    """Yield the messages of these chats, or of all, in portions of that `size`: each as the file
    has it, and as the log has it. Call `leave_out` with what cannot be imported. Raises
    TransferRefused."""
    known = KnownChats(memory, await memory.log.imports.titles())
    reading = found.read(memory.zone, progress, leave_out)
    wanted = (each for each in reading if chats is None or each.chat.name in chats)
    files, context = Lane(), copy_context()  # the owner's language, for what is left out
    try:
        while read := await files.run(lambda: context.run(list, islice(wanted, size))):
            yield list(zip(read, await known.as_stored(read), strict=True))
    finally:
        # In the lane: after Ctrl-C a thread may still be reading.
        await files.run(wanted.close)
        await files.run(reading.close)  # type: ignore[attr-defined]  # it is a generator
