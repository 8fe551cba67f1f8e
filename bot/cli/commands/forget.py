"""`sam forget`: list the sessions, or forget one with everything that came from it alone."""

from __future__ import annotations

import argparse
import asyncio
import sys
from datetime import tzinfo
from typing import TYPE_CHECKING

from memory.text import plural

from ...settings import Settings, load
from ..argument_types import number

if TYPE_CHECKING:
    from memory import DataDir, Message
    from memory.log import SessionOverview
    from memory.maintenance import Forgettable

BEGINS = 60  # characters of a session's first message


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the session, and whether to ask."""
    parser.add_argument("session", nargs="?", type=number(), help="its number; without: list them")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(args: argparse.Namespace) -> int:
    """Return 0 when it is done, or was only listed; 1 when it was not confirmed."""
    return asyncio.run(_forget(load(), args.session, agreed=args.yes))


async def _forget(settings: Settings, session: int | None, *, agreed: bool) -> int:
    from memory import Memory
    from memory.maintenance import forget_session

    memory = await Memory.open(settings)
    try:
        if session is None:
            found = await forget_session.sessions(memory)
            for overview in found:
                going = await forget_session.preview(memory, overview.session.id)
                print(f"{line(overview, memory.zone)}\n      {counted(going)}")
            print("`sam forget NUMBER` forgets one." if found else "Nothing was said yet.")
            return 0
        going = await forget_session.preview(memory, session)
        print(line(going.overview, memory.zone))
        print("\n".join(detailed(going)))
        if not (agreed or _agrees()):
            print("Nothing was forgotten.")
            return 1
        from ...sync.purge import unsynced  # not needed to list sessions

        # First: after a crash the session can be forgotten again.
        messages = await memory.log.messages.of_session(session)
        await _clear_inbox(settings, messages)
        _delete_files(memory.profile.files, messages)
        async with unsynced(memory.vault) as clear:
            await clear(going)
            await clear(await forget_session.forget(memory, session))  # it may have grown meanwhile
        print("Forgotten.")
        if settings.backups.is_dir():
            print(f"Backups of before, in {settings.backups}, still hold it until they go by age.")
        if settings.rclone_remote:
            print("The remote follows with the next sync; what it keeps in a bin or in versions of")
            print("its own is for you to delete.")
    finally:
        await memory.close()
    return 0


def _by_chat(messages: list[Message]) -> dict[int, list[int]]:
    """Return Telegram's ids of the messages, by chat."""
    said: dict[int, list[int]] = {}
    for message in messages:
        if message.chat.startswith("telegram:"):
            chat = int(message.chat.split(":")[1])
            said.setdefault(chat, []).extend(message.telegram_ids)
    return said


def _delete_files(data: DataDir, messages: list[Message]) -> None:
    """Delete the pictures and files that came with these messages; kept ones are the vault's."""
    from ...media import MediaFiles

    for chat, ids in _by_chat(messages).items():
        MediaFiles(data.media).forget(chat, ids)


async def _clear_inbox(settings: Settings, messages: list[Message]) -> None:
    """Clear the texts of these messages in updates that are set aside."""
    from memory import DataDir, system_clock

    from ...inbox import Inbox

    path = DataDir(settings.data_dir).inbox
    said = _by_chat(messages)
    if not said or not path.exists():
        return
    inbox = await Inbox.open(path, system_clock)
    try:
        for chat, ids in said.items():
            await inbox.updates.forget(chat, ids)
            await inbox.buttons.forget(chat)
        await inbox.scrub()  # cleared texts may still be in the write-ahead log
    finally:
        await inbox.close()


def line(overview: SessionOverview, zone: tzinfo) -> str:
    """Format the session on one line: number, start, chat, first words."""
    begins = "".join(char for char in " ".join(overview.begins.split()) if char.isprintable())
    short = begins if len(begins) <= BEGINS else begins[:BEGINS].rstrip() + " …"
    at = overview.session.started_at.astimezone(zone)
    return f"{overview.session.id:>4}  {at:%Y-%m-%d %H:%M}  {overview.session.chat}  {short}"


def counted(going: Forgettable) -> str:
    """Format on one line how much would be removed."""
    bullets = sum(len(section.bullets) for section in going.sections)
    parts = [plural(going.overview.messages, "message"), plural(bullets, "bullet")]
    if going.facts:
        parts.append(plural(len(going.facts), "fact"))
    if going.transcript:
        parts.append("its transcript")
    return ", ".join(parts)


def detailed(going: Forgettable) -> list[str]:
    """List what would be removed and what would stay."""
    shown = [f"{plural(going.overview.messages, 'message')} of the log: the texts go"]
    if going.transcript:
        stays = " stays: you have edited it" if going.own else " is deleted"
        shown.append(going.transcript + stays)
    for section in going.sections:
        if section.summary or section.bullets:
            shown.append(f"{section.path}, of which these lines go:")
            shown += [f"  {section.summary}"] if section.summary else []
            if section.summary and section.instead:
                shown[-1] += f"\n    (other messages share it; it becomes: {section.instead})"
            shown += [f"  - {bullet}" for bullet in section.bullets]
        if section.changed:
            mine = plural(len(section.changed), "line")
            shown.append(f"{section.path}: {mine} that you have changed or removed: left as it is")
    for path in sorted({fact.path for fact in going.facts}):
        shown.append(f"{path}, of which these facts go:")
        shown += [f"  {fact.line.strip()}" for fact in going.facts if fact.path == path]
    return [*shown, "What you asked to remember, and your own notes, stay as they are."]


def _agrees() -> bool:
    if not sys.stdin.isatty():
        print("On no terminal it is not asked: add --yes.")
        return False
    return input("Forget it for good? [y/N] ").strip().lower() in ("y", "yes")
