"""Import a folder of Markdown: copy each note to `imported/FOLDER/…`, never over another one."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import NoteUnreadable, PathRefused, TransferRefused
from ..infra import atomic_files
from ..infra.failpoints import failpoint
from ..vault import paths

if TYPE_CHECKING:
    from ..core import Memory

FOLDER = "imported"
SOURCE = "markdown"
MOST_NOTES = 100_000


@dataclass(frozen=True, slots=True)
class FoundNote:
    """A note to copy: its file, and its new path in the vault."""

    file: Path
    path: str
    size: int


@dataclass(frozen=True, slots=True)
class FoundNotes:
    """The notes of a folder, and the files that are left out, with reasons."""

    folder: Path
    notes: tuple[FoundNote, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CopiedNotes:
    """The result of copying. `there`: notes that were there already; `others`: paths taken by other
    notes, which are kept; `id`: None if nothing was copied."""

    id: int | None
    copied: int
    there: int
    others: tuple[str, ...]


def notes_in(folder: Path, vault: Path) -> FoundNotes:
    """Find the Markdown files of a folder, maybe none; runs in a thread. Raises TransferRefused.

    Links are not followed; hidden files and folders are skipped. What is in the vault is left out.
    """
    found, left_out = [], []
    root = vault.resolve()
    title = folder.resolve().name.lstrip(".") or "notes"  # a hidden folder has no notes in a vault
    try:
        for place, folders, names in os.walk(folder, onerror=_raise):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            if Path(place).resolve().is_relative_to(root):
                name = Path(place).resolve().name
                left_out.append(f"{name}: it is in the vault, whose notes Sam reads already")
                folders.clear()
                continue
            for name in sorted(names):
                file = Path(place, name)
                inside = file.relative_to(folder).as_posix()
                if name.startswith(".") or file.suffix.lower() != ".md":
                    continue
                status, path = file.lstat(), f"{FOLDER}/{title}/{inside}"
                if not stat.S_ISREG(status.st_mode):
                    left_out.append(f"{inside}: it is a link, or no file")
                elif status.st_size > atomic_files.NOTE_BYTES:
                    left_out.append(f"{inside}: it is too large for a note")
                elif not paths.valid(path):
                    left_out.append(f"{inside}: no note can have that name")
                else:
                    found.append(FoundNote(file, path, status.st_size))
                if len(found) > MOST_NOTES:
                    raise TransferRefused(f"{folder} has more than {MOST_NOTES:,} notes.")
    except OSError as error:
        raise TransferRefused(f"{folder} cannot be read ({error.strerror}).") from error
    return FoundNotes(folder, tuple(found), tuple(left_out))


async def import_notes(
    memory: Memory, found: FoundNotes, *, progress: Callable[[int], None] = lambda done: None
) -> CopiedNotes:
    """Copy the notes into the vault; can be killed and run again. Raises VaultError, StoreError."""
    imports, vault = memory.log.imports, memory.vault
    import_id = await imports.begin(
        SOURCE, found.folder.resolve().name, str(found.folder.resolve())
    )
    recorded = await imports.notes(import_id)
    copied = there = 0
    others = []
    for number, note in enumerate(found.notes, 1):
        hash_ = await asyncio.to_thread(atomic_files.file_hash, note.file)
        if hash_ is None:
            continue  # deleted since the preview
        try:
            stands = await asyncio.to_thread(_hash_at, memory, note.path)
        except (PathRefused, NoteUnreadable):
            others.append(note.path)
            continue
        if stands is None:
            await imports.record_copy(import_id, note.path, hash_)
            failpoint("in_import")
            if await vault.put(note.path, note.file, expected=None, cause=f"import {import_id}"):
                copied += 1
            else:
                await imports.drop_copy(import_id, note.path)
                others.append(note.path)
        elif stands == hash_:
            there += 1
        else:
            if note.path in recorded:
                await imports.drop_copy(import_id, note.path)
            others.append(note.path)
        progress(number)
    failpoint("after_import")
    kept = await imports.end(import_id)
    if copied:
        await memory.reconcile([note.path for note in found.notes])
    return CopiedNotes(import_id if kept else None, copied, there, tuple(others))


def _hash_at(memory: Memory, path: str) -> str | None:
    return atomic_files.file_hash(memory.vault.resolve(path))


def _raise(error: OSError) -> None:
    raise error
