"""Detect other sync tools (Syncthing, Dropbox, iCloud …) on the vault, and merge their conflict
copies.

Two sync tools on one folder undo each other's work. Conflict copies (rclone's, Obsidian Sync's,
Dropbox', Syncthing's, Nextcloud's and iCloud's) are merged into their note and archived, also
without a remote of our own. Conflicts are in the note afterwards; the copy goes to `archive/`.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from datetime import datetime, tzinfo
from functools import partial
from pathlib import Path, PurePosixPath

from memory import EditRefused, NoteMissing, NoteUnreadable, Vault
from memory.maintenance import archive_copies
from memory.notes import lines
from memory.vault import paths

from ..errors import SyncStopped
from .merge import merge_note
from .session import Entombed, title

log = logging.getLogger(__name__)

CAUSE = "conflict copy"
SETTLED = 10.0  # seconds: a younger copy may still be incomplete
_LIKE = 0.5  # share of a copy's lines that must be in the note, to recognise iCloud's copies

_STEMS = (
    re.compile(r"(.+?)\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?"),  # Syncthing
    re.compile(r"(.+?)\.(?:conflict|path)\d+"),  # rclone bisync
    # Dropbox, Nextcloud, Obsidian Sync
    re.compile(r"(.+?) \((?:[^()]*['’]s? )?[Cc]onflicted [Cc]opy(?: [^()]*)?\)"),
    re.compile(r"(.+?) \(Case Conflict(?: \d+)?\)"),  # Dropbox
    re.compile(  # Dropbox in German, Spanish, French, Italian, Portuguese and Russian
        r"(?i)(.+?) \((?:[^()]* )?(?:in Konflikt stehende Kopie|copia en conflicto|"
        r"copie en conflit|copia in conflitto|(?:c\u00f3|co\u0301)pia em conflito|"
        r"конфликтующая копия)(?: [^()]*)?\)"
    ),
)
_WHOLE = re.compile(r"(.+\.md)\.(?:conflict|path)\d+")  # rclone without --suffix-keep-extension
_ICLOUD = re.compile(r"(.+?) \d{1,2}")

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
_ACCOUNT = re.compile(r"(Dropbox|OneDrive)(?: \(.+\)| - .+)")
"""The folder of one of several accounts: `Dropbox (Personal)`, `OneDrive - Company`."""
_CLOUD_STORAGE = "CloudStorage"
"""The folder of macOS for such programs: `Library/CloudStorage/GoogleDrive-me@example.org`."""
_HEADLESS = (".config/obsidian-headless", ".obsidian-headless")
"""Where Obsidian Headless has, for each vault, a `sync/ID/config.json` with its folder."""


def other_sync_tool(root: Path) -> str:
    """Return the name of a program that syncs this folder, or one above it; empty for none."""
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
        if account := _ACCOUNT.fullmatch(folder.name):
            return account[1]
        if folder.parent.name == _CLOUD_STORAGE:
            return folder.name.partition("-")[0]
    return ""


def check_alone(root: Path) -> None:
    """Raise SyncStopped if another program syncs the vault."""
    if name := other_sync_tool(root):
        raise SyncStopped(
            f"{name} already syncs {root}, and two sync tools on one folder undo each other's "
            f"work: remove RCLONE_REMOTE from the settings, or remove the vault from {name}."
        )


def original_of_copy(path: str, *, icloud: bool = False) -> str | None:
    """Return the note of a conflict copy, by its name alone; None for any other file.

    iCloud only adds a number (`Note 2.md`), as the owner may do too: `icloud`: the vault is in
    iCloud.
    """
    whole = PurePosixPath(path)
    if match := _WHOLE.fullmatch(whole.name):
        return str(whole.with_name(match[1]))
    if whole.suffix.lower() != ".md":
        return None
    for pattern in (*_STEMS, *((_ICLOUD,) if icloud else ())):
        if match := pattern.fullmatch(whole.stem):
            return str(whole.with_name(match[1] + whole.suffix))
    return None


def in_icloud(root: Path) -> bool:
    """Return whether a folder is in iCloud."""
    return "Mobile Documents" in root.resolve().parts


async def conflict_copies(vault: Vault) -> list[tuple[str, str]]:
    """Return conflict copies with their notes, both unchanged for SETTLED. Raises VaultGone."""
    return await asyncio.to_thread(_waiting, vault)


def _waiting(vault: Vault) -> list[tuple[str, str]]:
    icloud, now = in_icloud(vault.root), time.time()
    found, there = [], set()
    for file in vault.files():
        there.add(file.path)
        note = original_of_copy(file.path, icloud=icloud)
        if note and not _kept(vault, file.path) and abs(now - file.ctime_ns / 1e9) > SETTLED:
            found.append((file.path, note))
    return [
        (copy, note)
        for copy, note in found
        if note in there and (original_of_copy(copy) or _alike(vault, copy, note))
    ]


def _kept(vault: Vault, path: str) -> bool:
    return paths.within(path, paths.join(vault.sam_dir, "archive"))


def _alike(vault: Vault, copy: str, note: str) -> bool:
    try:
        few, many = (set(vault.load(path).text.split("\n")) - {""} for path in (copy, note))
    except (NoteMissing, NoteUnreadable):
        return False
    return len(few & many) > _LIKE * len(few)


async def merge_all(vault: Vault, now: datetime, zone: tzinfo, entombed: Entombed) -> list[str]:
    """Merge all conflict copies into their notes; return the notes. Raises VaultError, LockHeld."""
    merged = []
    for copy, note in await conflict_copies(vault):
        try:
            text = await asyncio.to_thread(vault.load, copy)
            if not text.utf8:
                continue
            if gone := await entombed({archive_copies.bullet(line) for line in lines(text.text)}):
                await vault.edit(
                    copy, partial(archive_copies.without_lines, gone=gone), cause=CAUSE
                )
                text = await asyncio.to_thread(vault.load, copy)
            heading = title(now.astimezone(zone), f"from {PurePosixPath(copy).name}")

            def change(mine: str, theirs: str = text.text, heading: str = heading) -> str:
                return _joined(vault, note, mine, theirs, heading)  # noqa: B023 — called at once

            await vault.edit(note, change, cause=CAUSE, create=False)
            await vault.archive(copy, cause=CAUSE, expected=text.hash)
        except (NoteMissing, NoteUnreadable, EditRefused):
            continue  # one of them was deleted or changed in the meantime: retried in the next run
        log.info("conflict copy path=%s", ascii(copy))
        merged.append(note)
    return merged


def _joined(vault: Vault, note: str, mine: str, theirs: str, heading: str) -> str:
    if mine == theirs:
        return mine
    knowledge = paths.within(note, paths.join(vault.sam_dir, "knowledge"))
    joined = merge_note(None, mine, theirs, title=heading, knowledge=knowledge)
    return mine if joined.apart else joined.text
