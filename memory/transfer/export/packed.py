"""Pack an export as a ZIP to send in a chat, and unpack it for an import.

Both use the temporary folder `DataDir.transfer`. The next run deletes the leftovers of an
interrupted one.
"""

from __future__ import annotations

import asyncio
import shutil
import zipfile
import zlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from unicodedata import normalize

from ...errors import TransferRefused
from ...infra.failpoints import failpoint
from ...infra.file_locks import locked, run_to_end
from ...profile import DataDir
from ..formats.source_file import ALWAYS, MOST_RATIO, check_entries, readable
from .exporting import fill, written
from .manifest import NAME, ExportManifest, is_manifest, unverified_manifest

if TYPE_CHECKING:
    from ...core import Memory

_HEAD = 200  # bytes of a manifest that identify it
_BLOCK = 1 << 20
_UTF8 = 0x800  # the flag of a ZIP's entry whose name is in UTF-8


@dataclass(frozen=True, slots=True)
class PackedExport:
    """A ZIP that contains an export."""

    path: Path
    manifest: ExportManifest

    @property
    def size(self) -> int:
        """The size of the ZIP in bytes."""
        return self.path.stat().st_size


@asynccontextmanager
async def packed_export(
    memory: Memory, *, tell: Callable[[str], None] = lambda text: None
) -> AsyncIterator[PackedExport]:
    """Provide an export as a ZIP within this context. Raises TransferRefused, or LockHeld while
    another one is being made."""
    async with _folder(memory.profile.files) as folder:
        content, archive = folder / "export", folder / "export.zip"
        with written(folder):
            content.mkdir()
            manifest = await fill(memory, content, tell)
            tell("packing")
            await run_to_end(asyncio.to_thread(_pack, content, archive))
            await run_to_end(asyncio.to_thread(shutil.rmtree, content))
        failpoint("in_export")
        yield PackedExport(archive, manifest)


@asynccontextmanager
async def unpacked_zip(files: DataDir, archive: Path) -> AsyncIterator[Path]:
    """Unpack an export into a temporary folder, which exists within this context. Raises
    TransferRefused for a damaged or malicious ZIP."""
    async with _folder(files) as folder:
        await run_to_end(asyncio.to_thread(_unpack, archive, folder))
        yield folder


def is_packed(path: Path) -> bool:
    """Return whether the file is a Sam export packed as a ZIP."""
    if not path.is_file():
        return False  # a device can be read for ever
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = _by_path(archive.infolist()).get(NAME)
            if manifest is None:
                return False
            with archive.open(manifest) as stream:
                return is_manifest(stream.read(_HEAD))
    except (OSError, zipfile.BadZipFile, zlib.error, RuntimeError, EOFError):
        return False  # no ZIP, damaged, encrypted, or an unknown compression


@asynccontextmanager
async def _folder(files: DataDir) -> AsyncIterator[Path]:
    files.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    async with locked(files.transfer_lock, timeout=1.0):
        shutil.rmtree(files.transfer, ignore_errors=True)  # of a run that was killed
        files.transfer.mkdir(mode=0o700)
        try:
            yield files.transfer
        finally:
            await run_to_end(asyncio.to_thread(shutil.rmtree, files.transfer, ignore_errors=True))


def _pack(folder: Path, target: Path) -> None:
    # ZIP cannot store dates before 1980, which notes may have: the real ones are in the manifest.
    with zipfile.ZipFile(
        target, "w", zipfile.ZIP_DEFLATED, allowZip64=True, strict_timestamps=False
    ) as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, file.relative_to(folder).as_posix(), _method(file))


def _method(file: Path) -> int:
    """Return how to pack a file: as it is if it would shrink as only the content of a ZIP bomb
    does, for which `_unpack` would take it."""
    if file.stat().st_size < _BLOCK:
        return zipfile.ZIP_DEFLATED
    packer, size = zlib.compressobj(), 0
    with file.open("rb") as stream:
        while piece := stream.read(_BLOCK):
            size += len(packer.compress(piece))
    size += len(packer.flush())
    shrinks = file.stat().st_size > MOST_RATIO / 2 * size
    return zipfile.ZIP_STORED if shrinks else zipfile.ZIP_DEFLATED


def _by_path(entries: Sequence[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    """Return the files in a ZIP by their paths in the export. If all lie in one folder, the export
    is that folder."""
    found = {
        path: entry
        for entry in entries
        if not (path := _path(entry)).startswith("__MACOSX/") and not entry.is_dir()
    }
    if NAME not in found and len({path.partition("/")[0] for path in found}) == 1:
        found = {path.partition("/")[2]: entry for path, entry in found.items()}
    return found


def _path(entry: zipfile.ZipInfo) -> str:
    """Return the path of an entry. macOS stores it in UTF-8 without saying so, and zipfile then
    takes it for code page 437."""
    path = entry.filename
    if not entry.flag_bits & _UTF8:
        with suppress(UnicodeError):
            path = path.encode("cp437").decode()
    return PurePosixPath(path).as_posix()  # `a//b` is `a/b`: `/b` would lead out of the folder


def _unpack(archive: Path, folder: Path) -> None:
    with readable(archive, archive.name), zipfile.ZipFile(archive) as packed_:
        entries = packed_.infolist()
        check_entries(archive.name, entries)
        most = max(ALWAYS, MOST_RATIO * archive.stat().st_size)
        for path, entry in _by_path(entries).items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            with packed_.open(entry) as source, target.open("xb") as out:
                while piece := source.read(_BLOCK):
                    most -= len(piece)
                    if most < 0:
                        raise TransferRefused(
                            f"{archive.name} holds far more than its size says (a ZIP bomb?)."
                            " Nothing was imported."
                        )
                    out.write(piece)
        _spell_as_listed(folder)


def _spell_as_listed(folder: Path) -> None:
    """Give the files the names that the manifest has: a ZIP from another system may have `é` as `e`
    and an accent, or the reverse."""
    missing = [
        file.path for file in unverified_manifest(folder).files if not (folder / file.path).exists()
    ]
    if not missing:
        return
    there = {
        normalize("NFC", file.relative_to(folder).as_posix()): file
        for file in folder.rglob("*")
        if file.is_file()
    }
    for path in missing:
        # The same letters, so it does not lead out of the folder either.
        if found := there.get(normalize("NFC", path)):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            found.rename(folder / path)
