"""`sam search`: print the passages that answer a question, as text or JSON."""

from __future__ import annotations

import argparse
import asyncio
import gc
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

from memory import ConfigError, DataDir
from memory.infra import is_locked
from memory.text import age, plural
from memory.tools import day_meant

from ...chat.lookup.excerpt import excerpt, is_searchable
from ...settings import Settings, load
from ..argument_types import number
from ..plain_text import fields, printable, show, show_json
from ..profiles import add_profile, open_memory
from ..progress import working

if TYPE_CHECKING:
    from rich.text import Text

    from memory import Hit, Memory, Message, Recalled
    from memory.tools import Around

FIELDS = (
    *("path", "start_line", "end_line", "heading", "text", "date", "kind", "role"),
    *("score", "chunk_id", "message_ids", "weak", "until"),
)
CONTEXT = 100  # characters of what was said before or after a passage
LONGEST = 600  # characters of a passage on the screen, around the first word that was found


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the question and its filters."""
    parser.add_argument("query", nargs="*", metavar="QUERY", help="words, or a question")
    parser.add_argument("--limit", type=number(1, 200), default=8, metavar="N", help="hits (8)")
    parser.add_argument(
        "--filter", choices=("all", "conversations", "knowledge"), default="all", help="of what"
    )
    parser.add_argument("--since", type=_day, metavar="DAY", help="not before 2026-02-12")
    parser.add_argument("--until", type=_day, metavar="DAY", help="not after 2026-02-12")
    parser.add_argument(
        "--as-of",
        type=partial(_day, read=day_meant),  # of a month its last day
        metavar="DAY",
        help="only facts that were true then; 2026-03: at its end",
    )
    parser.add_argument(
        "--nearest", action="store_true", help="the closest matches, even if nothing fits"
    )
    add_profile(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Print the hits. Finding none is not an error."""
    if args.since and args.until and args.until < args.since:
        raise ConfigError(["--until is a day before --since: nothing can be found"])
    if args.as_of:
        return asyncio.run(_as_of(load(), args))
    if not is_searchable(" ".join(args.query)):
        raise ConfigError(["give words, or a question: `sam search dentist`"])
    gc.disable()  # almost all objects are modules', kept until the end: it would find no garbage
    try:
        settings = load()
        with working("searching"):
            recalled, near, said, today, lacks = asyncio.run(_recall(settings, args))
    finally:
        gc.enable()
    if args.json:
        show_json(as_json(recalled))
    else:
        _show(recalled, near, said, today, nearest=args.nearest)
        for each in lacks:
            print(f"({each})", file=sys.stderr)
    return 0


async def _recall(
    settings: Settings, args: argparse.Namespace
) -> tuple[Recalled, dict[int, Around], dict[int, Message], date, list[str]]:
    """Return the answer, the context of its hits, their messages by id, today, and what the search
    lacked."""
    from memory.tools import around, with_sources

    async with open_memory(settings, args.profile) as memory:
        found = await memory.recall(
            " ".join(args.query),
            limit=args.limit,
            filter=args.filter,
            since=args.since,
            until=args.until,
            private=True,  # the owner asks, on his own machine
        )
        hits = await with_sources(found.hits, memory.log)
        nearest = await with_sources(found.nearest, memory.log)
        near = await around(hits or nearest, memory.log.messages)
        ids = [hit.message_ids[0] for hit in (*hits, *nearest) if hit.is_message]
        said = {message.id: message for message in await memory.log.messages.by_ids(ids)}
        lacks = await _lacks(settings, memory, found)
        return replace(found, hits=hits, nearest=nearest), near, said, memory.today(), lacks


async def _lacks(settings: Settings, memory: Memory, found: Recalled) -> list[str]:
    """Return sentences on what the search lacked, which includes vectors that passages wait for,
    however few, unless a running Sam computes them."""
    lacks = [found.degraded] if found.degraded else []
    if memory.embedder is None or is_locked(DataDir(settings.data_dir).run_lock):
        return lacks
    counts = await memory.index.counts()
    if not counts["waiting"]:
        return lacks
    so_far = f"{counts['waiting']:,} of {plural(counts['chunks'], 'passage')}"
    wait = f"{so_far} cannot be found by meaning yet, only by words: `sam index` completes that"
    return [wait] if found.mode != "keywords" else [*lacks, wait]


async def _as_of(settings: Settings, args: argparse.Namespace) -> int:
    """Print the facts that were true on a day, and nothing else."""
    from memory.notes import plain

    words = " ".join(args.query)
    with working("searching"):
        async with open_memory(settings, args.profile) as memory:
            found = await memory.history.as_of(args.as_of, words, day_of=memory.today)
    rows = [
        {
            "path": each.known.path,
            "line": each.known.number,
            "text": plain(each.known.fact.text),
            "since": each.since,
            "until": each.until,
        }
        for each in found[: args.limit]
    ]
    if args.json:
        show_json({"query": words, "as_of": args.as_of, "facts": rows})
        return 0
    for row in rows:
        until = f" until {row['until']}" if row["until"] else ", and still"
        show(f"{row['path']}:{row['line']}  from {row['since']}{until}\n  {row['text']}")
    if not rows:
        print(f"I knew nothing about that on {args.as_of}.")
    return 0


def as_json(recalled: Recalled) -> dict[str, Any]:
    """Return the document that `--json` prints."""
    return {
        "query": recalled.query,
        "mode": recalled.mode,
        "hits": [_row(hit) for hit in recalled.hits],
        "nearest": [_row(hit) for hit in recalled.nearest],
    }


def _row(hit: Hit) -> dict[str, Any]:
    past = [{"line": number, "until": day} for number, day in hit.past]
    return {**fields(hit, *FIELDS), "weak": hit.is_unlikely, "past": past}


def _show(
    recalled: Recalled,
    near: Mapping[int, Around],
    said: Mapping[int, Message],
    today: date,
    *,
    nearest: bool,
) -> None:
    from rich.console import Console

    from memory.tools import WEAK, speaker

    console = Console(highlight=False, soft_wrap=True)
    hits = recalled.hits or (recalled.nearest if nearest else [])
    all_weak = recalled.is_weak or not recalled.hits
    if hits and all_weak:
        console.print(WEAK, end="\n\n")
    for hit in hits:
        head = f"[bold]{_escaped(hit.path)}:{hit.start_line}[/bold]"
        weak = "weak match" if hit.is_unlikely and not all_weak else ""
        message = said.get(hit.message_ids[0]) if hit.is_message else None
        who = speaker(message, "you") if message is not None else ""
        marks = (age(hit.date, today), hit.outdated, weak, hit.section, who)
        about = ", ".join(filter(None, marks))
        console.print(f"{head}  [dim]{_escaped(about)}[/dim]" if about else head)
        console.print(marked(hit, recalled.query))
        for line in near[hit.chunk_id].lines(CONTEXT, owner="You") if hit.chunk_id in near else ():
            console.print(f"    [dim]{_escaped(line)}[/dim]")
        console.print()
    if not hits:
        more = " Closest matches: sam search --nearest …" if recalled.nearest else ""
        console.print(f"I have nothing about that.{more}")


def marked(hit: Hit, query: str) -> Text:
    """Highlight the question's words; a long passage is shortened around the first of them."""
    from rich.text import Text

    shown = Text("  ")
    for piece, is_word in excerpt(printable(hit.dated_text), query, LONGEST):
        shown.append(piece.replace("\n", "\n  "), "bold yellow" if is_word else None)
    return shown


def _escaped(text: str) -> str:
    from rich.markup import escape

    return escape(printable(text))


def _day(text: str, read: Callable[[str], date] = date.fromisoformat) -> date:
    try:
        return read(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a day like 2026-02-12") from None
