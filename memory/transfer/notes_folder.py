"""Import a folder of Markdown: copy each note to `imported/FOLDER/…`, never over another one.

A note that has changed in the folder replaces its copy. If the owner has changed the copy too, the
note is copied beside it.
"""

from __future__ import annotations

import asyncio
import os
import stat
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal

from ..errors import NoteUnreadable, PathRefused, TransferRefused
from ..infra import atomic_files
from ..infra.failpoints import failpoint
from ..vault import paths

if TYPE_CHECKING:
    from ..core import Memory

FOLDER = "imported"
SOURCE = "markdown"
BESIDE = " (imported again).md"
"""How the name of a note ends that is copied beside one that the owner has changed."""
MOST_NOTES = 100_000
_Result = Literal["copied", "updated", "there", "other"]


@dataclass(frozen=True, slots=True)
class FoundNote:
    """A note to copy: its file, and its new path in the vault."""

    file: Path
    path: str
    size: int


@dataclass(frozen=True, slots=True)
class FoundNotes:
    """The notes of a folder, and the files that are left out, with reasons. `others`: the number of
    files that nothing imports, by their suffix."""

    folder: Path
    notes: tuple[FoundNote, ...]
    left_out: tuple[str, ...]
    others: Counter[str]


@dataclass(slots=True)
class CopiedNotes:
    """The result of copying. `updated`: copies that were replaced; `there`: notes that were there
    already; `beside`: paths of copies beside those that the owner has changed; `others`: paths
    taken by other notes, which are kept; `id`: None if nothing was copied."""

    id: int | None = None
    copied: int = 0
    updated: int = 0
    there: int = 0
    beside: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


def notes_in(folder: Path, vault: Path, taken: Collection[Path] = frozenset()) -> FoundNotes:
    """Find the Markdown files of a folder, maybe none; runs in a thread. Raises TransferRefused.

    Links are not followed; hidden files and folders are skipped. What is in the vault is left out.
    `taken`: its files that are imported otherwise.
    """
    found, left_out, others = [], [], Counter[str]()
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
                if name.startswith("."):
                    continue
                if file.suffix.lower() != ".md":
                    if file not in taken:
                        others[file.suffix or name] += 1
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
    return FoundNotes(folder, tuple(found), tuple(left_out), others)


async def import_notes(
    memory: Memory, found: FoundNotes, *, progress: Callable[[int], None] = lambda done: None
) -> CopiedNotes:
    """Copy the notes into the vault; can be killed and run again. Raises VaultError, StoreError."""
    imports, folder = memory.log.imports, found.folder.resolve()
    import_id = await imports.begin(SOURCE, folder.name, str(folder))
    copies = await imports.copies()
    made = CopiedNotes()
    for number, note in enumerate(found.notes, 1):
        hash_ = await asyncio.to_thread(atomic_files.file_hash, note.file)
        if hash_ is None:
            continue  # deleted since the preview
        result: _Result = "other"
        path = note.path
        with suppress(PathRefused, NoteUnreadable):
            result, path = await _copy(memory, import_id, note, hash_, copies)
        made.copied += result == "copied"
        made.there += result == "there"
        made.updated += result == "updated"
        made.others += [path] if result == "other" else []
        made.beside += [path] if result == "copied" and path != note.path else []
        progress(number)
    failpoint("after_import")
    if await imports.end(import_id):
        made.id = import_id
    if made.copied or made.updated:
        await memory.reconcile([*(note.path for note in found.notes), *made.beside])
    return made


async def _copy(
    memory: Memory, import_id: int, note: FoundNote, hash_: str, copies: Mapping[str, str]
) -> tuple[_Result, str]:
    """Copy a note with that hash; return what came of it, and its path in the vault. `copies`: the
    hashes of earlier copies, by path."""
    imports, path, cause = memory.log.imports, note.path, f"import {import_id}"
    stands = await asyncio.to_thread(_hash_at, memory, path)
    if stands is not None and path in copies and copies[path] not in (stands, hash_):
        if stands != hash_:  # both have changed
            path = str(PurePosixPath(path).with_suffix("")) + BESIDE
            stands = await asyncio.to_thread(_hash_at, memory, path)
        else:  # it was replaced just before a crash
            await imports.update_copy(path, hash_)
    if stands is None:
        await imports.record_copy(import_id, path, hash_)
        failpoint("in_import")
        if await memory.vault.put(path, note.file, expected=None, cause=cause):
            return "copied", path
        await imports.drop_copy(import_id, path)
    elif hash_ in (stands, copies.get(path)):
        return "there", path
    elif stands == copies.get(path) and await memory.vault.put(
        path, note.file, expected=stands, cause=cause
    ):
        await imports.update_copy(path, hash_)
        return "updated", path
    return "other", path


def _hash_at(memory: Memory, path: str) -> str | None:
    return atomic_files.file_hash(memory.vault.resolve(path))


def _raise(error: OSError) -> None:
    raise error
