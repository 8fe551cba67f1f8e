"""Notify the owner, once each, of sync conflicts, a stopped sync, and a long failure."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from memory import Memory
from memory.text import plural

from ..errors import SyncStopped
from ..sync import InstructionChange, Sync, overdue
from .speak import Speak

_SHOWN = 5


def conflicts(paths: Sequence[str]) -> str:
    """Return one message for all conflicts of one sync."""
    named = ", ".join(paths[:_SHOWN]) + (" …" if len(paths) > _SHOWN else "")
    return (
        f"The sync found {len(paths)} {'note' if len(paths) == 1 else 'notes'} of which you and I"
        f" had changed the same lines: {named}. Nothing is lost: what does not stand in the note"
        ' itself is in its callout "Sync conflict", or in archive/.'
    )


def copies(paths: Sequence[str]) -> str:
    """Return one message for the conflict copies that were merged."""
    named = ", ".join(paths[:_SHOWN]) + (" …" if len(paths) > _SHOWN else "")
    return (
        f"I merged {plural(len(paths), 'conflict copy', 'conflict copies')} into"
        f" {named}, and kept {'it' if len(paths) == 1 else 'them'} in archive/."
    )


def instructions(changes: Sequence[InstructionChange]) -> str:
    """Return one message for what the remote changed about how Sam acts, or would change.

    It holds no line of these files: what Sam says is remembered, and they may be another's.
    """
    texts = []
    for waiting in (True, False):
        named = [_counted(change) for change in changes if change.waiting is waiting]
        if named and waiting:
            texts.append(
                f"The remote would change how I act: {', '.join(named)}. I have not applied it:"
                " `sam sync --accept` shows it and asks you."
            )
        elif named:
            texts.append(
                f"The sync brought a change to how I act: {', '.join(named)}. If you did not make"
                " it, `sam sync --restore PATH` brings back what was there; then check who can"
                " write to your remote. With SYNC_INSTRUCTIONS=hold I ask you first."
            )
    return "\n\n".join(texts)


def _counted(change: InstructionChange) -> str:
    added = sum(line.startswith("+") for line in change.lines)
    removed = sum(line.startswith("-") for line in change.lines)
    return f"{change.path} ({plural(added, 'line')} added, {removed:,} removed)"


async def stopped(memory: Memory, speak: Speak, why: SyncStopped) -> None:
    """Notify the owner that the sync needs a decision; only once for the same reason."""
    await _once(memory, speak, "sync-stopped", why.mark, f"The sync has stopped. {why}")


async def is_silent(sync: Sync, memory: Memory) -> bool:
    """Return whether the sync has been failing for long, and the owner was not notified yet."""
    since = (await asyncio.to_thread(sync.last))[0]
    if not overdue(since, memory.clock()):
        return False
    return await memory.log.settings.get("sync-silent") != str(since)


async def silence(sync: Sync, memory: Memory, speak: Speak) -> None:
    """Notify the owner that sync has been failing."""
    since, error = await asyncio.to_thread(sync.last)
    if wrong := overdue(since, memory.clock()):
        why = f" The last try ended so: {error}" if error else ""
        text = f"The sync does not work: {wrong}. `sam sync` tries it at once.{why}"
        await _once(memory, speak, "sync-silent", str(since), text)


async def _once(memory: Memory, speak: Speak, name: str, mark: str, text: str) -> None:
    known = memory.log.settings
    if await known.get(name) != mark:
        await speak(text)
        await known.set(name, mark)
