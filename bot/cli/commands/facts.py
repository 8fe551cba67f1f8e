"""`sam facts`: list what Sam knows, by category, tag and words."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from ...settings import Settings, load
from ..argument_types import number
from ..plain_text import fields, show, show_json
from ..profiles import add_profile, open_memory
from ..progress import working

if TYPE_CHECKING:
    from memory import KnownFact

CATEGORIES = ("biographical", "preference", "task", "relationship", "contextual", "rule")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the filters and the output format."""
    parser.add_argument("words", nargs="*", help="only facts with all of these words")
    parser.add_argument("--category", choices=CATEGORIES, default="", help="only this category")
    parser.add_argument("--tag", action="append", default=[], help="only with one of these tags")
    parser.add_argument(
        "--limit", type=number(1, 1000), default=50, metavar="N", help="how many (50)"
    )
    add_profile(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Return 0, also when nothing is known."""
    settings = load()
    with working("reading the facts"):
        found, waiting = asyncio.run(_facts(settings, args))
    if args.json:
        show_json([_row(each) for each in found])
        return 0
    for each in found:
        days = f", until {each.fact.expires}" if each.fact.expires else ""
        day = f"{each.fact.updated}" if each.fact.updated else "no day"
        show(f"{each.category:<12}  {day}{days}  {_row(each)['text']}  {each.path}:{each.number}")
    if not found:
        print("No such facts.")
    if waiting:
        print(f"{waiting} more are waiting to be written.")
    return 0


async def _facts(settings: Settings, args: argparse.Namespace) -> tuple[list[KnownFact], int]:
    async with open_memory(settings, args.profile) as memory:
        # `private`: the owner asks himself, and no model sees the answer.
        found = await memory.knowledge.facts(
            category=args.category,
            tags=args.tag,
            words=" ".join(args.words),
            private=True,
            limit=args.limit,
        )
        return found, await memory.knowledge.waiting()


def _row(known: KnownFact) -> dict[str, object]:
    from memory.notes import plain

    return {
        **fields(known.fact, "id", "updated", "expires", "pinned"),
        **fields(known, "category", "kind"),
        "text": plain(known.fact.text),
        "sensitive": known.private,
        "tags": sorted(known.tags),
        "path": known.path,
        "line": known.number,
    }
