"""The files of the index: `<n>.db`, and `current`, one line that names the one in use.

A database that another process may have open is never renamed over or removed under a reader: a
rebuild is a new file, and the pointer moves last.
"""

from __future__ import annotations

import os
from pathlib import Path

_KEEP = ".db"


class Generations:
    """The generations of the index in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._pointer = folder / "current"

    def stamp(self) -> tuple[int, int] | None:
        """Return a value that changes exactly when another generation is published; one `stat`
        call."""
        try:
            found = self._pointer.stat()
        except FileNotFoundError:
            return None
        return found.st_mtime_ns, found.st_ino

    def current(self) -> Path | None:
        """Return the published generation's file, or None."""
        try:
            name = self._pointer.read_text("utf-8").strip()
        except FileNotFoundError:
            return None
        path = self.folder / name
        return path if name.removesuffix(_KEEP).isdigit() and path.exists() else None

    def new(self) -> Path:
        """Return a path that no generation in this folder has used."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        numbers = [int(file.stem) for file in self.folder.glob("*.db") if file.stem.isdigit()]
        pointed = self.current()
        if pointed is not None:
            numbers.append(int(pointed.stem))
        return self.folder / f"{max(numbers, default=0) + 1}{_KEEP}"

    def publish(self, path: Path) -> None:
        """Make that file the current generation, atomically."""
        temporary = self.folder / ".current.new"
        with temporary.open("w", encoding="utf-8") as file:
            file.write(path.name + "\n")
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self._pointer)

    def sweep(self) -> None:
        """Remove all generations but the published one: older ones, and those never finished.

        Requires `rebuild.lock` and `index.lock`, or an unfinished rebuild would be removed. Readers
        of an older generation keep it until they close it; its space is freed then.
        """
        pointed = self.current()
        if pointed is None:
            return
        for file in self.folder.glob("*.db*"):
            number = file.name.split(".")[0]
            if number.isdigit() and number != pointed.stem:
                file.unlink(missing_ok=True)
