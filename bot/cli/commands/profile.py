"""`sam profile`: list, add, rename, export and remove the memories of other people and groups."""

from __future__ import annotations

import argparse
import asyncio
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory import OWNER, ConfigError, DataDir, is_group, profile_of, system_clock
from memory.text import plural, size

from ...settings import Settings, engine_keeps, known_profiles, load, remote_of
from ..plain_text import show_json
from ..profiles import existing, open_memory, reject_profile
from ..progress import working
from ..questions import ask, can_ask
from . import export

if TYPE_CHECKING:
    from memory import Profile


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what to do, and with which profile."""
    what = parser.add_subparsers(
        dest="what", metavar="list|add|rename|export|remove", required=True
    )
    listed = what.add_parser("list", help="list all profiles, with their folders and users")
    listed.add_argument("--json", action="store_true", help="print one JSON document")
    added = what.add_parser("add", help="create an empty memory for someone")
    added.add_argument("name", metavar="NAME", help="lower-case letters, digits, - and _")
    renamed = what.add_parser("rename", help="rename a profile")
    renamed.add_argument("name", metavar="NAME", help="current name")
    renamed.add_argument("new", metavar="NEW", help="new name")
    exported = what.add_parser("export", help="export a profile, as `sam export` does")
    exported.add_argument("profile", metavar="NAME", help="the profile to export")
    export.add_folder(exported)
    removed = what.add_parser("remove", help="delete a profile for good, after an export")
    removed.add_argument("name", metavar="NAME", help="the profile to delete")
    removed.add_argument("--export", type=Path, metavar="DIR", help="first export it to DIR")
    removed.add_argument("--yes", action="store_true", help="do not ask, and do not export")
    for each in (parser, listed, added, renamed, exported, removed):
        reject_profile(each, "name the profile without --profile: `sam profile export NAME DIR`")


def run(args: argparse.Namespace) -> int:
    """Return 0 when it is done; 1 when it was not confirmed."""
    settings = load()
    _finish_removals(settings)
    match args.what:
        case "list":
            return _list(settings, as_json=args.json)
        case "add":
            return asyncio.run(_add(settings, args.name))
        case "export":
            return export.run(args)
        case "rename":
            return asyncio.run(_rename(settings, args.name, args.new))
        case _:
            return asyncio.run(_remove(settings, args))


def _finish_removals(settings: Settings) -> None:
    """Delete what is left of a profile whose removal was killed."""
    for left in settings.profiles_dir.glob(".*.removed"):
        shutil.rmtree(left, ignore_errors=True)


def _list(settings: Settings, *, as_json: bool) -> int:
    from ...inbox import telegram_users

    with working("listing the profiles"):
        users = asyncio.run(telegram_users(settings, system_clock))
        rows = [_row(settings, name, users) for name in known_profiles(settings)]
    if as_json:
        show_json(rows)
        return 0
    for row in rows:
        who = ", ".join(map(str, row["telegram"])) or "nobody on Telegram"
        there = plural(row["notes"], "note") if row["used"] else "not used yet"
        print(f"{row['name']:<16} {there:<14} {who:<24} {row['folder']}")
    return 0


def _row(settings: Settings, name: str, users: Mapping[int, str]) -> dict[str, Any]:
    who = profile_of(settings, name)
    return {
        "name": name,
        "folder": who.vault if name == OWNER else who.vault.parent,
        "telegram": [user for user, of in users.items() if of == name],
        "used": who.log_file.exists(),
        "notes": _notes(who.vault),
    }


async def _add(settings: Settings, name: str) -> int:
    who = _new(settings, name)
    who.vault.mkdir(mode=0o700, parents=True)
    who.data.mkdir(mode=0o700)
    async with open_memory(settings, name, "creating the memory"):
        pass
    print(f"{name} now has its own memory in {who.vault.parent}.")
    print(f"On Telegram: sam pair --profile {name} prints a code for whoever shall use it.")
    print(f"In this terminal: sam chat --profile {name}")
    print(f"In other programs: sam mcp --profile {name}")
    return 0


async def _rename(settings: Settings, name: str, new: str) -> int:
    from memory.infra import RunLock
    from memory.log import place_of, rename_tenant

    who, to = _own(settings, name), _new(settings, new)
    with RunLock(DataDir(settings.data_dir).run_lock), working("renaming"):
        await _in_inbox(settings, name, new)
        if place := place_of(who):
            await asyncio.to_thread(rename_tenant, place, new)
        if who.vault.parent.is_dir():
            await asyncio.to_thread(who.vault.parent.rename, to.vault.parent)
    print(f"{name} is now {new}, in {to.vault.parent}.")
    if (before := _on_remote(settings, name)) and (after := _on_remote(settings, new)):
        print(f"On the remote nothing was changed: rename {before} to {after}, or delete it.")
    print(f"On Telegram: add ID:{new} to TELEGRAM_ALLOWED_USERS.")
    if name in settings.budget_profiles:
        print(f"Its budget: rename {name} in BUDGET_PROFILES too.")
    return 0


async def _remove(settings: Settings, args: argparse.Namespace) -> int:
    from memory.infra import RunLock
    from memory.log import delete_rows, place_of
    from memory.transfer import write_export

    who = _own(settings, args.name)
    folder = who.vault.parent
    if args.export and args.export.resolve().is_relative_to(folder.resolve()):
        raise ConfigError([f"{args.export} is in {folder}, which is deleted: give one elsewhere"])
    # No Sam may open it meanwhile, or it would write into what is being deleted.
    with RunLock(DataDir(settings.data_dir).run_lock):
        async with open_memory(settings, args.name, "opening the memory") as memory:
            # Not the index's count, which leaves some out and may lag behind.
            notes, messages = _notes(who.vault), (await memory.log.ledger()).messages_total
            print(f"{args.name}: {plural(notes, 'note')}, {plural(messages, 'message')},")
            print(f"{size(_size(folder))} in {folder}. Earlier backups keep it until they expire.")
            if not (args.yes or args.export):
                print("Nothing was removed: give --export DIR, or --yes to skip the export.")
                return 1
            if args.export:
                with working("exporting"):
                    made = await write_export(memory, args.export.absolute())
                print(f"Exported to {args.export.absolute()}.")
                if made.left_out:
                    print(
                        f"Nothing was removed, because the export lacks {', '.join(made.left_out)}."
                    )
                    return 1
        delete = f"Delete all of it for good? Type {args.name}: "
        if not (args.yes or (can_ask() and ask(delete) == args.name)):
            print("Nothing was removed.")
            return 1
        with working("removing it"):
            await _in_inbox(settings, args.name, None)
            if place := place_of(who):
                await asyncio.to_thread(delete_rows, place)
            # First out of the way as a whole: of half a profile nobody would know what is missing.
            going = folder.with_name(f".{folder.name}.removed")
            await asyncio.to_thread(folder.rename, going)
            await asyncio.to_thread(shutil.rmtree, going)
    print(f"{args.name} is removed.")
    for row in engine_keeps(settings, system_clock()):
        print(row)
    if left := _on_remote(settings, args.name):
        print(f"On the remote: {left} was not changed: delete it yourself.")
    return 0


async def _in_inbox(settings: Settings, name: str, new: str | None) -> None:
    """Rename the profile in what was sent to Telegram; with None delete it there."""
    from ...inbox import Inbox

    async with Inbox.if_exists(settings, system_clock) as inbox:
        if inbox is None:
            return
        if name in (await inbox.people.paired()).values():
            shows = "`sam pair --list` shows who, --remove unpairs them"
            raise ConfigError([f"someone is paired with {name}: {shows}"])
        if new is None:
            await inbox.replies.drop(name)
            await inbox.scrub()
        else:
            await inbox.replies.rename(name, new)


def _own(settings: Settings, name: str) -> Profile:
    """Return a profile that may be renamed or removed. Raises ConfigError for any other."""
    existing(settings, name)
    if name == OWNER:
        raise ConfigError(["the owner's memory is in VAULT_DIR and DATA_DIR: it is not a profile"])
    if is_group(name):
        raise ConfigError([f"{name} belongs to a group: remove it from TELEGRAM_ALLOWED_GROUPS"])
    if users := [user for user, of in settings.telegram_allowed_users.items() if of == name]:
        has = ", ".join(f"{user}:{name}" for user in users)
        raise ConfigError([f"first remove {has} from TELEGRAM_ALLOWED_USERS"])
    return profile_of(settings, name)


def _new(settings: Settings, name: str) -> Profile:
    """Return the profile of a free name. Raises ConfigError for a name that cannot be had."""
    who = profile_of(settings, name)
    if name != name.lower() or len(name) > 32 or is_group(name):
        raise ConfigError([f"{name!r}: use 1 to 32 lower-case letters, digits, - and _"])
    if who.vault.parent.exists() or name == OWNER:
        raise ConfigError([f"there is already a profile {name}"])
    return who


def _on_remote(settings: Settings, name: str) -> str:
    from ...sync import display_name

    remote = remote_of(settings, name).remote
    return display_name(remote) if remote else ""


def _notes(vault: Path) -> int:
    return sum(1 for _ in vault.rglob("*.md")) if vault.is_dir() else 0


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
