"""`sam why`: print the line that says something, and the messages that it comes from."""

from __future__ import annotations

import argparse
import asyncio
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

from ...settings import Settings, load
from ..plain_text import fields, show, show_json
from ..profiles import add_profile, open_memory
from ..progress import working

if TYPE_CHECKING:
    from memory.tools import Why


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the words, and the output format."""
    parser.add_argument("words", nargs="+", metavar="WORDS", help="the words to explain")
    add_profile(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Print the lines and their messages. Finding none is not an error."""
    from memory.tools import report

    words = " ".join(args.words)
    settings = load()
    with working("searching"):
        found, zone = asyncio.run(_explain(settings, args.profile, words))
    if args.json:
        show_json({"query": words, "lines": [_row(each) for each in found]})
    elif found:
        show(report(found, zone, owner="You"))
    else:
        print("I have nothing about that.")
    return 0


async def _explain(settings: Settings, profile: str, words: str) -> tuple[list[Why], tzinfo]:
    from memory.tools import Origins

    async with open_memory(settings, profile) as memory:
        # `private`: the owner asks, on his own machine.
        return await Origins(memory, private=True).of_words(words), memory.zone


def _row(why: Why) -> dict[str, Any]:
    messages = [
        fields(message, "id", "sent_at", "role", "origin", "chat", "text")
        for message in why.messages
    ]
    return fields(why, "path", "line", "text", "batch", "alike") | {"messages": messages}
