"""`sam inbox`: show, retry or drop updates that are set aside because handling them failed."""

from __future__ import annotations

import argparse
import asyncio
import json
from contextlib import AsyncExitStack
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

from ...settings import Settings, load
from ..argument_types import number
from ..plain_text import show_json
from ..profiles import add_profile, existing
from ..progress import working

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...inbox import Inbox, SetAside
    from ...telegram.access import Access

BEGINS = 60  # characters of a message


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the updates to retry or drop."""
    add_profile(parser, default=None, text="only messages to this profile; default: to all")
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--again", nargs="*", type=number(), metavar="ID", help="retry these; without an id: all"
    )
    what.add_argument(
        "--drop", nargs="*", type=number(), metavar="ID", help="drop these; without an id: all"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(args: argparse.Namespace) -> int:
    """Return 0: done. 1: no update of that number is set aside, or its text is gone or damaged."""
    settings = load()
    profile = args.profile and existing(settings, args.profile)
    return asyncio.run(_inbox(settings, args.again, args.drop, profile=profile, as_json=args.json))


async def _inbox(
    settings: Settings,
    again: list[int] | None,
    drop: list[int] | None,
    *,
    profile: str | None = None,
    as_json: bool = False,
) -> int:
    from memory import DataDir, system_clock, zone_of
    from memory.infra import RunLock

    from ...inbox import Inbox

    if not Inbox.exists(settings):
        print("[]" if as_json else "There is no inbox: Sam has not run on Telegram yet.")
        return 0
    async with AsyncExitStack() as stack:
        asked = again if again is not None else drop
        if asked is not None:  # a running Sam would not notice it, or may be handling it
            lock = RunLock(DataDir(settings.data_dir).run_lock)
            lock.acquire()
            stack.callback(lock.release)
        with working("reading the inbox"):
            inbox = await Inbox.of(settings, system_clock)
            stack.push_async_callback(inbox.close)
            aside = await inbox.updates.aside()
            if profile is not None:
                access = await _access(settings, inbox)
                aside = [each for each in aside if _profile_of(access, each) == profile]
        if asked is None:
            _list(aside, zone_of(settings, None), as_json=as_json)
            return 0
        chosen = [each for each in aside if not asked or each.update_id in asked]
        if again is None:
            for each in chosen:
                await inbox.updates.drop(each.update_id)
            await inbox.scrub()
            done = [each.update_id for each in chosen]
        else:
            done = [each.update_id for each in chosen if await _try_again(settings, inbox, each)]
        missing = sorted({*asked, *(each.update_id for each in chosen)} - {*done})
        _report(done, missing, is_drop=again is None, as_json=as_json)
        return 1 if missing else 0


def _list(aside: Sequence[SetAside], zone: tzinfo, *, as_json: bool) -> None:
    if as_json:
        show_json([_row(each) for each in aside])
    else:
        print("\n".join(line(each, zone) for each in aside))
        how = "`sam inbox --again` retries them at the next start, `--drop` drops them."
        print(how if aside else "Nothing is set aside.")


def _report(done: list[int], missing: list[int], *, is_drop: bool, as_json: bool) -> None:
    if as_json:
        show_json({"dropped" if is_drop else "tried_again": done, "missing": missing})
        return
    for update_id in done:
        print(f"{update_id} is {'dropped' if is_drop else 'retried at the next start'}.")
    for update_id in missing:
        print(f"{update_id} is not set aside, or its text is gone or damaged.")


async def _try_again(settings: Settings, inbox: Inbox, each: SetAside) -> bool:
    """Open its turn, then requeue it: in this order the next start repairs a crash."""
    from memory import Log, profile_of, system_clock

    from ...telegram.api.connection import read
    from ...telegram.parse import said_message

    if each.payload is None:
        return False
    try:
        message = read(each.payload).message
    except ValueError:
        return False
    if message is not None and (words := said_message(message)) is not None:
        access = await _access(settings, inbox)
        name = access.profile_of(message.chat_id) or access.profile_of_group(message.chat_id)
        who = profile_of(settings, name) if name else None
        if who is not None and who.log_file.exists():
            async with Log.of(who, system_clock) as log:
                await log.turns.reopen(words.key)
    return await inbox.updates.requeue(each.update_id)


async def _access(settings: Settings, inbox: Inbox) -> Access:
    from ...telegram.access import Access

    access = Access.of(settings, inbox.people)
    await access.load()
    return access


def _profile_of(access: Access, each: SetAside) -> str | None:
    """Return the profile of the chat; None for a stranger's, or where the chat is unknown."""
    place = (each.chat or "").split(":")[1:2]  # telegram:ID, telegram:ID:TOPIC
    if not place or not place[0].lstrip("-").isdecimal():
        return None
    return access.profile_of(int(place[0])) or access.profile_of_group(int(place[0]))


def _row(each: SetAside) -> dict[str, Any]:
    return {
        "id": each.update_id,
        "at": each.received_at,
        "chat": each.chat,
        "reason": each.reason,
        "begins": _begins(each),
    }


def line(each: SetAside, zone: tzinfo) -> str:
    """Format one update on one line: number, time, chat, reason, first words."""
    at = f"{each.received_at.astimezone(zone):%Y-%m-%d %H:%M}"
    return f"{each.update_id:>10}  {at}  {each.chat or '-'}  {each.reason}  {_begins(each)}"


def _begins(each: SetAside) -> str:
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
