"""`sam sync`: sync the vault with the remote once, preview or undo that, or set it up."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memory import OWNER, ConfigError, config, profile_of, system_clock
from memory.text import plural, reveal, size

from ...settings import Settings, load, remote_of
from ..plain_text import fields, show, show_json
from ..profiles import add_profile, existing
from ..progress import working
from ..questions import YES, ask

if TYPE_CHECKING:
    from ...sync import Sync, SyncAction, SyncResult

_SHOWN = 20  # files of one kind; beyond that only their number
_NOTHING = {
    "pull": "There is nothing new on the remote.",
    "push": "There is nothing to send.",
    None: "Both sides are in sync.",
}
"""What is printed when nothing was done, by the direction."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command-line arguments."""
    parser.add_argument(
        "direction", nargs="?", choices=("pull", "push"), help="only this direction; default: both"
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would be done")
    parser.add_argument("--setup", action="store_true", help="set up a remote, and test it")
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    add_profile(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--accept",
        nargs="*",
        metavar="PATH",
        help="review pending changes to soul.md, skills/ … from the remote; without a path: all",
    )
    what.add_argument(
        "--copies", action="store_true", help="list the files that syncs replaced or deleted here"
    )
    what.add_argument(
        "--restore",
        nargs="+",
        metavar="COPY",
        help="restore copies: a path, a time from --copies (all of that sync), or TIME/PATH",
    )


def run(args: argparse.Namespace) -> int:
    """Print what changed, a line for each file."""
    if args.setup:
        return _set_up(args.profile)
    if args.json and args.accept is not None:
        raise ConfigError(["--accept shows and asks: it has no --json"])
    settings = load()
    folder = remote_of(settings, existing(settings, args.profile))
    if not folder.remote and not (args.copies or args.restore):
        setting = "RCLONE_REMOTE: set an rclone remote; `sam sync --setup` helps"
        if args.profile != OWNER and settings.syncs:
            setting = folder.why or "PROFILES_REMOTE is none: only your own vault is synced"
        raise ConfigError([setting])
    return asyncio.run(_run(settings, args))


def _set_up(profile: str) -> int:
    if profile != OWNER:
        raise ConfigError(["--setup is for the owner's remote: set theirs with PROFILES_REMOTE"])
    from ...setup import sync_remote
    from ...setup.prompts import terminal_prompts

    path = (config.env_file() or Path(".env")).absolute()
    try:
        asyncio.run(sync_remote.run(terminal_prompts(), path))
    except EOFError:
        print("\nThe input ended: the settings were not changed.")
        return 1
    return 0


async def _run(settings: Settings, args: argparse.Namespace) -> int:
    from ...assistant.syncing import open_sync

    data = profile_of(settings, args.profile).data
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    busy = working("syncing with the remote")

    def progress(what: str, count: int, whole: int) -> None:
        busy.update(f"{what} {count} of {whole}")

    async with open_sync(settings, args.profile, clock=system_clock, progress=progress) as opened:
        sync = opened[0]
        if args.dry_run:
            await _preview(sync, args, busy)
        elif args.copies:
            await _list_copies(sync, args, busy)
        elif args.restore:
            await _restore(sync, args, busy)
        else:
            return await _exchange(sync, args, busy)
        return 0


async def _preview(sync: Sync, args: argparse.Namespace, busy: working) -> None:
    with busy:
        plan = await sync.plan(args.direction)
    if args.json:
        show_json({path: action.value for path, action in plan.items()})
    else:
        _show(plan, args.direction)


async def _list_copies(sync: Sync, args: argparse.Namespace, busy: working) -> None:
    with busy:
        copies = await asyncio.to_thread(sync.copies)
    if args.json:
        show_json([{"copy": f"{each.folder}/{each.path}", "bytes": each.size} for each in copies])
        return
    for copy in copies:
        show(f"{copy.folder}/{copy.path}  {size(copy.size)}")
    if copies:
        print(f"{plural(len(copies), 'copy', 'copies')}, {size(sum(c.size for c in copies))}, UTC")
    else:
        print("There are no copies: no sync has replaced or deleted a file here recently.")


async def _restore(sync: Sync, args: argparse.Namespace, busy: working) -> None:
    with busy:
        restored = [path for wanted in args.restore for path in await sync.restore(wanted)]
    if args.json:
        show_json({"restored": restored})
        return
    for path in restored:
        show(f"restored: {path}")


async def _exchange(sync: Sync, args: argparse.Namespace, busy: working) -> int:
    """Sync, or accept what waits. If the sync stops, show what it would do, and ask."""
    from ...errors import SyncStopped

    command = "sam sync" if args.profile == OWNER else f"sam sync --profile {args.profile}"
    sync_once = {"pull": sync.pull, "push": sync.push, None: sync.run}[args.direction]
    if args.accept is not None:
        chosen = await _to_accept(sync, args.accept)
        if not chosen or not (args.yes or _agrees()):
            print("Nothing was changed." if chosen else "No change of that name is waiting.")
            return 1
        sync_once = partial(sync.accept, chosen)
    try:
        with busy:
            done = await sync_once(agreed=args.yes)
    except SyncStopped as stop:
        if args.json:
            raise
        with busy:
            plan = await sync.plan(args.direction)  # raises again what cannot be agreed to
        print(str(stop).replace("`sam sync", f"`{command}"))
        print("\nThis is what would be done:\n")
        _show(plan, args.direction)
        if not _agrees():
            print("Nothing was changed.")
            return 1
        with busy:
            done = await sync_once(agreed=True)
    if args.json:
        show_json(_document(done))
    else:
        _report(done, command, args.direction)
    return 0


async def _to_accept(sync: Sync, wanted: Sequence[str]) -> dict[str, str]:
    """Show the waiting instructions of these paths, or all; return their hashes by name."""
    chosen = {}
    for name, hash, change in await sync.waiting():
        if not wanted or change.path in wanted:
            chosen[name] = hash
            show(f"{change.path}:")
            for line in change.lines:
                show(f"  {reveal(line)}")
    return chosen


def _agrees() -> bool:
    return ask("\nDo it? [y/N] ").lower() in (*YES, "j", "ja")


def _show(plan: dict[str, SyncAction], direction: str | None) -> None:
    if not plan:
        print(_NOTHING[direction])
    for action in dict.fromkeys(plan.values()):
        names = [path for path, do in plan.items() if do is action]
        print(f"{action.value} ({len(names)})")
        for path in names[:_SHOWN]:
            show(f"  {path}")
        if len(names) > _SHOWN:
            print(f"  … and {len(names) - _SHOWN} more")


def _document(done: SyncResult) -> dict[str, list[str]]:
    return {
        **fields(done, "taken", "merged", "conflicts", "archived", "left", "kept", "unsynced"),
        "sent": done.pushed,
        "removed_there": done.removed,
        "waiting_for_you": done.waiting,
    }


def _report(done: SyncResult, command: str, direction: str | None) -> None:
    changed = {
        "taken": done.taken,
        "sent": done.pushed,
        "merged": done.merged,
        "conflict": done.conflicts,
        "archived": done.archived,
        "removed there": done.removed,
        "deferred to the next sync": done.left,
    }
    for what, paths in changed.items():
        for path in paths:
            show(f"{what}: {path}")
    for path in done.waiting:
        show(f"waits for you: {path} (review with `{command} --accept`)")
    if done.kept:
        count = plural(len(done.kept), "copy", "copies")
        print(f"kept: {count} of replaced files: `{command} --copies`")
    if done.unsynced:
        print(
            "not synced until renamed (the remote refuses the file, its name has a character that"
            " cannot be synced, or another file or folder has that name, perhaps in another case):"
        )
        for path in done.unsynced:
            show(f"  {path}")
    elif not (done.waiting or any(changed.values())):
        print(_NOTHING[direction])
