"""Write, read and verify the backup file.

It is a gzipped tar that any tar program opens. It contains regular files and folders; its last
member is `manifest.json`, with the size and SHA-256 of each file and the row counts of each
database. If a name occurs twice, the last one counts; files not listed in the manifest are ignored.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import re
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from pydantic import TypeAdapter

from ..errors import BackupDamaged, StoreError
from ..infra.sqlite_copy import contents

FORMAT = 1
MANIFEST = "manifest.json"
SETTINGS = "settings.env"
TOPS = ("vault", "data", "profiles")  # the folders of a backup

_PIECE = 1 << 20
_DATABASE = re.compile(r"(profiles/[^/]+/)?data/[^/]+\.db")


@dataclass(frozen=True, slots=True)
class ArchivedFile:
    """One file of a backup."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of a backup. `rows`: row counts by database and table. `left_out`: unreadable
    files, with reasons. `links`: links and devices in the vault, which are not followed.
    """

    sam: str
    made_at: str
    files: dict[str, ArchivedFile] = field(default_factory=dict)
    rows: dict[str, dict[str, int]] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        """The total size of the unpacked files, in bytes."""
        return sum(entry.size for entry in self.files.values())


class Writer:
    """Write a backup to a new file; `finish` appends the manifest. Raises OSError."""

    def __init__(self, path: Path) -> None:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        self._file = os.fdopen(descriptor, "wb")
        self._tar = tarfile.open(  # noqa: SIM115 (`finish` closes it)
            fileobj=self._file, mode="w:gz", format=tarfile.PAX_FORMAT, compresslevel=6
        )

    def folder(self, name: str, mode: int) -> None:
        """Add a folder. The parent folders of files need not be added."""
        info = tarfile.TarInfo(name)
        info.type, info.mode = tarfile.DIRTYPE, mode
        self._tar.addfile(info)

    def add(
        self, name: str, source: IO[bytes], size: int, *, mode: int, mtime: float
    ) -> ArchivedFile:
        """Add `size` bytes of a file. Pads a file that has shrunk meanwhile; the caller adds it
        again."""
        info = tarfile.TarInfo(name)
        info.size, info.mode, info.mtime = size, mode, mtime
        reading = _Hashed(source, size)
        self._tar.addfile(info, reading)
        return ArchivedFile(size, reading.hash.hexdigest())

    def finish(self, manifest: Manifest) -> None:
        """Add the manifest, and flush the file to disk."""
        data = json.dumps({"format": FORMAT, **asdict(manifest)}).encode()
        self.add(MANIFEST, io.BytesIO(data), len(data), mode=0o600, mtime=0)
        self._tar.close()
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file, finished or not."""
        self._file.close()


class _Hashed(io.RawIOBase):
    """Read exactly `size` bytes and hash them; a shorter source is padded with zeros."""

    def __init__(self, source: IO[bytes], size: int) -> None:
        self._source, self._left = source, size
        self.hash = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        wanted = self._left if size < 0 else min(size, self._left)
        data = self._source.read(wanted)
        data += bytes(wanted - len(data))
        self._left -= wanted
        self.hash.update(data)
        return data


def members(path: Path) -> Iterator[tuple[tarfile.TarInfo, IO[bytes] | None]]:
    """Yield the members of a backup in order, the manifest last; folders come without a stream.

    Raises BackupDamaged for a member that could be written elsewhere: a name with `..` or a root, a
    link, a device. Wrap the loop in `reading`.
    """
    # Not tarfile's own `data` filter: Python 3.11.2 (Debian 12) has none, and it lets links pass.
    with gzip.open(path) as unpacked, tarfile.open(fileobj=unpacked, mode="r|") as tar:
        for info in tar:
            if not (info.isreg() or info.isdir()) or not _stays(info.name):
                raise BackupDamaged(
                    f"{path.name} holds {info.name!r}, which no backup of Sam's does: do not"
                    " use this file."
                )
            yield info, tar.extractfile(info) if info.isreg() else None
        while unpacked.read(_PIECE):  # up to gzip's checksum at the end
            pass


def verify(path: Path, room: Path) -> Manifest:
    """Verify every checksum and every database of a backup. Raises BackupDamaged, OSError.

    `room`: an empty folder into which the databases are unpacked.
    """
    found: dict[str, ArchivedFile] = {}
    manifest = None
    with reading(path):
        for info, stream in members(path):
            if stream is None:
                continue
            if info.name == MANIFEST:
                manifest = _parse(path, stream.read())
                continue
            with _target(info.name, room) as out:
                found[info.name] = copied(stream, out)
    if manifest is None:
        raise _cut(path)
    for name, entry in manifest.files.items():
        if found.get(name) != entry:
            raise BackupDamaged(
                f"{path.name} is damaged: {name!r} in it is not what it was. Take another one."
            )
    for name, rows in manifest.rows.items():
        try:
            same = contents(_unpacked(name, room)) == rows
        except StoreError as wrong:
            raise BackupDamaged(f"{path.name} is damaged: {wrong}.") from wrong
        if not same:
            raise BackupDamaged(f"{path.name} is damaged: rows are missing from {name} in it.")
    return manifest


def copied(source: IO[bytes], target: IO[bytes]) -> ArchivedFile:
    """Copy a stream; return its size and hash."""
    size, sha = 0, hashlib.sha256()
    while piece := source.read(_PIECE):
        target.write(piece)
        sha.update(piece)
        size += len(piece)
    return ArchivedFile(size, sha.hexdigest())


def _stays(name: str) -> bool:
    parts = name.split("/")
    if name in (MANIFEST, SETTINGS):
        return True
    inside = parts[0] in TOPS and len(parts) > 1
    return inside and not {"", ".", ".."} & set(parts) and "\0" not in name


def _unpacked(name: str, room: Path) -> Path:
    return room / name.replace("/", "-")


@contextmanager
def _target(name: str, room: Path) -> Iterator[IO[bytes]]:
    """Open the file to which a member is unpacked for verification: the null device except for
    databases."""
    path = _unpacked(name, room) if _DATABASE.fullmatch(name) else Path(os.devnull)
    with path.open("wb") as out:
        yield out


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Translate the errors of reading a truncated, changed or missing backup into BackupDamaged.
    All reading must be inside this context."""
    try:
        yield
    except FileNotFoundError:
        raise BackupDamaged(
            f"There is no {path}: `sam backup --list` says which there are."
        ) from None
    except IsADirectoryError:
        raise BackupDamaged(
            f"{path} is a folder: name a backup in it, a file sam-….tar.gz."
        ) from None
    except (EOFError, tarfile.TarError, zlib.error, OSError) as wrong:
        if isinstance(wrong, OSError) and wrong.errno is not None:
            raise
        raise _cut(path) from wrong


def _cut(path: Path) -> BackupDamaged:
    return BackupDamaged(
        f"{path.name} is not a complete backup of Sam's: it is cut, damaged or another file."
        " `sam backup --list` lists the others."
    )


def _parse(path: Path, data: bytes) -> Manifest:
    try:
        given: Any = json.loads(data)
        if given["format"] > FORMAT:
            raise BackupDamaged(f"{path.name} was made by a newer Sam: upgrade Sam to restore it.")
        return TypeAdapter(Manifest).validate_python(given)
    except (ValueError, KeyError, TypeError) as wrong:
        raise _cut(path) from wrong
