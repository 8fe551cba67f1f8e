"""`sam sync`: exchange the vault with the remote, once."""

from __future__ import annotations

import argparse
import asyncio

from memory.errors import ConfigError

from ..config import Settings, load


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which way."""
    parser.add_argument("way", nargs="?", choices=("pull", "push"), help="one way; else both")


def run(args: argparse.Namespace) -> int:
    """Print what changed, a line each file."""
    settings = load()
    if not settings.rclone_remote:
        raise ConfigError(["RCLONE_REMOTE: name a remote of rclone's, like drive:Sam"])
    return asyncio.run(_exchange(settings, args.way))


async def _exchange(settings: Settings, way: str | None) -> int:
    from memory.vault import Vault

    from ..sync import Sync

    vault = Vault(
        settings.vault_dir,
        sam_dir=settings.sam_dir,
        data_dir=settings.data_dir,
        exclude=settings.index_exclude,
    )
    sync = Sync(settings, vault)
    done = await {"pull": sync.pull, "push": sync.push, None: sync.run}[way]()
    told = {
        "taken": done.taken,
        "sent": done.pushed,
        "merged": done.merged,
        "conflict": done.conflicts,
        "archived": done.archived,
        "removed there": done.removed,
        "left for the next time": done.left,
    }
    for what, paths in told.items():
        for path in paths:
            print(f"{what}: {path}")
    if not any(told.values()):
        print("Both sides are the same.")
    return 0
