"""`sam backup`: make a verified backup of all of Sam while it runs; or list the backups."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from memory import errors
from memory.text import plural, size

from ...settings import load
from ..plain_text import escaped, fields, show_json
from ..profiles import add_profile, existing
from ..progress import working


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the folder, --list and --json."""
    add_profile(parser, default=None, text="back up this profile alone; default: everything")
    parser.add_argument("folder", nargs="?", type=Path, help="target folder; default: BACKUP_DIR")
    parser.add_argument("--create", action="store_true", help="create the folder if it is missing")
    parser.add_argument("--list", action="store_true", help="only list the existing backups")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Return 0 for a complete backup, 1 for none or one without files that could not be read."""
    settings = load()
    if args.list:
        return _list(args.folder or settings.backups, args.profile, as_json=args.json)
    from memory import system_clock

    from ...assistant.backup import back_up

    profile = None if args.profile is None else existing(settings, args.profile)
    with working("making a backup") as status:
        made = asyncio.run(
            back_up(
                settings,
                system_clock,
                folder=args.folder,
                profile=profile,
                make_folder=args.create or args.folder is None,
                tell=status.update,
            )
        )
    if args.json:
        show_json(
            {
                "file": made.path,
                "bytes": made.size,
                "files": len(made.manifest.files),
                "removed": made.removed,
            }
            | fields(made.manifest, "made_at", "rows", "left_out", "links")
        )
    else:
        messages = sum(rows.get("message", 0) for rows in made.manifest.rows.values())
        files = plural(len(made.manifest.files), "file")
        print(f"{made.path}\n{size(made.size)}, {files}, {plural(messages, 'message')}.")
        print("Verified: it is complete. It contains no keys or tokens.")
        for path in made.removed:
            print(f"expired and removed: {path.name}")
        if made.manifest.links:
            links = plural(len(made.manifest.links), "link is", "links are")
            print(f"{links} skipped: symbolic links are not followed.")
        for line in made.manifest.left_out:
            print(f"! left out: {escaped(line)}")
    return 1 if made.manifest.left_out else 0


def _list(folder: Path, profile: str | None, *, as_json: bool) -> int:
    from memory.backup import backups

    try:
        found = backups(folder, profile)
    except OSError as wrong:
        raise errors.BackupError(
            f"{folder} cannot be listed ({wrong.strerror}): give the backup folder."
        ) from None
    if as_json:
        show_json(
            [
                {"file": path, "bytes": path.stat().st_size, "made_at": at}
                for at, path in found.items()
            ]
        )
        return 0
    for at, path in found.items():
        print(f"{at:%Y-%m-%d %H:%M} UTC  {size(path.stat().st_size):>11}  {path}")
    if not found:
        of = f" of the profile {profile} alone" if profile is not None else ""
        print(f"There is no backup{of} in {folder}.")
    return 0
