"""`sam restore`: restore a backup into empty folders, after verifying it and asking."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memory.text import plural, size

from ...settings import Settings, load
from ..profiles import add_profile
from ..progress import working

if TYPE_CHECKING:
    from memory.backup import restore


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
    from memory import OWNER, DataDir, RestoreRefused, profile_of
    from memory.backup import restore
    from memory.infra import RunLock

    if args.to:
        to = args.to.absolute()
        folders = {"vault": to / "vault", "data": to / "data", "profiles": to / "profiles"}
        running = DataDir(folders["data"]).run_lock
    else:
        settings = load()
        who = profile_of(settings, args.profile or OWNER)
        folders = {"vault": who.vault, "data": who.data, "profiles": settings.profiles_dir}
        running = DataDir(settings.data_dir).run_lock
    try:
        with working("reading the backup"):
            made = restore.plan(args.file, folders, log_alone=args.only_log, profile=args.profile)
        if not args.json:
            print("\n".join(_described(made)))
        if args.dry_run:
            _document(made, done=False, wanted=args.json)
            return 0
        if not (args.yes or _agrees()):
            print("Nothing was restored.", file=sys.stderr if args.json else sys.stdout)
            return 1
        with RunLock(running), working("restoring"):
            restore.restore(made, partial(_join, made, folders))
    except OSError as error:
        raise RestoreRefused(
            f"The restore was interrupted ({error}): fix that, and run it again."
        ) from error
    _document(made, done=True, wanted=args.json)
    if not args.json:
        print("Restored. The next start rebuilds the index; `sam index` does it now.")
        if args.profile is None:
            print("Backups contain no keys or tokens: set them again")
            print(f"({folders['data']}/settings.env has the other settings).")
    return 0


def _join(made: restore.Plan, folders: dict[str, Path]) -> None:
    """Join a log that came alone with what stands there; a whole backup fits as it is."""
    if made.log_alone:
        asyncio.run(_rejoin(load(), folders))


async def _rejoin(settings: Settings, folders: dict[str, Path]) -> None:
    from memory import Memory
    from memory.backup import restored_log

    moved = {"vault_dir": folders["vault"], "data_dir": folders["data"]}
    memory = await Memory.open(settings.model_copy(update=moved), sole=True, restoring=True)
    try:
        await restored_log.exclude_summarised(memory)
    finally:
        await memory.close()


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
    return lines + [f"  ! it lacks {line!a}" for line in made.left_out]


def _document(made: restore.Plan, *, done: bool, wanted: bool) -> None:
    if wanted:
        result = {
            "file": str(made.archive),
            "made_at": made.manifest.made_at,
            "files": len(made.files),
            "bytes": made.size,
            "rows": made.rows,
            "left_out": made.left_out,
            "folders": {name: str(path) for name, path in made.folders.items()},
            "restored": done,
        }
        print(json.dumps(result, indent=2))


def _agrees() -> bool:
    if not sys.stdin.isatty():
        print("This is no terminal, so nothing is asked: add --yes.", file=sys.stderr)
        return False
    return input("Restore it? [y/N] ").strip().lower() in ("y", "yes")
