"""`sam restore`: restore a backup into empty folders, after verifying it and asking."""

from __future__ import annotations

import argparse
import asyncio
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memory.text import plural, size

from ...settings import Settings, load
from ..plain_text import escaped, show_json
from ..profiles import add_profile
from ..progress import working
from ..questions import agrees

if TYPE_CHECKING:
    from memory.backup import restore
    from memory.log import StorePlace


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the backup, the target, and whether to ask."""
    add_profile(parser, default=None, text="restore this profile alone; default: everything")
    parser.add_argument("file", type=Path, help="`sam backup --list` lists them")
    parser.add_argument(
        "--to",
        type=Path,
        metavar="DIR",
        help="restore to DIR/vault and DIR/data; default: VAULT_DIR, DATA_DIR, or the profile's",
    )
    parser.add_argument(
        "--only-log", action="store_true", help="restore only log.db, if it is missing"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="only verify it and show its contents"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Return 0 when it is done, or only shown; 1 when it was not confirmed, or failed."""
    from memory import OWNER, DataDir, errors, profile_of
    from memory.backup import restore
    from memory.infra import RunLock

    settings = None if args.to else load()
    if settings is None:
        to = args.to.absolute()
        folders = {"vault": to / "vault", "data": to / "data", "profiles": to / "profiles"}
        running = DataDir(folders["data"]).run_lock
    else:
        who = profile_of(settings, args.profile or OWNER)
        folders = {"vault": who.vault, "data": who.data, "profiles": settings.profiles_dir}
        running = DataDir(settings.data_dir).run_lock
    try:
        with working("reading the backup"):
            made = restore.plan(args.file, folders, log_alone=args.only_log, profile=args.profile)
        places = _places(settings, made) if settings is not None else []
        if not args.json:
            print("\n".join(_described(made)))
            if places:
                print(f"  and from there into    {places[0].tenant.server}")
        try:
            restore.check_targets(made)
            for place in places:
                _check_free(place)
        except errors.RestoreRefused as refused:
            if not args.dry_run:
                raise
            print(f"! {refused}", file=sys.stderr)  # the backup is verified nevertheless
        if args.dry_run:
            _document(made, done=False, wanted=args.json)
            return 0
        if not (args.yes or agrees("Restore it?")):
            print("Nothing was restored.", file=sys.stderr if args.json else sys.stdout)
            return 1
        with RunLock(running), working("restoring"):
            restore.restore(made, partial(_join, made, settings, places))
    except OSError as error:
        raise errors.RestoreRefused(
            f"The restore was interrupted ({error}): fix that, and run it again."
        ) from error
    _document(made, done=True, wanted=args.json)
    if not args.json:
        now = "" if args.to else "; `sam index` does it now"  # of the folders of the settings
        print(f"Restored. The next start rebuilds the index{now}.")
        if args.profile is None and not made.log_alone:
            print("Backups contain no keys or tokens: set them again")
            print(f"({folders['data']}/settings.env has the other settings).")
    return 0


def _places(settings: Settings, made: restore.Plan) -> list[StorePlace]:
    """Return where the restored databases go in PostgreSQL; none without DATABASE_URL."""
    from memory import OWNER, profile_of
    from memory.log import place_of

    from ...inbox import Inbox

    names = (made.profile or OWNER, *(() if made.log_alone else made.profiles))
    found = [place_of(profile_of(settings, name)) for name in names]
    if not made.log_alone and made.profile is None:
        found.append(Inbox.place(settings))
    return [place for place in found if place is not None]


def _check_free(place: StorePlace) -> None:
    from memory import errors
    from memory.log import has_other_rows

    if has_other_rows(place):
        raise errors.RestoreRefused(
            f"{place.tenant.server} has rows of {place.tenant.name} already"
            f" ({place.schema}): a backup is put where nothing is. Create another database and"
            " name it in DATABASE_URL, or restore to files of SQLite with --to."
        )


def _join(made: restore.Plan, settings: Settings | None, places: list[StorePlace]) -> None:
    """Move restored databases to PostgreSQL, and join a log that came alone with what stands
    there; a whole backup fits as it is."""
    from memory.log import to_postgres

    for place in places:
        to_postgres(place)
    if made.log_alone:
        asyncio.run(_rejoin(made, settings))


async def _rejoin(made: restore.Plan, settings: Settings | None) -> None:
    """`settings`: None for a restore to other folders, which are always SQLite's."""
    from memory import OWNER, Memory
    from memory.backup import restored_log

    name = made.profile or OWNER
    if settings is None:
        folders = {"vault_dir": made.folders["vault"], "data_dir": made.folders["data"]}
        settings, name = load().model_copy(update={**folders, "database_url": None}), OWNER
    async with Memory.open(settings, profile=name, sole=True, restoring=True) as memory:
        await restored_log.exclude_summarised(memory)


def _described(made: restore.Plan) -> list[str]:
    """List the backup's content and the targets."""
    manifest = made.manifest
    messages = sum(rows.get("message", 0) for rows in made.rows.values())
    lines = [
        f"{made.archive.name}: made {manifest.made_at} by Sam {manifest.sam}; it is complete.",
        f"  {plural(len(made.files), 'file')}, {size(made.size)}, {plural(messages, 'message')}",
    ]
    if made.log_alone:
        return [*lines, f"  only log.db goes to   {made.folders['data']}"]
    lines += [
        f"  the vault goes to      {made.folders['vault']}",
        f"  the databases go to    {made.folders['data']}",
    ]
    lines += [
        f"  the profile {name} goes to {made.folders['profiles'] / name}" for name in made.profiles
    ]
    return lines + [f"  ! it lacks {escaped(line)}" for line in made.left_out]


def _document(made: restore.Plan, *, done: bool, wanted: bool) -> None:
    if wanted:
        show_json(
            {
                "file": made.archive,
                "made_at": made.manifest.made_at,
                "files": len(made.files),
                "bytes": made.size,
                "rows": made.rows,
                "left_out": made.left_out,
                "folders": made.folders,
                "restored": done,
            }
        )
