"""Whether another program carries the vault already: two on one folder undo each other's work.

Knows them by what they leave in a folder. Changes nothing.
"""

from __future__ import annotations

from pathlib import Path

from ..errors import SyncStopped

_MARKS = {
    ".stfolder": "Syncthing",
    ".stignore": "Syncthing",
    ".dropbox.cache": "Dropbox",
    ".sync_*.db": "Nextcloud",
    "._sync_*.db": "Nextcloud",
    ".owncloudsync.log": "Nextcloud",
    ".sync/ID": "Resilio Sync",
}
_FOLDERS = {"Mobile Documents": "iCloud", "Dropbox": "Dropbox", "OneDrive": "OneDrive"}


_HEADLESS = (".config/obsidian-headless", ".obsidian-headless")
"""Where Obsidian Headless keeps, for each vault, a `sync/ID/config.json` with its folder."""


def other(root: Path) -> str:
    """The name of a program that carries this folder, or one above it; empty for none."""
    for home in _HEADLESS:
        for config in (Path.home() / home / "sync").glob("*/config.json"):
            if f'"{root.resolve()}"' in config.read_text("utf-8", "replace"):
                return "Obsidian Headless"
    for folder in (root, *root.resolve().parents):
        for mark, name in _MARKS.items():
            if next(iter(folder.glob(mark)), None) is not None:
                return name
        if folder.name in _FOLDERS:
            return _FOLDERS[folder.name]
    return ""


def check_alone(root: Path) -> None:
    """SyncStopped when another program carries the vault."""
    if name := other(root):
        raise SyncStopped(
            f"{name} carries {root} already, and two carriers on one folder undo each other's"
            f" work: take RCLONE_REMOTE out of the settings, or take the vault out of {name}."
        )
