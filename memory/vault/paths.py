"""Names of notes, and their paths on disk, with all links followed.

A name is a relative path with slashes, as in a link: `memories/2026-02-12.md`.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from pathlib import Path

from ..errors import PathRefused
from ..infra import atomic_files

NAME_BYTES = 255  # of one component; the limit of all common file systems
PATH_BYTES = 800  # of the whole path; macOS allows 1,024 including the vault's own path

_PLAIN = re.compile(
    r"(?:\w[\w .,()'-]*/)*\w[\w .,()'-]*", re.ASCII
)  # fast path: matches most names
_ODD = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\\]"
)  # characters not allowed in a name


def clean(path: str) -> str:
    """Return the normalised name (`./a//b.md` → `a/b.md`). Raises PathRefused with the reason."""
    if len(path) < NAME_BYTES and _PLAIN.fullmatch(path):
        return path  # nothing below can change or reject it
    if not path.strip():
        raise PathRefused("An empty path names no note.")
    shown = repr(path if len(path) <= 80 else path[:77] + "…")
    if _ODD.search(path):
        raise PathRefused(f"{shown} has characters that no note's name can have.")
    if path.startswith(("/", "~/")) or re.match(r"[A-Za-z]:/", path):
        raise PathRefused(f"{shown} is not a path inside the vault: start at the vault's folder.")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts or ".." in parts:
        raise PathRefused(f"{shown} leaves the vault.")
    if any(part.startswith(".") for part in parts):
        raise PathRefused(f"{shown} is hidden: files and folders with a leading dot are no notes.")
    name = "/".join(parts)
    if len(name.encode()) > PATH_BYTES or any(len(part.encode()) > NAME_BYTES for part in parts):
        raise PathRefused(f"{shown} is too long for a file's name.")
    return name


def valid(path: str) -> bool:
    """Return whether `clean` accepts the path unchanged."""
    try:
        return clean(path) == path
    except PathRefused:
        return False


def join(folder: str, name: str) -> str:
    """Join a folder of the vault and a name: `Sam`, `soul.md` → `Sam/soul.md`. An empty folder is
    the vault itself."""
    return f"{folder}/{name}" if folder else name


def within(path: str, folder: str) -> bool:
    """Return whether the path is that folder, or is inside it, in any Unicode form. Everything is
    inside the empty folder."""
    if not folder.isascii():
        path, folder = composed(path), composed(folder)
    return not folder or path == folder or path.startswith(folder + "/")


def sealed(path: str, sam_dir: str = "") -> bool:
    """Return whether the path is `sealed/` of the vault or of Sam's folder, or is inside it.

    The comparison ignores case, like some file systems.
    """
    low = path.casefold()
    return within(low, "sealed") or within(low, join(sam_dir.casefold(), "sealed"))


def unindexed(path: str, sam_dir: str = "") -> bool:
    """Return whether the path is in a folder that is never indexed."""
    return (
        sealed(path, sam_dir)
        or within(path, join(sam_dir, "archive"))
        or within(path, join(sam_dir, "sessions"))
        or path.startswith(".")
        or "/." in path
    )


def composed(path: str) -> str:
    """Return the path in the Unicode form in which paths are compared: é may be one or two code
    points, and macOS uses another form than other systems."""
    return unicodedata.normalize("NFC", path)


def printable(path: str) -> str:
    """Return the path as one short line of printable characters."""
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in path)
    return shown if len(shown) <= 100 else shown[:60] + "…" + shown[-30:]


def caseless(path: str) -> str:
    """Return the form of a path by which file systems compare paths that ignore case.

    Not `casefold`, to which ß and ss are equal: for file systems they are not.
    """
    return composed(composed(path).lower())


def swap_case(path: str) -> str:
    """Return the path with its ASCII letters in the other case, to test whether a file system
    ignores case. A path without such letters is unchanged."""
    return re.sub("[A-Za-z]+", lambda letters: letters[0].swapcase(), path)


def same_name(one: str, other: str) -> bool:
    """Return whether two names differ only in Unicode form."""
    return composed(one) == composed(other)


def on_disk(root: Path, folder: str) -> str:
    """Return the folder's path as it is spelled on disk, so that it is a prefix of the paths that
    a scan finds. `folder` may differ in Unicode form, on some file systems in case, and may have
    superfluous parts (`./Sam/`). What is missing is returned as given."""
    spelled = ""
    for part in folder.split("/"):
        if part in ("", "."):
            continue
        inside = f"{root}/{spelled}"
        names = _names(inside)
        if part not in names:
            exists = os.path.lexists(f"{inside}/{part}")
            fold = str.casefold if exists else str
            twins = [name for name in names if same_name(fold(name), fold(part))]
            part = min(twins, default=part)
        spelled = join(spelled, part)
    return spelled


class Places:
    """The paths of one vault. `sam_dir` is Sam's folder in it, empty for the vault itself."""

    def __init__(self, root: Path, sam_dir: str) -> None:
        self._root = root
        self._sam_dir = sam_dir

    def of(self, path: str) -> tuple[Path, str]:
        """Return the real path of a name, with links below the root resolved, and its name in the
        vault.

        A name in the other Unicode form finds the same note. The note need not exist. Raises
        PathRefused.
        """
        name = clean(path)
        root, linked = str(self._root).rstrip("/"), False
        spot = root
        for part in name.split("/"):
            spot = _child(spot, part)
            linked = linked or _is_link(spot)
        if linked:  # without links a clean name cannot leave the vault
            root, spot = os.path.realpath(self._root).rstrip("/"), os.path.realpath(spot)
            if not spot.startswith(f"{root}/"):
                raise PathRefused(f"{name} is a link that leaves the vault.")
        with atomic_files.translate_errors(name, "read"):
            try:
                mode = os.lstat(spot).st_mode
            except FileNotFoundError:
                mode = stat.S_IFREG
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise PathRefused(f"{name} is a device or an endless link, and no note.")
        found = spot.removeprefix(f"{root}/")
        return Path(spot), name if found == name else clean(found)

    def open(self, path: str) -> tuple[Path, str]:
        """Like `of`, for files that Sam may read and write. Raises PathRefused for sealed files."""
        place, name = self.of(path)
        if any(sealed(one, self._sam_dir) for one in {name, clean(path)}):
            raise PathRefused(f"{name} is sealed: its owner reads it in an editor.")
        return place, name

    def own(self, name: str) -> str:
        """Return the path of a file of Sam's; `SOUL.md` is used where `soul.md` is missing."""
        path = join(self._sam_dir, name)
        if "/" not in name and not os.path.lexists(f"{self._root}/{path}"):
            folder = f"{self._root}/{self._sam_dir}"
            twins = [twin for twin in _names(folder) if twin.casefold() == name.casefold()]
            if twins:
                return join(self._sam_dir, min(twins))
        return path


def _child(folder: str, part: str) -> str:
    """Return the entry of that name in any Unicode form; the exact one takes precedence."""
    exact = f"{folder}/{part}"
    if part.isascii() or os.path.lexists(exact):
        return exact
    twins = [name for name in _names(f"{folder}/") if same_name(name, part)]
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
