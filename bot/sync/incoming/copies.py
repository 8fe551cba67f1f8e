"""Keep local copies of files that the remote replaces or deletes here, for a limited time.

A copy is `DATA_DIR/sync/removed/2026-11-21 143000/PATH`: the UTC time of the sync, and the file's
path in the vault. The remote cannot reach it, unlike `archive/`, which is synced.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memory.infra import atomic_files
from memory.vault import paths

AGE = timedelta(days=30)
"""Copies older than this are deleted."""
ROOM, VAULTS = 1_000_000_000, 2
"""The copies may take ROOM bytes, or VAULTS times the size of the vault, whichever is more: a vault
that is replaced as a whole always fits."""
SAFE = timedelta(days=7)
"""Copies younger than this are not deleted to make room: otherwise a remote could evict them with
large changes."""

_TIME = "%Y-%m-%d %H%M%S"
_FOLDER = re.compile(r"(\d{4}-\d\d-\d\d \d{6})(?: \d+)?")


@dataclass(frozen=True, slots=True)
class Copy:
    """A kept file: the folder of its sync, its path in the vault, its size in bytes."""

    folder: str
    path: str
    size: int
    place: Path


class Copies:
    """The kept files of one vault. All methods run in a thread, and raise VaultError."""

    def __init__(self, folder: Path) -> None:
        self.root = folder

    def of(self, now: datetime) -> Path:
        """Return the folder for the files of a sync at that time."""
        return self.root / now.astimezone(UTC).strftime(_TIME)

    def keep(self, source: Path, path: str, expected: str, now: datetime) -> Path | None:
        """Copy a file durably; None if its hash is not `expected` because it has changed."""
        folder = self.of(now)
        for number in itertools.count(2):
            place = folder / path
            if not place.exists():
                break
            folder = self.root / f"{now.astimezone(UTC):{_TIME}} {number}"
        with atomic_files.translate_errors(path, "written"):
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                found = source.stat()
                shutil.copyfile(source, place)
            except FileNotFoundError:
                return None
            except OSError:
                place.unlink(missing_ok=True)  # half of a file must not be restored
                raise
            place.chmod(0o600)
            os.utime(place, ns=(found.st_atime_ns, found.st_mtime_ns))
            if atomic_files.file_hash(place) != expected:
                place.unlink()
                return None
            atomic_files.sync_file(place)
            atomic_files.sync_folder(place.parent)
        return place

    def all(self) -> list[Copy]:
        """Return all copies, those of the newest sync first."""
        found = []
        with suppress(FileNotFoundError):
            for folder in sorted(self.root.iterdir(), key=lambda f: f.name, reverse=True):
                if _FOLDER.fullmatch(folder.name):
                    found += sorted(_files(folder), key=lambda copy: copy.path)
        return found

    def find(self, wanted: str) -> list[Copy]:
        """Return what `wanted` names: `TIME`, all of that sync; `TIME/PATH`; `PATH`, its newest.

        In any Unicode form: a Mac's names have another one than what people type.
        """
        copies, wanted = self.all(), paths.composed(wanted)
        whole = [c for c in copies if wanted in (c.folder, paths.composed(f"{c.folder}/{c.path}"))]
        return whole or [c for c in copies if paths.composed(c.path) == wanted][:1]

    def prune(self, now: datetime, vault: int, *, more: int = 0, agreed: bool = False) -> int:
        """Delete old copies, and the oldest beyond the room; return the bytes beyond it that stay.

        `vault`: its bytes. `more`: bytes that are still to be kept. `agreed`: also the young ones.
        """
        copies = self.all()[::-1]
        left = sum(copy.size for copy in copies) + more - max(ROOM, VAULTS * vault)
        for copy in copies:
            age = now - _time(copy.folder)
            if age > AGE or (left > 0 and (age > SAFE or agreed)):
                self._delete(copy)
                left -= copy.size
        return max(0, left)

    def _delete(self, copy: Copy) -> None:
        with atomic_files.translate_errors(copy.path, "written"):
            copy.place.unlink(missing_ok=True)
            for folder in copy.place.parents:
                if folder == self.root or any(folder.iterdir()):
                    break
                folder.rmdir()


def _files(folder: Path) -> Iterable[Copy]:
    for file in folder.rglob("*"):
        if file.is_file() and not file.is_symlink():
            path = file.relative_to(folder).as_posix()
            yield Copy(folder.name, path, file.stat().st_size, file)


def _time(folder: str) -> datetime:
    found = _FOLDER.fullmatch(folder)
    return datetime.strptime(found[1] if found else folder, _TIME).replace(tzinfo=UTC)
