"""/sync: sync with the remote, preview its changes, and agree to them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memory.text import clipped, mark, reveal, tn, tr

from ...assistant.syncing import in_chat
from ...errors import SyncStopped
from ...markdown_escape import escape
from ..protocol import Button, Call, Outcome, Press, Shown

if TYPE_CHECKING:
    from ...assistant import Assistant
    from ...sync import Sync, SyncAction, SyncResult

NO_REMOTE = mark("Your notes exist only on this machine: no remote is set up for them.")
TERMINAL = mark("To do it: `sam sync`, in a shell.")
SAME = mark("Both sides are in sync.")
NAMED = 8  # files of one kind
LINES, LONGEST = 20, 200  # lines of the diff of one file, and characters per line


async def sync(call: Call) -> Shown | str:
    """Sync my notes with the remote now, and show pending decisions"""
    if call.profile.sync is None:
        return tr(NO_REMOTE)
    shown = await _run(call.profile, call.profile.sync)
    if shown.keyboard and not call.on_telegram:
        return Shown(f"{shown.text}\n\n{tr(TERMINAL)}")
    return shown


async def agree(press: Press) -> Outcome:
    """Do what was shown; if the plan has changed since, show the new one."""
    sync = press.profile.sync
    if sync is None:
        return Outcome(toast=tr(NO_REMOTE))
    plan = await sync.plan()
    agreed = _digest(plan) == press.argument["plan"]
    return Outcome(replace=await _run(press.profile, sync, agreed=agreed))


async def accept(press: Press) -> Outcome:
    """Apply the changes to Sam's instructions that were shown."""
    sync = press.profile.sync
    if sync is None:
        return Outcome(toast=tr(NO_REMOTE))
    return Outcome(replace=await _run(press.profile, sync, accepted=press.argument["hashes"]))


async def _run(
    profile: Assistant,
    sync: Sync,
    *,
    agreed: bool = False,
    accepted: Mapping[str, str] | None = None,
) -> Shown:
    """Sync, and return the result or the question."""
    try:
        done = await sync.accept(accepted or {}, agreed=agreed)
    except SyncStopped as why:
        return await _question(profile, sync, why)
    text = "\n".join(_report(done))
    if profile.settings.sync_instructions != "hold":
        return Shown(text)
    return await _with_waiting(sync, text)


async def _question(profile: Assistant, sync: Sync, why: SyncStopped) -> Shown:
    said = escape(in_chat(profile.name, str(why)))
    try:
        plan = await sync.plan()
    except SyncStopped:  # nothing to agree to
        return Shown(said)
    rows = [said, "", tr("**This is what would be done:**")]
    for action in dict.fromkeys(plan.values()):
        names = [path for path, do in plan.items() if do is action]
        rows.append(f"- {escape(action.value)}: {_named(names)}")
    return Shown("\n".join(rows), ((Button(tr("Do it"), "sync.agree", {"plan": _digest(plan)}),),))


async def _with_waiting(sync: Sync, text: str) -> Shown:
    """Add the remote's pending changes to Sam's instructions, and a button to apply them."""
    waiting = await sync.waiting()
    if not waiting:
        return Shown(text)
    rows = [text, "", tr("**The remote would change my instructions:**")]
    for _, _, change in waiting:
        rows += ["", escape(change.path)]
        rows += [f"- {escape(clipped(reveal(line), LONGEST))}" for line in change.lines[:LINES]]
        if (more := len(change.lines) - LINES) > 0:
            more_lines = tn("{count} more line", "{count} more lines", more)
            rows.append(tr("- … and {more_lines}", more_lines=more_lines))
    hashes = {name: hash for name, hash, _ in waiting}
    return Shown("\n".join(rows), ((Button(tr("Take it"), "sync.accept", {"hashes": hashes}),),))


def _report(done: SyncResult) -> list[str]:
    changed = {
        tr("Taken from the remote"): done.taken,
        tr("Sent"): done.pushed,
        tr("Merged"): done.merged,
        tr("In conflict, both texts kept"): done.conflicts,
        tr("Deleted on the remote, now in archive/"): done.archived,
        tr("Archived on the remote"): done.removed,
        tr("Deferred to the next sync"): done.left,
        tr(
            "Not synced until renamed (the remote refuses the file, its name has a character that"
            " cannot be synced, or another file or folder has that name, perhaps in another case)"
        ): done.unsynced,
    }
    rows = [f"- {what}: {_named(paths)}" for what, paths in changed.items() if paths]
    return rows or [tr(SAME)]


def _named(paths: Sequence[str]) -> str:
    more = f" … ({tn('{count} file', '{count} files', len(paths))})" if len(paths) > NAMED else ""
    return escape(", ".join(paths[:NAMED]) + more)


def _digest(plan: Mapping[str, SyncAction]) -> str:
    rows = sorted(f"{path}\0{action.name}" for path, action in plan.items())
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()
