"""Notify a profile's user, once each, of sync conflicts, a stopped sync, and a long failure; merge
conflict copies.

The owner is notified of other profiles' syncs too, without the names of their files.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from memory import OWNER, Log, Memory, profile_of
from memory.text import tn, tr

from ...errors import SyncStopped
from ...settings import Settings, known_profiles, remote_of
from ...sync import InstructionChange, Sync, last_sync, other_tools, overdue
from .opening import Tell, in_chat

_SHOWN = 5
_STOPPED = "sync-stopped"


def conflicts_message(paths: Sequence[str]) -> str:
    """Return one message for all conflicts of one sync."""
    named = ", ".join(paths[:_SHOWN]) + (" …" if len(paths) > _SHOWN else "")
    return tn(
        "The sync found {count} note in which you and I had changed the same lines: {named}. "
        "Nothing is lost: whatever is not in the note itself is in its callout "
        '"Sync conflict", or in archive/.',
        "The sync found {count} notes in which you and I had changed the same lines: {named}. "
        "Nothing is lost: whatever is not in the note itself is in its callout "
        '"Sync conflict", or in archive/.',
        len(paths),
        named=named,
    )


def copies_message(paths: Sequence[str]) -> str:
    """Return one message for the conflict copies that were merged."""
    named = ", ".join(paths[:_SHOWN]) + (" …" if len(paths) > _SHOWN else "")
    return tn(
        "I merged {count} conflict copy into {named}, and kept it in archive/.",
        "I merged {count} conflict copies into {named}, and kept them in archive/.",
        len(paths),
        named=named,
    )


def instructions_message(changes: Sequence[InstructionChange], profile: str = OWNER) -> str:
    """Return one message for the remote's actual or pending changes to Sam's instructions.

    It contains no line of these files: Sam's messages are remembered, and the text may be
    another's.
    """
    texts = []
    for waiting in (True, False):
        named = ", ".join(_counted(change) for change in changes if change.waiting is waiting)
        if not named:
            continue
        if waiting:
            text = tr(
                "The remote would change my instructions: {named}. I have not applied it: "
                "{shows} shows it and asks you.",
                named=named,
                shows="`sam sync --accept`" if profile == OWNER else "/sync",
            )
        elif profile == OWNER:
            text = tr(
                "The sync changed my instructions: {named}. If you did not make this change, "
                "`sam sync --restore PATH` restores the previous version; then check who can "
                "write to your remote. With SYNC_INSTRUCTIONS=hold I ask you first.",
                named=named,
            )
        else:
            text = tr(
                "The sync changed my instructions: {named}. If you did not make this change, "
                "ask the person who runs me to restore the previous version (`sam sync "
                "--profile {profile} --restore PATH`), and to check who can write there.",
                named=named,
                profile=profile,
            )
        texts.append(text)
    return "\n\n".join(texts)


def instructions_elsewhere_message(profile: str, changes: Sequence[InstructionChange]) -> str:
    """Return the owner's message about another profile's files."""
    waiting = sum(change.waiting for change in changes)
    command = f"sam sync --profile {profile}"
    texts = []
    if waiting:
        texts.append(
            tr(
                "The remote would change my instructions for {profile}, in {files}. I have not "
                "applied it: `{command} --accept` shows it and asks.",
                profile=profile,
                files=tn("{count} file", "{count} files", waiting),
                command=command,
            )
        )
    if done := len(changes) - waiting:
        texts.append(
            tr(
                "The sync of {profile} changed my instructions there, in {files}. If nobody "
                "intended this, `{command} --copies` lists the previous versions.",
                profile=profile,
                files=tn("{count} file", "{count} files", done),
                command=command,
            )
        )
    return "\n\n".join(texts)


def _counted(change: InstructionChange) -> str:
    added = sum(line.startswith("+") for line in change.lines)
    removed = sum(line.startswith("-") for line in change.lines)
    return tr(
        "{path} ({lines} added, {removed:,} removed)",
        path=change.path,
        lines=tn("{count} line", "{count} lines", added),
        removed=removed,
    )


async def tell_first_sync(memory: Memory, speak: Tell, remote: str) -> None:
    """Tell a user other than the owner that their notes are synced to a remote, once they have
    written: before that, Telegram accepts no messages to them."""
    known = await memory.log.settings.get("sync-begun")
    if known == remote or await memory.log.began() is None:
        return
    text = tr(
        "From now on I keep your notes on {remote} too, except for the folder sealed/, and "
        "apply the changes made there. Anyone who can open it can read them. The person who "
        "runs me set it up; ask them for access. /sync syncs immediately.",
        remote=remote,
    )
    await _once(memory.log, speak, "sync-begun", remote, text)


async def tell_stopped(memory: Memory, speak: Tell, why: SyncStopped) -> None:
    """Notify the user that the sync needs a decision; only once for the same reason."""
    text = tr("The sync has stopped. {in_chat}", in_chat=in_chat(memory.profile.name, str(why)))
    await _once(memory.log, speak, _STOPPED, why.mark, text)


async def tell_stopped_elsewhere(log: Log, speak: Tell, profile: str, why: SyncStopped) -> None:
    """Notify the owner that another profile's sync needs a decision. `log`: that profile's."""
    text = tr(
        "The sync of {profile} has stopped, and changes nothing until someone decides: `sam "
        "sync --profile {profile}` shows the reason and what it would do, and asks.",
        profile=profile,
    )
    await _once(log, speak, _STOPPED, why.mark, text)


async def end_stop(log: Log) -> None:
    """Record that the sync went well: if it stops again for that reason, the owner is notified."""
    if await log.settings.get(_STOPPED):
        await log.settings.set(_STOPPED, "")


async def is_failing_unreported(settings: Settings, memory: Memory, sync: Sync | None) -> bool:
    """Return whether a sync has failed for an hour and this profile's user was not notified: its
    own sync or, for the owner, another profile's."""
    if sync is not None:
        since = (await asyncio.to_thread(sync.last))[0]
        notified = await memory.log.settings.get("sync-silent")
        if overdue(since, memory.clock()) and notified != str(since):
            return True
    return bool(await _failing_elsewhere(settings, memory))


async def tell_failing(settings: Settings, memory: Memory, sync: Sync | None, speak: Tell) -> None:
    """Notify this profile's user, once, of each sync for which `is_failing_unreported` is true."""
    if sync is not None:
        await _tell_failing(sync, memory, speak)
    if failing := await _failing_elsewhere(settings, memory):
        await _tell_failing_elsewhere(memory, speak, failing)


async def _tell_failing(sync: Sync, memory: Memory, speak: Tell) -> None:
    """Notify the user, once, that the profile's own sync has been failing."""
    since, error = await asyncio.to_thread(sync.last)
    if wrong := overdue(since, memory.clock()):
        name = memory.profile.name
        why = tr(" The last error: {in_chat}", in_chat=in_chat(name, error)) if error else ""
        command = "`sam sync`" if name == OWNER else tr("I keep trying, and nothing is lost. /sync")
        text = tr(
            "The sync is failing: {wrong}. {command} tries it now.{why}",
            wrong=wrong,
            command=command,
            why=why,
        )
        await _once(memory.log, speak, "sync-silent", str(since), text)


async def _failing_elsewhere(settings: Settings, memory: Memory) -> dict[str, str]:
    """Return the other profiles whose failing syncs the owner was not notified of: name → since
    when."""
    found: dict[str, str] = {}
    if memory.profile.name != OWNER:
        return found
    for name in await asyncio.to_thread(known_profiles, settings):
        remote, who = remote_of(settings, name).remote, profile_of(settings, name)
        if name == OWNER or not remote or not who.log_file.exists():
            continue
        since, _ = await asyncio.to_thread(last_sync, remote, who.files)
        notified = await memory.log.settings.get(f"sync-silent:{name}")
        if overdue(since, memory.clock()) and notified != str(since):
            found[name] = str(since)
    return found


async def _tell_failing_elsewhere(memory: Memory, speak: Tell, failing: Mapping[str, str]) -> None:
    """Notify the owner of the profiles whose syncs have been failing, in one message. `failing`:
    since when, by name."""
    first, *more = sorted(failing)
    text = tr(
        "The sync is failing for {names}: nothing was synced for an hour or longer. `sam sync "
        "--profile {first}` tries it now, and shows the error.",
        names=", ".join([first, *more]),
        first=first,
    )
    await speak(text)
    for name, since in failing.items():
        await memory.log.settings.set(f"sync-silent:{name}", since)


async def has_copies(memory: Memory) -> bool:
    """Return whether another sync program has left conflict copies in the vault."""
    return bool(await other_tools.conflict_copies(memory.vault))


async def merge_copies(memory: Memory, speak: Tell) -> None:
    """Merge the conflict copies of other sync programs into their notes, archive them, and notify
    the profile's user."""
    entombed = memory.log.forgetting.with_tombstone
    merged = await other_tools.merge_all(memory.vault, memory.clock(), memory.zone, entombed)
    if merged:
        await speak(copies_message(merged))


async def _once(log: Log, speak: Tell, name: str, mark: str, text: str) -> None:
    known = log.settings
    if await known.get(name) != mark:
        await speak(text)
        await known.set(name, mark)
