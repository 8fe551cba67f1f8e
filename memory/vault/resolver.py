"""Resolve the names of notes to paths on disk, with all links followed."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

from ..errors import PathRefused, VaultGone
from ..infra import atomic_files
from ..profile import DataDir
from ..text.humanize import plural
from . import paths, scanner


class Places:
    """The paths of one vault. `sam_dir` is Sam's folder in it, empty for the vault itself."""

    def __init__(self, root: Path, sam_dir: str) -> None:
        self._root = root
        self._sam_dir = sam_dir

    def of(self, path: str) -> tuple[Path, str]:
        """Return the real path of a name, without links below the root, and its name as in the
        vault.

        A name in the other Unicode form finds the same note. The note need not exist. PathRefused.
        """
        name = paths.clean(path)
        root, linked = str(self._root).rstrip("/"), False
        spot = root
        for part in name.split("/"):
            spot = _child(spot, part)
            linked = linked or _is_link(spot)
        if linked:  # without links a clean name cannot leave the vault
            root, spot = os.path.realpath(self._root).rstrip("/"), os.path.realpath(spot)
            if not spot.startswith(f"{root}/"):
                raise PathRefused(f"{name} is a link that leaves the vault.")
        with atomic_files.ours(name, "read"):
            try:
                mode = os.lstat(spot).st_mode
            except FileNotFoundError:
                mode = stat.S_IFREG
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise PathRefused(f"{name} is a device or an endless link, and no note.")
        found = spot.removeprefix(f"{root}/")
        return Path(spot), name if found == name else paths.clean(found)

    def open(self, path: str) -> tuple[Path, str]:
        """Like `of`, for files that Sam may read and write: PathRefused for sealed ones."""
        place, name = self.of(path)
        if any(paths.sealed(one, self._sam_dir) for one in {name, paths.clean(path)}):
            raise PathRefused(f"{name} is sealed: its owner reads it in an editor.")
        return place, name

    def own(self, name: str) -> str:
        """Return the path of a file of Sam's; `SOUL.md` is used where `soul.md` is missing."""
        path = paths.join(self._sam_dir, name)
        if "/" not in name and not os.path.lexists(f"{self._root}/{path}"):
            folder = f"{self._root}/{self._sam_dir}"
            twins = [twin for twin in _names(folder) if twin.casefold() == name.casefold()]
            if twins:
                return paths.join(self._sam_dir, min(twins))
        return path


def interrupted_restore(data: Path) -> dict[str, str]:
    """What the mark of a restore says that was broken off in that data folder: `file`, `id`, and
    the command that ends it, `again`. Nothing where none was.
    """
    try:
        marker = json.loads(DataDir(data).restoring.read_text("utf-8"))
        return {name: str(value) for name, value in marker.items()}
    except FileNotFoundError:
        return {}
    except (ValueError, AttributeError):
        return {"file": "a backup", "id": "", "again": "sam restore"}


class Marker:
    """A file in the data folder that says which vault was used, and how many notes it had."""

    def __init__(self, path: Path, *, restoring: bool = False) -> None:
        self._path, self._restoring = path, restoring

    def check(self, root: Path) -> None:
        """Raise VaultGone when a vault was used before, and the one at `root` is missing or empty.

        Also when a restore into it was interrupted, unless this process finishes that restore.
        """
        if not self._restoring and (marker := interrupted_restore(self._path.parent)):
            raise VaultGone(
                f"A restore was broken off and is to be run again: `{marker.get('again')}`."
            )
        known = self.known()
        if known and not (root.is_dir() and scanner.any_note(root)):
            raise VaultGone(
                f"The vault {root} is missing or empty, and"
                f" {plural(known, 'note was', 'notes were')} known before:"
                f" mount or restore it, or set VAULT_DIR. To start over, remove {self._path}."
            )

    def known(self) -> int:
        """Return the number of notes at the last scan; 0: never used."""
        try:
            return int(json.loads(self._path.read_text("utf-8"))["notes"])
        except FileNotFoundError:
            return 0
        except (OSError, ValueError, KeyError, TypeError):
            return 1  # an unreadable marker still means that it was used

    def set(self, root: Path, notes: int) -> None:
        """Record the number of notes. Raises VaultError."""
        if self.known() != notes:
            with atomic_files.ours(self._path.name, "written"):
                said = {"vault": str(root), "notes": notes}
                atomic_files.write(self._path, json.dumps(said).encode())


def _child(folder: str, part: str) -> str:
    """Return the entry of that name in any Unicode form; the exact one takes precedence."""
    exact = f"{folder}/{part}"
    if part.isascii() or os.path.lexists(exact):
        return exact
    twins = [name for name in _names(f"{folder}/") if paths.same_name(name, part)]
    return f"{folder}/{min(twins)}" if twins else exact


def _is_link(place: str) -> bool:
    try:
        return stat.S_ISLNK(os.lstat(place).st_mode)
    except OSError:  # missing or inaccessible: reported when it is read
        return False


def _names(folder: str) -> list[str]:
    try:
        return [entry.name for entry in os.scandir(folder)]
    except OSError:
        return []
