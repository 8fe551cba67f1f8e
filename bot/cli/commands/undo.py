"""`sam undo`: show what Sam changed last, and take it back when that is confirmed."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING, Any

from memory import ConfigError

from ...settings import Settings, load
from ..argument_types import number
from ..plain_text import fields, show, show_json
from ..profiles import add_profile, open_memory
from ..progress import working
from ..questions import agrees

if TYPE_CHECKING:
    from memory import ChangeSet, Memory

LISTED = 10


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add which change, and whether to ask."""
    parser.add_argument(
        "change", nargs="?", type=number(1, 1000), help="its number in --list; default: the last"
    )
    parser.add_argument("--list", action="store_true", help=f"the last {LISTED} changes")
    parser.add_argument("--redo", action="store_true", help="redo an undone change")
    add_profile(parser)
    parser.add_argument("--json", action="store_true", help="with --list: print one JSON document")
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def run(args: argparse.Namespace) -> int:
    """Return 0 when it is done, or was only listed; 1 when it was not confirmed."""
    if args.json and not args.list:
        raise ConfigError(["--json needs --list: `sam undo --list --json`"])
    if args.redo and args.change is None:
        raise ConfigError(["--redo needs the number of a change: `sam undo --list` shows them"])
    return asyncio.run(_undo(load(), args))


async def _undo(settings: Settings, args: argparse.Namespace) -> int:
    async with open_memory(settings, args.profile, "reading the changes") as memory:
        with working("reading the changes"):
            await memory.history.finish()
            changes = await memory.history.changes(1000)
        if args.list:
            if args.json:
                show_json(_document(memory, changes[:LISTED]))
            else:
                _list(memory, changes[:LISTED])
            return 0
        from ...chat.review.undo import forgotten_since, left_notice

        if args.change is None:
            change = await memory.history.last()
            if final := await forgotten_since(memory, change):
                print(final)
        else:
            change = changes[args.change - 1] if args.change <= len(changes) else None
            if change is not None and change.undone is not args.redo:
                undone = f"It is undone already. To redo it: `sam undo {args.change} --redo`"
                print(undone if change.undone else f"It is not undone: `sam undo {args.change}`")
                return 1
        if change is None:
            if args.change is None:
                print("There is nothing to undo.")
                return 0
            print("There is no such change: `sam undo --list` shows them.")
            return 1
        await _show(memory, change, back=not args.redo)
        if not (args.yes or agrees("Redo it?" if args.redo else "Undo it?")):
            print("Nothing was changed.")
            return 1
        with working("changing the notes"):
            do = memory.history.redo if args.redo else memory.history.undo
            done = await do(change.key)
            await memory.reconcile()
        place = 1 + [each.key for each in changes].index(change.key)
        again = f"Undone. To redo it: `sam undo {place} --redo`"
        print("Redone." if args.redo else again)
        if left := left_notice(done):
            print(left)
        return 0


def _document(memory: Memory, changes: list[ChangeSet]) -> list[dict[str, Any]]:
    return [
        {
            "number": place,
            **fields(change, "at", "what", "undone"),
            "lines": [
                fields(line, "path", "added", "text") for line in change.lines(memory.vault.sam_dir)
            ],
        }
        for place, change in enumerate(changes, 1)
    ]


def _list(memory: Memory, changes: list[ChangeSet]) -> None:
    from ...chat.review.undo import change_title

    for place, change in enumerate(changes, 1):
        undone = " (undone)" if change.undone else ""
        show(f"{place:>3}  {change_title(change, memory.clock(), memory.zone)}{undone}")
        for line in change.lines(memory.vault.sam_dir)[:3]:
            show(f"       {'+' if line.added else '-'} {line.text}  ({line.path})")
    print("`sam undo NUMBER` undoes one." if changes else "There is nothing to undo.")


async def _show(memory: Memory, change: ChangeSet, *, back: bool) -> None:
    from ...chat.review.undo import change_title, effects, reason

    show(change_title(change, memory.clock(), memory.zone))
    if why := await reason(memory, change):
        show(f"({why})")
    print("Undoing it would:" if back else "Redoing it would:")
    show("\n".join(f"  {line}" for line in effects(change, memory, back=back)))
