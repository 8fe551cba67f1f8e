"""Read the file to import, plain or inside a ZIP, as a stream within limits.

Nothing is unpacked to the disk. A ZIP with a link, or with an entry outside its folder, is refused
as malicious.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from ...errors import TransferRefused

MEMBERS = re.compile(r"(?:conversations(?:-\d{1,4})?|result)\.json|_chat\.txt|.*WhatsApp.*\.txt")
"""The names, without folders, of the conversations in a ZIP or a folder that are read."""
NOTES = re.compile(r"(?!\._).*\.json", re.IGNORECASE)
"""The same of notes and journals, which are named by their owner."""
MOST_ENTRIES = 200_000
MOST_RATIO = 200  # of unpacked to packed bytes; the ratio of text is 3 to 30
ALWAYS = 50_000_000  # bytes that may be unpacked regardless of the ratio
_HEAD = 1 << 16
_ZIP = b"PK\x03\x04"  # how every ZIP with an entry begins

Progress = Callable[[int], None]
"""Called with the number of bytes read so far."""


def no_progress(done: int) -> None:
    """Ignore progress."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file with conversations. `name`: for display; `size`: in bytes.

    `member`: its name in the ZIP at `path`; None for a plain file. `begins`: where it begins in the
    file, if that has others too; 0 for a whole one.
    """

    path: Path
    name: str
    size: int
    member: str | None = None
    begins: int = 0

    @contextmanager
    def opened(
        self, progress: Progress = no_progress, archive: zipfile.ZipFile | None = None
    ) -> Iterator[CountingReader]:
        """Open it at its start. `archive`: its ZIP, if that is open already. Raises TransferRefused
        if it cannot be read."""
        with readable(self.path, self.name):
            if self.member is None:
                with self.path.open("rb") as stream:
                    stream.seek(self.begins)
                    yield CountingReader(stream, progress)
                return
            with nullcontext(archive) if archive else zipfile.ZipFile(self.path) as whole:
                packed = whole.getinfo(self.member).compress_size
                with whole.open(self.member) as stream:
                    most = max(ALWAYS, MOST_RATIO * packed)
                    yield CountingReader(stream, progress, most=most)  # type: ignore[arg-type]  # IO[bytes]

    def head(self) -> bytes:
        """Return its first bytes: enough to recognise its format."""
        with self.opened() as stream:
            return stream.read(_HEAD)

    @property
    def file_name(self) -> str:
        """Its name without folders, in its ZIP or on the disk."""
        return PurePosixPath(self.member).name if self.member else self.path.name

    def mark(self) -> str:
        """Return a fingerprint of the file, to recognise it later: a hash of its size and ends."""
        with readable(self.path, self.name), self.path.open("rb") as stream:
            first = stream.read(_HEAD)
            stream.seek(max(0, self.path.stat().st_size - _HEAD))
            found = hashlib.sha256(first + stream.read(_HEAD))
        found.update(f"{self.path.stat().st_size} {self.member}".encode())
        return found.hexdigest()[:32]


@dataclass(slots=True)
class CountingReader:
    """A binary stream with limits: it unpacks at most `most` bytes of a packed file, and reads at
    most `MOST_ITEM` bytes of one item (call `next_item` after each)."""

    stream: BinaryIO
    progress: Progress = no_progress
    most: int = 0
    done: int = 0
    item: int = field(default=0)

    MOST_ITEM = 32_000_000

    def read(self, size: int = -1) -> bytes:
        """Read up to `size` bytes. Raises TransferRefused beyond a limit."""
        piece = self.stream.read(size)
        self._count(len(piece))
        return piece

    def next_item(self) -> None:
        """Reset the count for the next item."""
        self.item = self.done

    def _count(self, size: int) -> None:
        self.done += size
        if self.most and self.done > self.most:
            raise _bomb()
        if self.done - self.item > self.MOST_ITEM + _HEAD:
            raise TransferRefused(
                f"One conversation in the file is larger than {self.MOST_ITEM // 1_000_000} MB,"
                " which no export makes. Nothing was imported."
            )
        self.progress(self.done)


def opened_in_turn(
    files: Sequence[SourceFile], progress: Progress = no_progress
) -> Iterator[tuple[SourceFile, CountingReader]]:
    """Open one file after the other; their ZIP once, since that takes long if it has many entries.

    The files are of one path. Raises TransferRefused.
    """
    packed = bool(files) and files[0].member is not None
    with readable(files[0].path, files[0].name) if packed else nullcontext():
        archive = zipfile.ZipFile(files[0].path) if packed else None
    with archive or nullcontext():
        before = 0
        for file in files:
            with file.opened(after(before, progress), archive) as stream:
                yield file, stream
            before += file.size


def after(before: int, progress: Progress) -> Progress:
    """Return the progress of what is read after that number of bytes."""
    return lambda done: progress(before + done)


def heads(files: Sequence[SourceFile]) -> Iterator[tuple[SourceFile, bytes]]:
    """Yield each file with its `head`."""
    for file, stream in opened_in_turn(files):
        yield file, stream.read(_HEAD)


def source_files(path: Path, name: str) -> list[SourceFile]:
    """Return the files with conversations at that path: the file itself, or those in the ZIP.

    `name`: for display. Raises TransferRefused for a link, a folder or an empty file.
    """
    with readable(path, name):
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            raise TransferRefused(f"{path} is a link: give the file itself.")
        if not stat.S_ISREG(status.st_mode):
            raise TransferRefused(f"{path} is no file.")
        if not status.st_size:
            raise TransferRefused(f"{name} is empty: if it is an export, make it again.")
        if zipfile.is_zipfile(path):
            return _members(path, name)
        with path.open("rb") as stream:
            if stream.read(len(_ZIP)) == _ZIP:
                raise zipfile.BadZipFile("it ends too early")
    return [SourceFile(path, name, status.st_size)]


def unpacked_files(folder: Path) -> list[SourceFile]:
    """Return the files of an export that was unpacked, sorted by name: the conversations directly
    in a folder, and the notes in it and its subfolders. Links are left out. Raises TransferRefused
    if the folder cannot be read."""
    with readable(folder, str(folder)):
        found = [
            SourceFile(path, path.name, status.st_size)
            for path in sorted(folder.iterdir())
            if MEMBERS.fullmatch(path.name) and stat.S_ISREG((status := path.lstat()).st_mode)
        ]
    there = {file.path for file in found}
    return found + [file for file in files_in(folder, _is_json) if file.path not in there]


def _is_json(path: Path) -> bool:
    return path.suffix.lower() == ".json"


def files_in(folder: Path, wanted: Callable[[Path], bool]) -> list[SourceFile]:
    """Return the `wanted` files in a folder and its subfolders, sorted by path.

    Links are not followed; hidden files and folders are skipped. Raises TransferRefused.
    """
    found = []
    with readable(folder, str(folder)):
        for place, folders, names in os.walk(folder, onerror=_raise):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                path = Path(place, name)
                if name.startswith(".") or not wanted(path):
                    continue
                status = path.lstat()
                if stat.S_ISREG(status.st_mode):
                    inside = path.relative_to(folder).as_posix()
                    found.append(SourceFile(path, inside, status.st_size))
                if len(found) > MOST_ENTRIES:
                    raise TransferRefused(f"{folder} has more than {MOST_ENTRIES:,} such files.")
    return found


def _raise(error: OSError) -> None:
    raise error


def _members(path: Path, name: str) -> list[SourceFile]:
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
    check_entries(name, entries)
    found = [
        SourceFile(path, name, entry.file_size, entry.filename)
        for entry in sorted(entries, key=lambda entry: entry.filename)
        if not entry.is_dir() and _may_be_read(PurePosixPath(entry.filename).name)
    ]
    if sum(file.size for file in found) > max(ALWAYS, MOST_RATIO * path.stat().st_size):
        raise _bomb()
    return found


def packed_files(path: Path, name: str) -> list[PurePosixPath]:
    """Return the files in a ZIP, sorted, without hidden ones; [] if it is none. `name`: for
    display. Raises TransferRefused."""
    with readable(path, name):
        if not zipfile.is_zipfile(path):
            return []
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    found = sorted(PurePosixPath(entry.filename) for entry in entries if not entry.is_dir())
    return [file for file in found if not file.name.startswith(".")]


def _may_be_read(name: str) -> bool:
    return bool(MEMBERS.fullmatch(name) or NOTES.fullmatch(name))


def _bomb() -> TransferRefused:
    return TransferRefused(
        "The ZIP holds far more than its size says, as no export does (a ZIP bomb?). Nothing was"
        " imported."
    )


def check_entries(name: str, entries: Sequence[zipfile.ZipInfo]) -> None:
    """Raise TransferRefused if a ZIP has too many entries, links, or paths outside its folder."""
    if len(entries) > MOST_ENTRIES:
        raise TransferRefused(f"{name} has more than {MOST_ENTRIES:,} entries.")
    for entry in entries:
        place = PurePosixPath(entry.filename.replace("\\", "/"))
        if ".." in place.parts or place.is_absolute() or ":" in place.parts[0:1]:
            raise TransferRefused(
                f"{name} has an entry that leads out of its folder ({entry.filename!r}):"
                " it is no export. Nothing was imported."
            )
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise TransferRefused(
                f"{name} has a link in it ({entry.filename!r}): it is no export. Nothing was"
                " imported."
            )


@contextmanager
def readable(path: Path, name: str) -> Iterator[None]:
    """Translate the errors of reading a file or ZIP into TransferRefused with a clear message."""
    try:
        yield
    except FileNotFoundError:
        raise TransferRefused(f"There is no file {path}.") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        raise TransferRefused(
            f"{name} is a damaged or locked ZIP ({error}): download it again. Nothing was imported."
        ) from error
    except (OSError, io.UnsupportedOperation) as error:
        raise TransferRefused(f"{path} cannot be read ({error.strerror or error}).") from error
