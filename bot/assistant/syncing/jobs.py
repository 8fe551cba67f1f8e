"""The sync's jobs besides running it: report long failures, merge conflict copies."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from memory import OWNER, Memory, profile_of

from ...settings import Settings, known_profiles, remote_of
from .opening import Tell

if TYPE_CHECKING:
    from ...sync import Sync


async def is_failing_unreported(settings: Settings, memory: Memory, sync: Sync | None) -> bool:
    """Return whether a sync has failed for an hour and this profile's user was not notified: its
    own sync or, for the owner, another profile's."""
    from . import alerts

    if sync is not None and await alerts.is_failing_unreported(sync, memory):
        return True
    return bool(await _failing(settings, memory))


async def tell_failing(settings: Settings, memory: Memory, sync: Sync | None, speak: Tell) -> None:
    """Notify this profile's user, once, of each sync for which `is_failing_unreported` is true."""
    from . import alerts

    if sync is not None and await alerts.is_failing_unreported(sync, memory):
        await alerts.tell_failing(sync, memory, speak)
    if failing := await _failing(settings, memory):
        await alerts.tell_failing_elsewhere(memory, speak, failing)


async def _failing(settings: Settings, memory: Memory) -> dict[str, str]:
    """Return the other profiles whose failing syncs the owner was not notified of: name → since
    when."""
    from ...sync import last_sync, overdue
    from . import alerts

    found: dict[str, str] = {}
    if memory.profile.name != OWNER:
        return found
    for name in await asyncio.to_thread(known_profiles, settings):
        remote, who = remote_of(settings, name).remote, profile_of(settings, name)
        if name == OWNER or not remote or not who.log_file.exists():
            continue
        since, _ = await asyncio.to_thread(last_sync, remote, who.files)
        if overdue(since, memory.clock()) and not await alerts.was_notified(
            memory, name, str(since)
        ):
            found[name] = str(since)
    return found


async def has_copies(memory: Memory) -> bool:
    """Return whether another sync program has left conflict copies in the vault."""
    from ...sync import other_tools

    return bool(await other_tools.conflict_copies(memory.vault))


async def merge_copies(memory: Memory, speak: Tell) -> None:
    """Merge conflict copies into their notes, archive them, and notify the profile's user."""
    from ...sync import other_tools
    from . import alerts

    entombed = memory.log.forgetting.with_tombstone
    merged = await other_tools.merge_all(memory.vault, memory.clock(), memory.zone, entombed)
    if merged:
        await speak(alerts.copies_message(merged))
