"""After an older log is restored beside today's vault: mark messages already summarised there.

Use it only for a log that was just restored. If two installations write to one vault, a section of
the other one says nothing about the messages of this one.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import TYPE_CHECKING

from ..infra.clock import local_day
from ..infra.file_locks import locked
from ..notes import daily_note as dayfile

if TYPE_CHECKING:
    from ..core import Memory

REASON = "summarised after the backup"


async def exclude_summarised(memory: Memory) -> int:
    """Exclude pending messages that a section of the vault covers; return how many. Raises
    LockHeld.

    A section that the log does not know was written after the backup. A claim takes all pending
    messages, so all messages of that day up to the section's last one were claimed too, by that
    batch or another one.
    """
    batches, apart = memory.log.batches, []
    async with locked(memory.profile.files.batch_lock):
        days: dict[date, list[tuple[int, str]]] = defaultdict(list)
        for id_, sent_at in await batches.waiting():
            local = sent_at.astimezone(memory.zone)
            days[local_day(sent_at, memory.zone)].append((id_, f"{local:%H:%M:%S}"))
        for day, waiting in days.items():
            text = await memory.vault.read_optional(memory.day_path(day)) or ""
            found = dayfile.summaries(text)
            known = await batches.known_ids(found)
            last = max((f"{at}" for name, at in found.items() if name not in known), default="")
            apart += [id_ for id_, at in waiting if at <= last]
        await batches.exclude(apart, REASON)
    return len(apart)
