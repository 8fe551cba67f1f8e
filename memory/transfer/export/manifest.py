"""`manifest.json`: the contents of an export, with the hash of each file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, Field, ValidationError

from ...errors import TransferRefused
from ...infra.atomic_files import sha256

NAME, FORMAT, VERSION = "manifest.json", "sam-export", 1
_LARGEST = 200_000_000  # bytes of the manifest itself: a million files


class ExportedFile(BaseModel):
    """One file: its path in the export, its size in bytes, its SHA-256 in hexadecimal, and when it
    was modified, in nanoseconds of Unix time (a search prefers newer notes)."""

    path: str
    size: int
    sha256: str
    modified: int


class ExportManifest(BaseModel):
    """The contents of an export. `counts`: numbers of notes, messages and facts; `left_out`: files
    of the vault that could not be read."""

    format: str = FORMAT
    version: int = VERSION
    made_at: str
    sam: str
    counts: dict[str, int]
    left_out: list[str] = Field(default_factory=list)
    files: list[ExportedFile]


def is_export(folder: Path) -> bool:
    """Return whether the folder looks like a Sam export, also one whose manifest is damaged: its
    vault must not be taken for a folder of notes."""
    try:
        with (folder / NAME).open("rb") as stream:
            return is_manifest(stream.read(200)) or (folder / "messages.jsonl").is_file()
    except OSError:
        return False


def is_manifest(head: bytes) -> bool:
    """Return whether a file with this beginning is the manifest of an export."""
    return f'"format": "{FORMAT}"'.encode() in head


def hashed(folder: Path) -> list[ExportedFile]:
    """Return every file below the folder with its hash, by path."""
    found = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            file = Path(place, name)
            path = file.relative_to(folder).as_posix()
            if path != NAME:
                found.append(_entry(file, path))
    return found


def _entry(file: Path, path: str) -> ExportedFile:
    status = file.stat()
    return ExportedFile(
        path=path, size=status.st_size, sha256=sha256(file), modified=status.st_mtime_ns
    )


def write_manifest(folder: Path, manifest: ExportManifest) -> None:
    """Write the manifest to the export folder."""
    text = json.dumps(manifest.model_dump(), ensure_ascii=False, indent=1)
    (folder / NAME).write_text(text + "\n", "utf-8")


def read_manifest(folder: Path) -> ExportManifest:
    """Read the manifest, and verify every file. Raises TransferRefused if the export is damaged, or
    if a path leads out of its folder."""
    manifest = unverified_manifest(folder)
    for problem in _problems(folder, manifest):
        raise TransferRefused(f"The export is damaged: {problem}. Nothing was imported.")
    return manifest


def unverified_manifest(folder: Path) -> ExportManifest:
    """Read the manifest alone: its paths may be missing, or lead anywhere. Raises
    TransferRefused."""
    try:
        if (folder / NAME).stat().st_size > _LARGEST:
            raise TransferRefused(f"{NAME} is too large.")
        manifest = ExportManifest.model_validate_json((folder / NAME).read_bytes())
    except (ValidationError, OSError) as error:
        raise TransferRefused(f"{folder / NAME} cannot be read: export it again.") from error
    if manifest.format != FORMAT or manifest.version > VERSION:
        raise TransferRefused("The export was made by a newer Sam: upgrade Sam to import it.")
    return manifest


def _problems(folder: Path, manifest: ExportManifest) -> Iterator[str]:
    for file in manifest.files:
        path = PurePosixPath(file.path)
        if path.is_absolute() or ".." in path.parts or "\0" in file.path:
            yield f"{file.path!r} leads out of it"
            return
        parts = [folder.joinpath(*path.parts[:count]) for count in range(1, len(path.parts))]
        if any(part.is_symlink() for part in parts):
            yield f"{file.path!r} is below a link"
        try:
            if sha256(folder / path) != file.sha256:
                yield f"{file.path!r} is not what was exported"
        except OSError as error:
            yield f"{file.path!r} cannot be read ({error.strerror})"
