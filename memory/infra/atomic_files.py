"""Read and replace files atomically.

Errors of the operating system are translated into ours by `translate_errors`.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..errors import NoteMissing, NoteUnreadable, PathRefused, VaultError

NOTE_BYTES = 5_000_000  # a larger file is a dump and not a note: it is not read

LEFTOVER = re.compile(r"\.sam-[0-9a-f]{12}\.tmp")
_BLOCK = 1 << 20
# NONBLOCK: opening a pipe must not wait for its writer.
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NO_NAME = (errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.EINVAL, errno.ENXIO)
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True, slots=True)
class Raw:
    """A file as it was read: `hash` is the SHA-256 of its bytes."""

    data: bytes
    hash: str
    mtime_ns: int


@contextmanager
def translate_errors(name: str, doing: Literal["read", "written"]) -> Iterator[None]:
    """Translate errors of the operating system on the note `name` into memory's errors."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        if error.errno == errno.ENOENT:
            raise NoteMissing(f"There is no note {name}.") from error
        if error.errno in _NO_NAME:
            raise PathRefused(f"{name} is no note ({why}).") from error
        if error.errno in _FULL:
            raise VaultError(
                f"{name} was not written and stays as it was, the disk is full: free up space."
            ) from error
        kind = NoteUnreadable if doing == "read" else VaultError
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise kind(f"{name} cannot be {doing} ({why}): check its permissions.") from error
        raise kind(f"{name} cannot be {doing} ({why}): check the disk.") from error


def digest(data: bytes) -> str:
    """Return the content hash of a file."""
    return hashlib.sha256(data).hexdigest()


def read(path: Path, limit: int = NOTE_BYTES) -> Raw:
    """Read a regular file of at most `limit` bytes. Raises OSError, NoteUnreadable."""
    descriptor = os.open(path, _READ)
    try:
        found = os.fstat(descriptor)
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(found.st_mode):
            raise NoteUnreadable(f"{path.name} is a device and no note.")
        pieces, left = [], limit + 1
        if found.st_size <= limit:
            while left and (piece := os.read(descriptor, min(left, _BLOCK))):
                pieces.append(piece)
                left -= len(piece)
        if found.st_size > limit or not left:
            raise NoteUnreadable(
                f"{path.name} is larger than {limit / 1e6:g} MB: split it to have it read."
            )
    finally:
        os.close(descriptor)
    data = b"".join(pieces)
    return Raw(data, digest(data), found.st_mtime_ns)


def nearest_existing(path: Path) -> Path:
    """Return the path, or the nearest existing one above it."""
    return next(each for each in (path, *path.parents) if each.exists())


def sha256(path: Path) -> str:
    """Return the hash of a file of any size, read piece by piece, in hexadecimal. Does not follow a
    link. Raises OSError."""
    with os.fdopen(os.open(path, _READ), "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def file_hash(path: Path) -> str | None:
    """Return the hash of a file as `sha256` does; None when there is none. Raises OSError."""
    try:
        return sha256(path)
    except FileNotFoundError:
        return None


def replace(path: Path, data: bytes | Path, *, expected: str | None) -> bool:
    """Replace a file by `data` (or by a copy of that file), atomically and durably. Raises OSError.

    Only while the file's hash is `expected` (None: there is no file); otherwise return False and
    change nothing. A replaced file keeps its mode, a new one is as open as its folder.
    """
    make_folder(path.parent)
    try:
        mode = stat.S_IMODE(path.lstat().st_mode)
    except FileNotFoundError:
        mode = stat.S_IMODE(path.parent.stat().st_mode) & 0o666
    spare = path.parent / f".sam-{secrets.token_hex(6)}.tmp"
    try:
        _write(spare, data, mode)
        # the last check before the rename, since editors take no lock
        if file_hash(path) != expected:
            return False
        spare.replace(path)
    finally:
        with suppress(FileNotFoundError):
            spare.unlink()
    sync_folder(path.parent)
    return True


def move(source: Path, target: Path) -> None:
    """Rename durably; `target` must not exist. Raises OSError."""
    make_folder(target.parent)
    if target.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    source.rename(target)
    sync_folder(target.parent)
    sync_folder(source.parent)


@contextmanager
def pinned(root: Path, name: str, *, make: bool = False) -> Iterator[Path]:
    """Yield a path to `root/name` that stays in its present folder even if folders are renamed.

    From `root` down no link is followed: a link created since the name was checked is refused
    (OSError). `make`: missing folders are made, each as open as the one that it lies in.
    Where open folders have no path (outside of Linux) the plain path is used.
    """
    *above, last = name.split("/")
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    folder = os.open(root, flags)
    try:
        for part in above:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(part, dir_fd=folder)
                    mode = stat.S_IMODE(os.fstat(folder).st_mode) & 0o777
                    os.chmod(part, mode, dir_fd=folder)
                    os.fsync(folder)
            inner = os.open(part, flags | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        opened = f"/proc/self/fd/{folder}"
        yield Path(opened, last) if os.path.lexists(opened) else root / name
    finally:
        os.close(folder)


@contextmanager
def opened(
    root: Path, name: str, doing: Literal["read", "written"], *, make: bool = False
) -> Iterator[Path]:
    """Yield what `pinned` does, with its errors and those of the block translated."""
    with translate_errors(name, doing), pinned(root, name, make=make) as path:
        yield path


def make_folder(path: Path) -> None:
    """Create the folder and those above it, each with the mode of its parent. Raises OSError."""
    if path.is_dir():
        return
    make_folder(path.parent)
    with suppress(FileExistsError):
        path.mkdir()
        path.chmod(stat.S_IMODE(path.parent.stat().st_mode) & 0o777)
        sync_folder(path.parent)


def sync_file(path: Path) -> None:
    """Make the content of a file durable. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write(path: Path, data: bytes) -> None:
    """Write a file atomically and durably, replacing any content; for Sam's own data. Raises
    OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    spare = path.parent / f".sam-{secrets.token_hex(6)}.tmp"
    try:
        _write(spare, data, 0o600)
        spare.replace(path)
    finally:
        with suppress(FileNotFoundError):
            spare.unlink()
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Make the names in a folder durable. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some network file systems cannot: the rename stands
            raise
    finally:
        os.close(descriptor)


def sweep(root: Path) -> None:
    """Remove the leftovers of a killed `replace` in all folders below. Raises OSError."""
    for folder, _, names in os.walk(root):
        for name in names:
            if LEFTOVER.fullmatch(name):
                with suppress(FileNotFoundError):
                    (Path(folder) / name).unlink()


def _write(path: Path, data: bytes | Path, mode: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o600), "wb") as stream:
        if isinstance(data, bytes):
            stream.write(data)
        else:
            with data.open("rb") as source:
                while piece := source.read(_BLOCK):
                    stream.write(piece)
        stream.flush()
        with suppress(PermissionError):  # FAT and some mounts keep no modes
            os.fchmod(stream.fileno(), mode)
        os.fsync(stream.fileno())
