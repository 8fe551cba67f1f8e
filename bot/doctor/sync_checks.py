"""Check the state of one profile's sync. Names no files, except the owner's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

from memory import OWNER, Memory
from memory.text import plural

from ..assistant.syncing import sync_of
from ..settings import Settings, remote_of
from ..sync import overdue
from .checks import sealed_in_sync
from .report import Problem


async def of_sync(
    memory: Memory, settings: Settings, ledger: dict[str, Any]
) -> AsyncIterator[Problem]:
    """Report problems with the sync of that profile, and fill in its lag."""
    name = memory.profile.name
    mine = name == OWNER
    folder = remote_of(settings, name)
    if folder.why:
        yield Problem(
            "sync-folder",
            f"the vault of {name} is not synced: {folder.why}",
            "set PROFILES_REMOTE, or PROFILES_REMOTE=none if that is intended",
        )
    if not folder.remote:
        return
    sync = sync_of(settings, name, memory.vault, memory.log, clock=memory.clock, zone=memory.zone)
    synced = await asyncio.to_thread(sync.status)
    ledger["lags"]["not_pushed"] = synced.lag
    command, whose = ("sam sync", "") if mine else (f"sam sync --profile {name}", f" of {name}")
    if sealed := await asyncio.to_thread(sealed_in_sync, memory.vault):
        yield Problem(
            "sealed-remote",
            f"{plural(len(sealed), 'note')}{whose}"
            f" {'is' if len(sealed) == 1 else 'are'} sealed only by front matter, and on the "
            f"remote{_named(sealed) if mine else ''}",
            "move them into sealed/, and delete them on the remote and from its trash",
        )
    if synced.last_error:
        why = f": {synced.last_error}" if mine else ""
        yield Problem("sync", f"the last sync{whose} failed{why}", f"`{command}`")
    if synced.waiting:
        what = ", ".join(synced.waiting) if mine else plural(len(synced.waiting), "file")
        yield Problem(
            "sync-waiting",
            f"the sync{whose} would change Sam's instructions, with your consent: {what}",
            f"review it with `{command} --accept`",
            "note",
        )
    if synced.unsynced:
        what = plural(len(synced.unsynced), "file")
        yield Problem(
            "sync-name",
            f"{what}{whose} cannot be synced, since the remote refuses the file, its name has a"
            " character that cannot be synced, or another file or folder has that name, perhaps in"
            " another case"
            f"{_named(synced.unsynced) if mine else ''}",
            f"rename them, or move what is too large out of the vault; then `{command}`",
        )
    if wrong := overdue(synced.last_ok or synced.begun, memory.clock()):
        yield Problem(
            "sync-stale",
            wrong if mine else f"the vault{whose}: {wrong}",
            f"start Sam, or `{command}`",
        )


def _named(paths: Sequence[str]) -> str:
    return f": {', '.join(paths[:3])}{' …' if len(paths) > 3 else ''}"
