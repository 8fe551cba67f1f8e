"""`sam export`: everything into a folder, in forms that other programs and people can read."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from memory.text import plural, size

from ...settings import Settings, load
from ..plain_text import escaped, show_json
from ..profiles import add_profile, open_memory
from ..progress import working

if TYPE_CHECKING:
    from memory.transfer import ExportManifest


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the folder, --profile and --json."""
    add_folder(parser)
    add_profile(parser)


def add_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="a new folder, or an empty one")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Return 0 for a complete export, 1 for none or one without files that could not be read."""
    folder = args.folder.absolute()
    made = asyncio.run(_export(load(), args.profile, folder))
    total = sum(file.size for file in made.files)
    if args.json:
        show_json(
            {
                "folder": folder,
                "made_at": made.made_at,
                "files": len(made.files),
                "bytes": total,
                **made.counts,
                "left_out": made.left_out,
            }
        )
        return 1 if made.left_out else 0
    counts = made.counts
    print(f"{folder}\n{size(total)}: {plural(counts['notes'], 'file')} of the vault,")
    print(f"{plural(counts['messages'], 'message')}, {plural(counts['facts'], 'fact')}.")
    print("Open index.html in a browser; paste me.md into another assistant.")
    print("It is not encrypted and contains the whole vault: protect it like your vault.")
    for line in made.left_out:
        print(f"! left out: {escaped(line)}")
    return 1 if made.left_out else 0


async def _export(settings: Settings, profile: str, folder: Path) -> ExportManifest:
    from memory.transfer import write_export

    async with open_memory(settings, profile) as memory:
        with working("exporting") as status:
            return await write_export(
                memory, folder, tell=lambda what: status.update(f"exporting: {what}")
            )
