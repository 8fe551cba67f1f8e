"""Record which vault is in use, so that an empty folder in its place is noticed."""

from __future__ import annotations

import json
import os
from pathlib import Path

from ..errors import VaultGone
from ..infra import atomic_files
from ..profile import DataDir
from ..text.humanize import plural
from . import scanner


def interrupted_restore(data: Path) -> dict[str, str]:
    """Return the marker of an interrupted restore into that data folder: `file`, `id`, and `again`,
    the command that completes it; empty if there was none.
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
        """Raise VaultGone if a vault was used before and the one at `root` has no notes now.

        Also raise it if a restore into it was interrupted, unless this process finishes it.
        """
        if not self._restoring and (marker := interrupted_restore(self._path.parent)):
            raise VaultGone(f"A restore was interrupted; run it again: `{marker.get('again')}`.")
        known = self.note_count()
        if known and not scanner.any_note(root):
            if wrong := _why_unreadable(root):
                is_shut = isinstance(wrong, PermissionError)
                raise VaultGone(
                    f"The vault {root} cannot be read ({wrong.strerror}):"
                    f" {'fix its permissions' if is_shut else 'mount or restore it'},"
                    " or set VAULT_DIR."
                )
            raise VaultGone(
                f"The vault {root} is missing or empty, and"
                f" {plural(known, 'note was', 'notes were')} known before:"
                f" mount or restore it, or set VAULT_DIR. To start over, remove {self._path}."
            )

    def note_count(self) -> int:
        """Return the number of notes at the last scan; 0 if the vault was never used, 1 if the
        marker cannot be read."""
        try:
            return int(json.loads(self._path.read_text("utf-8"))["notes"])
        except FileNotFoundError:
            return 0
        except (OSError, ValueError, KeyError, TypeError):
            return 1  # an unreadable marker still means that it was used

    def set(self, root: Path, notes: int) -> None:
        """Record the number of notes. Raises VaultError."""
        if self.note_count() != notes:
            with atomic_files.translate_errors(self._path.name, "written"):
                said = {"vault": str(root), "notes": notes}
                atomic_files.write(self._path, json.dumps(said).encode())


def _why_unreadable(root: Path) -> OSError | None:
    """Return why the folder that is there cannot be listed; None if it can, or if it is missing."""
    try:
        os.scandir(root).close()
    except FileNotFoundError:
        return None
    except OSError as wrong:
        return wrong
    return None
