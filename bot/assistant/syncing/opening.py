"""Make the sync of one profile's vault from the settings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import tzinfo

from memory import OWNER, Clock, Log, Vault, profile_of, zone_of

from ...settings import Settings, remote_of
from ...sync import Progress, Sync, no_progress

Tell = Callable[[str], Awaitable[None]]
"""Sends an unasked message to whom the alerts are for. Raises ChatError."""


def sync_of(
    settings: Settings,
    name: str,
    vault: Vault,
    log: Log,
    *,
    clock: Clock,
    zone: tzinfo,
    progress: Progress = no_progress,
) -> Sync:
    """Return the sync of that profile's open vault; without a remote it only manages copies."""
    return Sync(
        remote_of(settings, name).remote,
        vault,
        clock=clock,
        zone=zone,
        entombed=log.forgetting.with_tombstone,
        progress=progress,
        instructions=settings.sync_instructions,
        asks=name != OWNER,
    )


def in_chat(profile: str, text: str) -> str:
    """Return a sync's message with the chat command in place of the shell command."""
    return text if profile == OWNER else text.replace("`sam sync`", "/sync")


@asynccontextmanager
async def open_sync(
    settings: Settings, name: str, *, clock: Clock, progress: Progress = no_progress
) -> AsyncIterator[tuple[Sync, Log]]:
    """Open the resources of that profile's sync, without its memory, within this context.

    Raises StoreError, VaultError.
    """
    who = profile_of(settings, name)
    async with Log.of(who, clock) as log:
        vault = Vault(
            who.vault,
            sam_dir=settings.sam_dir,
            data_dir=who.data,
            exclude=settings.index_exclude,
            journal=log.journal.record,
        )
        zone = zone_of(settings, await vault.read_optional(vault.own("user.md")))
        yield (sync_of(settings, name, vault, log, clock=clock, zone=zone, progress=progress), log)
