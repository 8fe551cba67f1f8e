"""Atomic writes to the files of one vault.

They run in a thread, under the vault's lock; `Vault` ensures that, and records them in the journal.
"""

from __future__ import annotations

import itertools
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Generic, TypeVar

from ..errors import EditRefused, NoteMissing, NoteUnreadable, PathRefused, VaultGone
from ..infra import atomic_files, text_encoding
from ..notes.kinds import relative
from . import paths
from .marker import Marker
from .paths import Places

T = TypeVar("T")

_TRIES = 50  # in case an editor keeps saving
_WAITS = (0.0, 0.02, 0.05)  # seconds to wait for an editor between truncating and writing


@dataclass(frozen=True, slots=True)
class Edited:
    """The result of an edit. `path`: the note's name on disk; `before`: None for a new note."""

    path: str
    before: str | None
    after: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Change:
    """One changed file, by its content hashes before and after; None if there is no file. `texts`:
    the texts before and after an edit of a note.
    """

    path: str
    before: str | None
    after: str | None
    texts: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class WriteResult(Generic[T]):
    """The result of a write, and what it changed."""

    result: T
    changes: tuple[Change, ...] = ()


class VaultWriter:
    """The operations on the files of a vault. The errors are those of `Vault`'s methods."""

    def __init__(self, root: Path, sam_dir: str, places: Places, marker: Marker) -> None:
        self._root = root
        self._sam_dir = sam_dir
        self._places = places
        self._marker = marker
        self._swept = False

    def edit(self, path: str, change: Callable[[str], str], create: bool) -> WriteResult[Edited]:
        """Read, change, compare and replace; retry if the file changed meanwhile."""
        self._ready()
        for _ in range(_TRIES):
            _, name = self._places.open(path)
            raw = self._settled(name)
            if raw is None and not create:
                raise NoteMissing(f"There is no note {name}.")
            before, form = text_encoding.decode(raw.data if raw else b"")
            known = None if raw is None else before
            known_hash = raw.hash if raw else None
            after = change(before)
            if after == before:
                return WriteResult(Edited(name, known, after, False))
            data = text_encoding.encode(after, form, name)
            if len(data) > atomic_files.NOTE_BYTES:
                raise EditRefused(f"{name} would grow too large to be read again: split it.")
            with atomic_files.opened(self._root, name, "written", make=True) as pinned:
                done = atomic_files.replace(pinned, data, expected=known_hash)
            if done:
                written = self._verify(name, data)
                made = Change(name, known_hash, written, (before, after))
                return WriteResult(Edited(name, known, after, True), (made,))
        raise EditRefused(f"{path} changes all the time: try again when your editor is done.")

    def put(self, path: str, source: Path, expected: str | None) -> WriteResult[bool]:
        """Replace a file with a copy of another if it has the expected hash."""
        self._ready()
        _, name = self._places.open(path)
        with atomic_files.opened(self._root, name, "written", make=True) as pinned:
            if not atomic_files.replace(pinned, source, expected=expected):
                return WriteResult(False)
            return WriteResult(True, (Change(name, expected, atomic_files.file_hash(pinned)),))

    def move(self, path: str, to: str, expected: str | None) -> WriteResult[str]:
        """Rename a file within the vault."""
        self._ready()
        _, name = self._places.open(path)
        target, new = self._places.open(to)
        return self._move(name, target, new, expected)

    def archive(self, path: str, expected: str | None) -> WriteResult[str]:
        """Move a file into Sam's `archive/`, under a free name."""
        self._ready()
        _, name = self._places.open(path)
        inside = relative(name, self._sam_dir).removeprefix("archive/")
        target, new = self._free(f"archive/{inside}")
        return self._move(name, target, new, expected)

    def remove(self, path: str, expected: str) -> WriteResult[None]:
        """Delete a file for good if it has the expected hash."""
        self._ready()
        _, name = self._places.open(path)
        known = self._known(name, expected)
        with atomic_files.opened(self._root, name, "written") as pinned:
            pinned.unlink()
            atomic_files.sync_folder(pinned.parent)
        return WriteResult(None, (Change(name, known, None),))

    def release(self, path: str, target: Path, expected: str | None) -> WriteResult[None]:
        """Move a file out of the vault, possibly to another file system."""
        self._ready()
        _, name = self._places.open(path)
        known = self._known(name, expected)
        with atomic_files.opened(self._root, name, "written") as pinned:
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if target.exists():
                raise PathRefused(f"{name} cannot go to {target}: there is a file.")
            shutil.copy2(pinned, target)
            atomic_files.sync_file(target)
            self._known(name, known)  # it did not change during the copy
            pinned.unlink()
            atomic_files.sync_folder(pinned.parent)
        return WriteResult(None, (Change(name, known, None),))

    def _move(self, name: str, target: Path, new: str, expected: str | None) -> WriteResult[str]:
        known = self._known(name, expected)
        if os.path.lexists(target):
            raise PathRefused(f"{name} cannot become {new}: there is a file of that name.")
        with (
            atomic_files.opened(self._root, name, "written") as source,
            atomic_files.pinned(self._root, new, make=True) as there,
        ):
            atomic_files.move(source, there)
        return WriteResult(new, (Change(name, known, None), Change(new, None, known)))

    def _known(self, name: str, expected: str | None) -> str:
        with atomic_files.opened(self._root, name, "read") as pinned:
            known = atomic_files.file_hash(pinned)
        if known is None:
            raise NoteMissing(f"There is no note {name}.")
        if expected not in (None, known):
            raise EditRefused(f"{name} has changed meanwhile, and stays where it is.")
        return known

    def _settled(self, name: str) -> atomic_files.Raw | None:
        """Read the bytes of a note; if it is empty, wait briefly for an editor to finish."""
        raw = None
        with atomic_files.translate_errors(name, "read"):
            for wait in _WAITS:
                time.sleep(wait)
                try:
                    with atomic_files.pinned(self._root, name) as pinned:
                        raw = atomic_files.read(pinned)
                except FileNotFoundError:
                    return None
                if raw.data:
                    break
        return raw

    def _verify(self, name: str, data: bytes) -> str:
        """Read the file back and compare; another program may have saved it since."""
        written = atomic_files.digest(data)
        with atomic_files.opened(self._root, name, "read") as pinned:
            found = atomic_files.read(pinned)
        if found.hash != written and len(found.data) < len(data) and data.startswith(found.data):
            raise NoteUnreadable(f"{name} came back shorter than it was written: check the disk.")
        return written

    def _free(self, name: str) -> tuple[Path, str]:
        """Return a free path for one of Sam's files: `a.md`, `a 2.md`, and so on."""
        whole = PurePosixPath(name)
        for number in itertools.count(2):
            place, path = self._places.open(paths.join(self._sam_dir, name))
            if not os.path.lexists(place):
                break
            name = str(whole.with_name(f"{whole.stem} {number}{whole.suffix}"))
        return place, path

    def _ready(self) -> None:
        """Check that the vault exists, and remove leftovers; called before each write."""
        if not self._root.is_dir():
            raise VaultGone(f"There is no vault at {self._root}: mount it, or set VAULT_DIR.")
        self._marker.check(self._root)
        if not self._swept:
            with atomic_files.translate_errors(str(self._root), "written"):
                atomic_files.sweep(self._root)
            self._swept = True
