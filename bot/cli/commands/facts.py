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

NO_OTHERS = "No such facts. `sam facts` alone lists all of them."
NONE = (
    "No facts yet. A fact is one line in knowledge/, with its day and its source: what you told Sam"
    " that will still be true in months."
)
MAKES = (
    "Sam collects them whenever it summarises: after twenty messages, on /new, and at the end of a"
    " day."
)
NEEDS_MODEL = (
    "Sam needs a model to collect them, and none is set up: `sam setup` asks for a key. What you"
    " say is kept all the same, and `sam search` finds it. You can also write such lines yourself."
)


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
        found, waiting, known = asyncio.run(_facts(settings, args))
    if args.json:
        show_json([_row(each) for each in found])
        return 0
    for each in found:
        days = f", until {each.fact.expires}" if each.fact.expires else ""
        day = f"{each.fact.updated}" if each.fact.updated else "no day"
        show(f"{each.category:<12}  {day}{days}  {_row(each)['text']}  {each.path}:{each.number}")
    if not found:
        print(NO_OTHERS if known else NONE)
    if not (found or known or waiting):
        print(MAKES if settings.has_model else NEEDS_MODEL)
    if waiting:
        print(f"{waiting} more are waiting to be written.")
    return 0


async def _facts(settings: Settings, args: argparse.Namespace) -> tuple[list[KnownFact], int, bool]:
    """Return the facts asked for, how many wait to be written, and whether any is known."""
    async with open_memory(settings, args.profile) as memory:
        # `private`: the owner asks himself, and no model sees the answer.
        found = await memory.knowledge.facts(
            category=args.category,
            tags=args.tag,
            words=" ".join(args.words),
            private=True,
            limit=args.limit,
        )
        known = bool(found or await memory.knowledge.facts(private=True, limit=1))
        return found, await memory.knowledge.waiting(), known


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
