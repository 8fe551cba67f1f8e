"""`sam versions`: list earlier texts of soul.md, identity.md and user.md, and bring one back."""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING

from memory import ConfigError

from ...settings import load
from ..argument_types import number
from ..plain_text import show, show_json
from ..profiles import add_profile, open_memory
from ..questions import agrees

if TYPE_CHECKING:
    from memory import Memory


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the file, and what to do."""
    parser.add_argument("file", help="soul.md, identity.md or user.md")
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--show", type=number(1, 1000), metavar="N", help="print that version in full"
    )
    what.add_argument(
        "--restore",
        type=number(1, 1000),
        metavar="N",
        help="restore that version, after a confirmation",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    add_profile(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Return 0; 1 where there is no such version, or the owner said no."""
    return asyncio.run(_versions(args))


async def _versions(args: argparse.Namespace) -> int:
    from ...chat.review.versions import ALONE, REFUSED, listing

    async with open_memory(load(), args.profile, "reading the versions") as memory:
        guidance = memory.guidance
        if not (name := guidance.versioned(args.file)):
            raise ConfigError(
                [f"{args.file} has no versions: give soul.md, identity.md or user.md"]
            )
        found = await guidance.versions(name)
        current = bool(found) and await guidance.is_current(found[0])
        wanted = args.show or args.restore or 0
        if (why := await guidance.refused(name)) and not found:
            print(REFUSED.format(name, why))
        elif wanted > len(found):
            few = f"{name} has the versions 1 to {len(found)}."
            print(few if found[current:] else ALONE.format(name), file=sys.stderr)
            return 1
        elif args.restore:
            return await _restore(memory, found[args.restore - 1].id, args)
        elif args.json:
            rows = [
                {"number": n, "seen_at": each.seen_at, "text": each.text}
                for n, each in enumerate(found, 1)
                if args.show in (None, n)
            ]
            show_json({"path": memory.vault.own(name), "versions": rows})
        elif args.show:
            print(found[args.show - 1].text, end="")
        else:
            lines = listing(memory, found, current=current) if found[current:] else []
            show("\n".join(lines) or ALONE.format(name))
        return 0


async def _restore(memory: Memory, number: int, args: argparse.Namespace) -> int:
    from memory.text import difference

    found = await memory.guidance.restoring(number)
    assert found is not None, "it was just listed"
    path = found.version.path
    if found.before == found.after:
        said = f"{path} already has this text."
    else:
        if not args.json:
            show("\n".join(difference(found.before, found.after)))
        if not (args.yes or agrees(f"Change {path} like this?")):
            print("Nothing was changed.", file=sys.stderr)
            return 1
        await memory.guidance.restore(number, found.expected)
        said = f"Done. `sam versions {path}` has the previous text."
    if args.json:
        show_json({"path": path, "restored": args.restore})
    else:
        print(said)
    return 0
