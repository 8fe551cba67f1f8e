"""`sam inbox`: show, retry or drop updates that are set aside because handling them failed."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import AsyncExitStack
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

from ...settings import Settings, load
from ..argument_types import number

if TYPE_CHECKING:
    from ...inbox import Aside, Inbox

BEGINS = 60  # characters of a message


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the updates to retry or drop."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--again",
        nargs="*",
        type=number(),
        metavar="ID",
        help="retry these; without an id: all",
    )
    what.add_argument(
        "--drop", nargs="*", type=number(), metavar="ID", help="drop these; without an id: all"
    )


def run(args: argparse.Namespace) -> int:
    """Return 0: done. 1: no update of that number is set aside, or its text is gone or damaged."""
    return asyncio.run(_inbox(load(), args.again, args.drop))


async def _inbox(settings: Settings, again: list[int] | None, drop: list[int] | None) -> int:
    from memory import DataDir, system_clock, zone_of
    from memory.infra import RunLock

    from ...inbox import Inbox

    path = DataDir(settings.data_dir).inbox
    if not path.exists():
        print("There is no inbox: Sam has not run on Telegram yet.")
        return 0
    async with AsyncExitStack() as stack:
        asked = again if again is not None else drop
        if asked is not None:  # a running Sam would not notice it, or may be handling it
            lock = RunLock(DataDir(settings.data_dir).run_lock)
            lock.acquire()
            stack.callback(lock.release)
        inbox = await Inbox.open(path, system_clock)
        stack.push_async_callback(inbox.close)
        aside = await inbox.updates.aside()
        if asked is None:
            print("\n".join(line(each, zone_of(settings, None)) for each in aside))
            print(
                "`sam inbox --again` retries them at the next start, `--drop` drops them."
                if aside
                else "Nothing is set aside."
            )
            return 0
        chosen = [each for each in aside if not asked or each.update_id in asked]
        missing = set(asked) - {each.update_id for each in chosen}
        for each in chosen:
            if again is None:
                await inbox.updates.drop(each.update_id)
                print(f"{each.update_id} is dropped.")
            elif await _try_again(settings, inbox, each):
                print(f"{each.update_id} is retried at the next start.")
            else:
                missing.add(each.update_id)
        if again is None:
            await inbox.scrub()
        for update_id in sorted(missing):
            print(f"{update_id} is not set aside, or its text is gone or damaged.")
        return 1 if missing else 0


async def _try_again(settings: Settings, inbox: Inbox, each: Aside) -> bool:
    """Open its turn, then requeue it: in this order the next start repairs a crash."""
    from memory import Log, profile_of, system_clock

    from ...telegram.access import Access
    from ...telegram.api.connection import read
    from ...telegram.parse import said

    if each.payload is None:
        return False
    try:
        message = read(each.payload).message
    except ValueError:
        return False
    if message is not None and (words := said(message)) is not None:
        access = Access.of(settings, inbox.people)
        await access.load()
        name = access.profile_of(message.chat_id) or access.profile_of_group(message.chat_id)
        path = profile_of(settings, name).files.log if name else None
        if path is not None and path.exists():
            log = await Log.open(path, system_clock)
            try:
                await log.turns.reopen(words.key)
            finally:
                await log.close()
    return await inbox.updates.again(each.update_id)


def line(each: Aside, zone: tzinfo) -> str:
    """Format one update on one line: number, time, chat, reason, first words."""
    at = f"{each.received_at.astimezone(zone):%Y-%m-%d %H:%M}"
    return f"{each.update_id:>10}  {at}  {each.chat or '-'}  {each.reason}  {_begins(each)}"


def _begins(each: Aside) -> str:
    import json

    if each.payload is None:
        return "(its text is gone)"
    try:
        words: Any = json.loads(each.payload)
        words = words.get("raw", words)
        message = words.get("message") or words.get("edited_message") or {}
    except (ValueError, AttributeError):
        return "(its stored text is damaged)"
    text = " ".join(str(message.get("text") or message.get("caption") or "").split())
    shown = "".join(char for char in text if char.isprintable())
    return shown if len(shown) <= BEGINS else shown[:BEGINS].rstrip() + " …"
