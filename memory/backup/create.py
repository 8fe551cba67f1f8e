"""Make a backup while Sam runs.

The copies must be made in this order, so that a restored state is consistent or can be repaired:

    inbox → log → vault → files of the vault that changed in the meantime

Each copy may be newer than the one before it, never older. An update that is "received" in the
copied inbox may be logged already: its key is known, so it is not logged twice. A batch that is
"claimed" in the copied log may already have its section in the vault: the next start finds the
batch id there, and closes the batch. In the opposite order, a message could be done but in no log,
or a section recorded but in no file. Nor may a batch *begin* between log and vault, or its messages
would be pending in the log while its section is in the vault. The backup therefore holds
`batch.lock` meanwhile, which also prevents that a session is forgotten in only one of the two.

A note that Sam moves during the copy of the vault could be missed at both paths. So the vault is
scanned twice, the second time under `vault.lock`, when only a few changes are left to copy: edits
do not have to wait for the copy of a large vault.
"""

from __future__ import annotations

import asyncio
import io
import os
import re
import secrets
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from ..errors import BackupError, StoreCorrupt, VaultGone
from ..infra import atomic_files as files
from ..infra.clock import Clock, utc_text
from ..infra.file_locks import locked, run_to_end
from ..infra.postgres import StorePlace, copy_rows
from ..infra.sqlite_copy import contents, copy
from ..profile import DataDir
from ..vault.marker import Marker
from .archive import SETTINGS, ArchivedFile, Manifest, Writer, verify
from .retention import name_of, prune

PATIENCE = 600.0  # seconds for a summary or another backup to end
_SKIPPED = re.compile(r"\.trash|\.cache|\.DS_Store|Thumbs\.db|\.sam-.*")

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ProfileFolders:
    """One profile's folders, and their prefix in a backup (`""`, `profiles/ana/`). `places`: its
    stores in PostgreSQL; a backup contains each as a file of SQLite."""

    prefix: str
    vault: Path
    data: Path
    places: tuple[StorePlace, ...] = ()
    inbox: bool = True
    """Whether `data/inbox.db`, which holds messages to all profiles, is included."""


@dataclass(frozen=True, slots=True)
class Made:
    """A verified new backup, and the old backups that were deleted."""

    path: Path
    size: int
    made_at: datetime
    manifest: Manifest
    removed: tuple[Path, ...]


@dataclass(slots=True)
class _Copying:
    """The state of a backup in progress."""

    writer: Writer
    room: Path
    tell: Progress
    files: dict[str, ArchivedFile] = field(default_factory=dict)
    rows: dict[str, dict[str, int]] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    links: set[str] = field(default_factory=set)


async def make(
    folder: Path,
    sources: Sequence[ProfileFolders],
    *,
    settings: str | None,
    sam: str,
    clock: Clock,
    lock: Path,
    profile: str | None = None,
    tell: Progress = lambda what: None,
) -> Made:
    """Make a backup in `folder`, verify it, and prune old ones. `sources`: the owner first.

    `settings`: the content of `settings.env`, without secrets; None: it has none. `sam`: this
    version. `lock`: taken meanwhile. `profile`: the backup is of that one alone. Raises
    BackupError, VaultGone, StoreError, LockHeld; no older backup is deleted then.
    """
    now = clock()
    async with locked(lock, timeout=PATIENCE):
        with _ours(folder):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _sweep(folder)
            room = folder / f".sam-{secrets.token_hex(6)}"
            room.mkdir(mode=0o700)
        try:
            with _ours(folder):
                made = await _make(room, sources, settings, sam, now, tell)
                path = folder / name_of(now, profile)
                (room / "backup").replace(path)
                files.sync_folder(folder)
                gone = tuple(prune(folder, profile, made=path))
                return Made(path, path.stat().st_size, now, made, gone)
        finally:
            shutil.rmtree(room, ignore_errors=True)


async def _make(
    room: Path,
    sources: Sequence[ProfileFolders],
    settings: str | None,
    sam: str,
    now: datetime,
    tell: Progress,
) -> Manifest:
    """Write `room/backup`, and verify it."""
    spare = room / "backup"
    writer = Writer(spare)
    try:
        copying = _Copying(writer, room, tell)
        for source in sources:
            await _copy_profile(copying, source, is_owners=source is sources[0])
        if settings is not None:
            text = settings.encode()
            copying.files[SETTINGS] = writer.add(
                SETTINGS, io.BytesIO(text), len(text), mode=0o600, mtime=now.timestamp()
            )
        left_out = [f"{name}: {why}" for name, why in copying.left_out.items()]
        manifest = Manifest(
            sam, utc_text(now), copying.files, copying.rows, left_out, sorted(copying.links)
        )
        await _in_thread(writer.finish, manifest)
    finally:
        writer.close()
    tell("reading it again")
    check = room / "check"
    check.mkdir(mode=0o700)
    verified: Manifest = await _in_thread(verify, spare, check)
    return verified


async def _copy_profile(copying: _Copying, source: ProfileFolders, *, is_owners: bool) -> None:
    """Copy a profile's databases, small files and vault.

    An error of another profile prevents neither the owner's backup nor its other half: it is noted
    in `copying.left_out`.
    """
    files, has_vault = DataDir(source.data), True
    try:
        Marker(files.vault_marker).check(source.vault)
    except VaultGone as gone:
        if is_owners:
            raise
        copying.left_out[f"{source.prefix}vault"], has_vault = str(gone), False
    async with locked(files.batch_lock, timeout=PATIENCE):
        try:
            await _in_thread(_databases, copying, source)
        except StoreCorrupt as wrong:
            if is_owners:
                raise
            copying.left_out[f"{source.prefix}data/log.db"] = str(wrong)
        await _in_thread(_small_files, copying, source)
        if has_vault:
            seen = await _in_thread(_walk, copying, source, {})
            async with locked(files.vault_lock, timeout=PATIENCE):
                await _in_thread(_walk, copying, source, seen)


async def _in_thread(work: Callable[..., Any], *given: Any) -> Any:
    """Run `work` in a thread, and wait for it even if cancelled: it uses open locks and files."""
    return await run_to_end(asyncio.to_thread(work, *given))


def _databases(copying: _Copying, source: ProfileFolders) -> None:
    files = DataDir(source.data)
    places = {place.file: place for place in source.places}
    for database in (*([files.inbox] if source.inbox else []), files.log):
        place = places.get(database)
        member = f"{source.prefix}data/{database.name}"
        if not (place.marker if place else database).exists():
            if database == files.log and files.vault_marker.exists():
                copying.left_out[member] = "it is missing, and was there before"
            continue
        copying.tell(f"copying {source.prefix}{database.name}")
        spare = copying.room / database.name
        spare.unlink(missing_ok=True)  # of a damaged one
        if place:
            copy_rows(place, spare)
        else:
            copy(database, spare)
        copying.rows[member] = contents(spare)
        _add(copying, member, spare)
        spare.unlink()


def _small_files(copying: _Copying, source: ProfileFolders) -> None:
    files = DataDir(source.data)
    for file in (files.forgotten, files.tombstone_key):  # everything else can be rebuilt
        if file.exists():
            _add(copying, f"{source.prefix}data/{file.name}", file)


def _walk(copying: _Copying, source: ProfileFolders, seen: dict[str, object]) -> dict[str, object]:
    """Copy the files of the vault whose state differs from `seen`; return the current state of all
    files."""
    found: dict[str, object] = {}
    copying.tell(f"copying {source.vault}")
    for member, entry in _entries(copying, source):
        if entry.is_dir(follow_symlinks=False):
            found[member] = None
            if member not in seen:
                copying.writer.folder(member, stat.S_IMODE(entry.stat().st_mode) | 0o700)
            continue
        try:
            now = entry.stat(follow_symlinks=False)
            stamp = (now.st_size, now.st_mtime_ns, now.st_ctime_ns, now.st_ino)
            if seen.get(member) != stamp:
                copying.left_out.pop(member, None)
                _add(copying, member, Path(entry.path))
            found[member] = stamp
        except FileNotFoundError:
            continue  # gone since the folder was listed
        except OSError as error:
            copying.left_out[member] = error.strerror or str(error)
    for member in seen.keys() - found.keys():
        copying.files.pop(member, None)  # moved or deleted in the meantime
    return found


def _entries(copying: _Copying, source: ProfileFolders) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield the folders and regular files of a vault, even hidden ones, by name in the backup."""
    pending = [(f"{source.prefix}vault", source.vault)]
    while pending:
        member, folder = pending.pop()
        try:
            with os.scandir(folder) as entries:
                inside = sorted(entries, key=lambda entry: entry.name)
        except FileNotFoundError:
            continue
        except OSError as error:
            if folder == source.vault:
                raise
            copying.left_out[member] = error.strerror or str(error)
            continue
        for entry in inside:
            name = f"{member}/{entry.name}"
            if _SKIPPED.fullmatch(entry.name):
                continue
            if entry.is_dir(follow_symlinks=False):
                pending.append((name, Path(entry.path)))
                yield name, entry
            elif entry.is_file(follow_symlinks=False):
                yield name, entry
            else:
                copying.links.add(name)


def _add(copying: _Copying, member: str, path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as stream:
        now = os.fstat(descriptor)
        copying.files[member] = copying.writer.add(
            member, stream, now.st_size, mode=stat.S_IMODE(now.st_mode), mtime=now.st_mtime
        )


@contextmanager
def _ours(folder: Path) -> Iterator[None]:
    """Translate OS errors on the backup folder into BackupError."""
    try:
        yield
    except (FileExistsError, NotADirectoryError):
        raise BackupError(
            f"No backup was made: {folder} is a file, or below one. Give a folder:"
            " `sam backup FOLDER`, or BACKUP_DIR."
        ) from None
    except OSError as error:
        raise BackupError(
            f"No backup was made in {folder} ({error.strerror or error}): make room, or name"
            " another folder (BACKUP_DIR). The older ones are untouched."
        ) from error


def _sweep(folder: Path) -> None:
    """Remove the leftovers of a killed backup."""
    for left in folder.glob(".sam-*"):
        if re.fullmatch(r"\.sam-[0-9a-f]{12}", left.name):
            shutil.rmtree(left, ignore_errors=True)
