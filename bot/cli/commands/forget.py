"""`sam forget`: list the sessions, or forget one with everything that came from it alone; or list
and forget all that is kept about some words."""

from __future__ import annotations

import argparse
import asyncio
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

from memory import ConfigError
from memory.log import IMPORTED
from memory.text import plural

from ...chat.transfer.estimate import plain
from ...settings import Settings, engine_keeps, load, remote_of
from ..argument_types import number
from ..plain_text import fields, show, show_json
from ..profiles import add_profile, open_memory
from ..progress import working
from ..questions import agrees, ask, can_ask

if TYPE_CHECKING:
    from memory.log import SessionOverview
    from memory.maintenance import ForgettableSession

    from ...chat.forgetting.choice import Listed

NOTHING = "I have nothing about that."
BEGINS = 60  # characters of a session's first message


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the session, and whether to ask."""
    parser.add_argument("session", nargs="?", type=number(), help="its number; default: list all")
    parser.add_argument(
        "--words", nargs="+", metavar="WORD", help="forget everything about these words"
    )
    add_profile(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON document; forgets only with --yes"
    )


def run(args: argparse.Namespace) -> int:
    """Return 0 when it is done, or was only listed; 1 when it was not confirmed."""
    if args.words and args.session is not None:
        raise ConfigError(["give a session or --words, not both"])
    if args.words:
        words = " ".join(args.words)
        return asyncio.run(_words(load(), words, args))
    return asyncio.run(_forget(load(), args))


async def _forget(settings: Settings, args: argparse.Namespace) -> int:
    from memory.maintenance import forget_session

    session: int | None = args.session
    async with open_memory(settings, args.profile, "opening the memory") as memory:
        if session is None:
            with working("listing the conversations"):
                found = await forget_session.sessions(memory)
                previews = [] if args.json else await forget_session.previews(memory, found)
            if args.json:
                show_json([_row(each) for each in found])
                return 0
            for going in previews:
                show(f"{line(going.overview, memory.zone)}\n      {counted(going)}")
            print(
                "`sam forget NUMBER` forgets one." if found else "There are no conversations yet."
            )
            return 0
        with working("looking for what came of it"):
            going = await forget_session.preview(memory, session)
        if args.json and not args.yes:
            show_json({**_row(going.overview), "goes": detailed(going)})
            return 0
        if not args.json:
            show(line(going.overview, memory.zone))
            show("\n".join(detailed(going)))
        if not (args.yes or agrees("Forget it for good?")):
            print("Nothing was forgotten.")
            return 1
        from ...chat.forgetting.erase import erase_session  # not needed to list sessions

        with working("forgetting"):
            await erase_session(settings, memory, going)
        if args.json:
            show_json({"session": session, "messages": going.overview.messages})
            return 0
        print("Forgotten.")
        for row in engine_keeps(settings, memory.clock()):
            print(row)
        if settings.backups.is_dir():
            print(f"Earlier backups in {settings.backups} still contain it until they expire.")
        if remote_of(settings, args.profile).remote:
            print("The remote follows with the next sync; what it keeps in its trash or version")
            print("history you have to delete yourself.")
    return 0


async def _words(settings: Settings, words: str, args: argparse.Namespace) -> int:
    """List what is kept about the words, and forget what the owner chooses."""
    from ...chat.forgetting.erase import erase_choice
    from ...chat.forgetting.find import find_kept
    from ...chat.forgetting.wording import listing, out_of_reach, receipt

    agreed, as_json = args.yes, args.json
    async with open_memory(settings, args.profile, "opening the memory") as memory:
        with working("looking for it in every copy"):
            listed = await find_kept(settings, memory, words)
        document = _document(listed)
        if not as_json:
            show("\n".join(listing(listed, memory.zone) or [NOTHING]))
        if not listed.count or (as_json and not agreed):
            if as_json:
                show_json(document)
            return 0
        if not as_json:
            show("\n".join(out_of_reach(settings, memory)))
        numbers = None if agreed else _chosen(listed.count)
        if numbers == []:
            print("Nothing was forgotten.")
            return 1
        with working("forgetting"):
            done = await erase_choice(settings, memory, listed.choice(numbers))
        rows = receipt(done, settings, memory)
        if as_json:
            # Without what it listed, which is forgotten now.
            document = {
                "messages": done.erased.messages,
                "lines": done.erased.lines,
                "updates": done.updates,
                "left": [*done.left, *done.others],
                "says": rows,
            }
            show_json(document)
        else:
            show("\n".join(rows))
    return 0


def _document(listed: Listed) -> dict[str, Any]:
    """Return the kept items as a JSON document."""
    return {
        "items": [
            {
                "number": number,
                "text": item.text,
                "where": list(item.where),
                "messages": sorted(item.messages),
                "with_it": list(item.made),
            }
            for number, item in enumerate(listed.kept.items, 1)
        ],
        "updates": [update.update_id for update in listed.updates],
        "yours": list(listed.kept.yours),
    }


def _chosen(count: int) -> list[int] | None:
    """Ask which of them; None: all, []: none."""
    from ...chat.forgetting.choice import chosen_numbers

    if not can_ask():
        return []
    answer = ask(f"Forget for good: all {count}, some (1 3), or none? [all/numbers/N] ")
    if answer.lower() == "all":
        return None
    return chosen_numbers(answer, count)


def line(overview: SessionOverview, zone: tzinfo) -> str:
    """Format the session on one line: number, start, chat, first words; of an imported chat its
    source and its title instead of its id."""
    at, chat = overview.session.started_at.astimezone(zone), overview.session.chat
    if chat.startswith(IMPORTED):
        chat = " ".join(filter(None, (chat.rpartition(":")[0], plain(overview.title, BEGINS))))
    short = plain(overview.begins, BEGINS)
    return f"{overview.session.id:>4}  {at:%Y-%m-%d %H:%M}  {chat}  {short}"


def _row(overview: SessionOverview) -> dict[str, Any]:
    session = overview.session
    return {
        "session": session.id,
        **fields(session, "chat", "started_at", "ended_at"),
        "messages": overview.messages,
        "begins": overview.begins[:BEGINS],
    }


def counted(going: ForgettableSession) -> str:
    """Format on one line how much would be removed."""
    bullets = sum(len(section.bullets) for section in going.sections)
    parts = [plural(going.overview.messages, "message"), plural(bullets, "bullet")]
    if going.facts:
        parts.append(plural(len(going.facts), "fact"))
    if going.lines:
        parts.append(plural(len(going.lines), "note"))
    if going.transcript:
        parts.append("its transcript")
    return ", ".join(parts)


def detailed(going: ForgettableSession) -> list[str]:
    """List what would be removed and what would stay."""
    shown = [f"{plural(going.overview.messages, 'message')} in the log: the texts are deleted"]
    if going.transcript:
        stays = " stays: you have edited it" if going.own else " is deleted"
        shown.append(going.transcript + stays)
    for section in going.sections:
        if section.summary or section.bullets:
            shown.append(f"{section.path}, these lines are deleted:")
            shown += [f"  {section.summary}"] if section.summary else []
            if section.summary and section.instead:
                shown[-1] += f"\n    (it also covers other messages; it becomes: {section.instead})"
            shown += [f"  - {bullet}" for bullet in section.bullets]
        if section.changed:
            mine = plural(len(section.changed), "line")
            shown.append(
                f"{section.path}: {mine} that you have changed or removed: left as they are"
            )
    for path in sorted({fact.path for fact in going.facts}):
        shown.append(f"{path}, these facts are deleted:")
        shown += [f"  {fact.line.strip()}" for fact in going.facts if fact.path == path]
    for path in sorted({each.path for each in going.lines}):
        shown.append(f"{path}, these notes are deleted, which I wrote in this session:")
        shown += [f"  - {each.text}" for each in going.lines if each.path == path]
    return [*shown, "What you asked to remember, and your own notes, stay as they are."]
