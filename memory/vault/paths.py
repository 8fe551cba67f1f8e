"""Valid names of notes, and Sam's own folders.

A name is a relative path with slashes, as in a link: `memories/2026-02-12.md`.
"""

from __future__ import annotations

import re
import unicodedata

from ..errors import PathRefused

NAME_BYTES = 255  # of one part; the limit of all usual file systems
PATH_BYTES = 800  # of the whole; macOS allows 1,024 with the vault's own path in front

_PLAIN = re.compile(r"(?:\w[\w .,()'-]*/)*\w[\w .,()'-]*", re.ASCII)  # matches most names
_ODD = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\\]")  # no letters of a name


def clean(path: str) -> str:
    """The name in its plain form (`./a//b.md` → `a/b.md`), or PathRefused with the reason."""
    if len(path) < NAME_BYTES and _PLAIN.fullmatch(path):
        return path  # nothing to check below
    if not path.strip():
        raise PathRefused("An empty path names no note.")
    shown = repr(path if len(path) <= 80 else path[:77] + "…")
    if _ODD.search(path):
        raise PathRefused(f"{shown} has characters that no note's name can have.")
    if path.startswith(("/", "~")) or re.match(r"[A-Za-z]:/", path):
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
    """Whether `clean` accepts the path as it is."""
    try:
        return clean(path) == path
    except PathRefused:
        return False


def join(folder: str, name: str) -> str:
    """`Sam`, `soul.md` → `Sam/soul.md`; an empty folder is the vault itself."""
    return f"{folder}/{name}" if folder else name


def within(path: str, folder: str) -> bool:
    """Return whether the path is that folder, or is inside it. Everything is inside the empty
    folder."""
    return not folder or path == folder or path.startswith(folder + "/")


def sealed(path: str, sam_dir: str = "") -> bool:
    """Return whether the path is `sealed/` of the vault or of Sam's folder, or is inside it.

    Compared without case, since some file systems do so too.
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


def same_name(one: str, other: str) -> bool:
    """Whether two names differ by their Unicode form alone (é in one or in two code points)."""
    return unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)
