"""What the owner is told about the sync, unasked and once: conflicts, a stop, a long silence.

Knows no chat: it is given a profile, which has a way to speak.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from ..errors import SyncStopped

if TYPE_CHECKING:
    from ..profile import Profile

STALE = timedelta(hours=1)
"""After so long without a good sync something is wrong: a remote is down for minutes, not hours."""
_SHOWN = 5


def overdue(since: datetime | None, now: datetime) -> str:
    """What is wrong with a sync whose last good run was then; empty when all is well."""
    if since is None or now - since <= STALE:
        return ""
    return f"nothing was synced since {since:%Y-%m-%d %H:%M} UTC"


def conflicts(paths: Sequence[str]) -> str:
    """One message for all conflicts of one sync."""
    named = ", ".join(paths[:_SHOWN]) + (" …" if len(paths) > _SHOWN else "")
    return (
        f"The sync found {len(paths)} {'note' if len(paths) == 1 else 'notes'} of which you and I"
        f" had changed the same lines: {named}. Nothing is lost: what does not stand in the note"
        ' itself is in its callout "Sync conflict", or in archive/.'
    )


def copies(paths: Sequence[str]) -> str:
    """One message for the conflict copies that were joined."""
    named = ", ".join(paths[:_SHOWN]) + (" …" if len(paths) > _SHOWN else "")
    return (
        f"I joined {len(paths)} conflict {'copy' if len(paths) == 1 else 'copies'} with"
        f" {named}, and put what was beside into archive/."
    )


async def stopped(profile: Profile, why: SyncStopped) -> None:
    """Say that the sync waits for the owner; not again as long as it is for the same reason."""
    await _once(profile, "sync-stopped", str(why), f"The sync has stopped. {why}")


async def is_silent(profile: Profile) -> bool:
    """Whether there was no good sync for long, and the owner has not been told of it."""
    if profile.sync is None:
        return False
    since = (await asyncio.to_thread(profile.sync.last))[0]
    if not overdue(since, profile.memory.clock()):
        return False
    return await profile.memory.log.settings.get("sync-silent") != str(since)


async def silence(profile: Profile) -> None:
    """Tell it."""
    if profile.sync is not None:
        since, error = await asyncio.to_thread(profile.sync.last)
        if wrong := overdue(since, profile.memory.clock()):
            why = f" The last try ended so: {error}" if error else ""
            text = f"The sync does not work: {wrong}. `sam sync` tries it at once.{why}"
            await _once(profile, "sync-silent", str(since), text)


async def _once(profile: Profile, name: str, mark: str, text: str) -> None:
    known = profile.memory.log.settings
    if await known.get(name) != mark:
        await profile.speak(text)
        await known.set(name, mark)
