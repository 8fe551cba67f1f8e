"""Restore a backup into empty folders. The caller must have asked the owner.

    verify → write marker → unpack beside the target → move file by file → join → remove marker

The marker (`restoring` in the data folder) prevents Sam from starting in between. After a crash at
any point the same restore can be repeated with the same result. `join` is a step of the caller's,
and may run twice.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tarfile import TarInfo
from typing import IO

from ..errors import RestoreRefused
from ..infra import atomic_files
from ..profile import OWNER, DataDir
from ..vault.marker import interrupted_restore
from .archive import SETTINGS, ArchivedFile, Manifest, copied, members, reading, verify

LOG, INBOX = "data/log.db", "data/inbox.db"
_OF_LOG = ("", "-journal", "-shm", "-wal")  # the files that SQLite treats as parts of log.db
ROOM = ".sam-restore"  # inside each target, so on the same file system; hidden from scans
_NOT_USED = (".lock", ".log")  # suffixes of files in a data folder that hold no data
_NOTE = re.compile(
    r"(profiles/[^/]+/)?vault/"
)  # keeps its mode; everything else is readable only by its owner


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a restore: a verified backup, and the targets of its parts."""

    archive: Path
    manifest: Manifest
    folders: Mapping[str, Path]
    """The target folders of `vault`, `data` and, without `profile`, `profiles`."""
    log_alone: bool = False
    """Whether to restore only log.db, and keep everything else."""
    profile: str | None = None
    """The profile to restore, alone; None: everything."""

    def target_name(self, member: str) -> str | None:
        """Return under which name a member of the backup is restored: `vault/…` for a single
        profile's `profiles/NAME/vault/…`. None if it is left out."""
        if self.profile is None:
            return member
        name = member.removeprefix(prefix := self.prefix)
        if not member.startswith(prefix) or name == INBOX:
            return None
        return name if name.partition("/")[0] in ("vault", "data") else None

    @property
    def prefix(self) -> str:
        """Where the profile lies in the backup; "" for everything."""
        return "" if self.profile in (None, OWNER) else f"profiles/{self.profile}/"

    @property
    def files(self) -> dict[str, ArchivedFile]:
        """The files to restore, by the names under which they are restored."""
        listed = ((self.target_name(name), entry) for name, entry in self.manifest.files.items())
        found = {name: entry for name, entry in listed if name is not None}
        return {LOG: found[LOG]} if self.log_alone else found

    @property
    def size(self) -> int:
        """The size of the files to restore, in bytes."""
        return sum(entry.size for entry in self.files.values())

    @property
    def rows(self) -> dict[str, dict[str, int]]:
        """The row counts of the databases to restore."""
        listed = ((self.target_name(name), rows) for name, rows in self.manifest.rows.items())
        return {name: rows for name, rows in listed if name is not None}

    @property
    def left_out(self) -> list[str]:
        """What the backup lacks, of what is to be restored."""
        found = self.manifest.left_out
        return [line for line in found if self.target_name(f"{line.split(': ')[0]}/") is not None]

    @property
    def command(self) -> str:
        """The shell command that runs or repeats this restore."""
        words = ["sam", "restore", str(self.archive.absolute())]
        words += ["--profile", self.profile] if self.profile is not None else []
        return shlex.join([*words, "--only-log"] if self.log_alone else words)

    def place(self, name: str, *, inside: str = "") -> Path:
        """Return the target path of a file; `inside`: a subfolder of its target folder."""
        if name == SETTINGS:
            name = f"data/{SETTINGS}"
        top, _, rest = name.partition("/")
        return self.folders[top] / inside / rest

    @property
    def profiles(self) -> tuple[str, ...]:
        """The names of the profiles to restore besides the owner's."""
        return _profiles(self.manifest) if self.profile is None else ()


def _profiles(manifest: Manifest) -> tuple[str, ...]:
    """Return the names of the profiles in the backup besides the owner's."""
    names = (name.split("/")[1] for name in manifest.files if name.startswith("profiles/"))
    return tuple(dict.fromkeys(names))


def plan(
    archive: Path,
    folders: Mapping[str, Path],
    *,
    log_alone: bool = False,
    profile: str | None = None,
) -> Plan:
    """Verify the backup. `check_targets` says whether it can be restored to these folders.

    Raises BackupDamaged, RestoreRefused, OSError. Writes only to the system's temporary folder, and
    cleans up.
    """
    with tempfile.TemporaryDirectory(prefix="sam-restore-") as room:
        manifest = verify(archive, Path(room))
    _check_profile(archive, manifest, profile)
    made = Plan(archive, manifest, folders, log_alone, profile)
    if log_alone and not any(made.target_name(name) == LOG for name in manifest.files):
        raise RestoreRefused(f"{archive.name} has no log.db of {profile or 'yours'}.")
    return made


def check_targets(made: Plan) -> None:
    """Raise RestoreRefused if a target folder is in use, or has too little room."""
    again, places = _is_mine(made), _places(made)
    used = {folder: name for top, folder in places if (name := _used(made, top, folder))}
    if used and not again:
        away = [folder / name if made.log_alone else folder for folder, name in used.items()]
        named = ", ".join(f"{folder} is in use ({name})" for folder, name in used.items())
        moves = " && ".join(shlex.join(["mv", str(each), f"{each}.old"]) for each in away)
        with_it = "; backups in the data folder go along" if made.folders["data"] in away else ""
        raise RestoreRefused(
            f"{named}: a backup is put where nothing is. Move {'them' if away[1:] else 'it'} away"
            f" first ({moves}{with_it}), or restore somewhere else with --to."
        )
    for _, folder in places:
        free, needed = shutil.disk_usage(atomic_files.nearest_existing(folder)).free, made.size
        if free < needed:
            raise RestoreRefused(
                f"{folder} has too little room: {needed / 1e6:.0f} MB are needed,"
                f" {free / 1e6:.0f} MB are free."
            )


def _check_profile(archive: Path, manifest: Manifest, profile: str | None) -> None:
    """Raise RestoreRefused if the profile is not in the backup, or has to be named."""
    others = _profiles(manifest)
    whole = SETTINGS in manifest.files
    owners = any(name.startswith(("vault/", "data/")) for name in manifest.files)
    there = [*([OWNER] if owners else []), *others]
    if profile is not None and profile not in there:
        raise RestoreRefused(
            f"{archive.name} has nothing of the profile {profile}: it has {', '.join(there)}."
        )
    if profile is None and not whole and len(there) == 1:
        raise RestoreRefused(
            f"{archive.name} is a backup of the profile {there[0]} alone: add --profile {there[0]}."
        )


def restore(made: Plan, join: Callable[[], None]) -> None:
    """Restore the plan's files, after `check_targets`. Can be repeated after an OSError.

    `join`: the step that reconciles the restored files before Sam may start. Raises RestoreRefused,
    BackupDamaged, OSError.
    """
    data = made.folders["data"]
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not interrupted_restore(data).get("moved"):
        _put(made)
    join()
    DataDir(data).restoring.unlink()
    atomic_files.sync_folder(data)


def _put(made: Plan) -> None:
    mark, says = DataDir(made.folders["data"]).restoring, _mark(made)
    atomic_files.write(mark, json.dumps(says).encode())
    rooms = [folder / ROOM for folder in made.folders.values()]
    for room in rooms:
        shutil.rmtree(room, ignore_errors=True)
    if not made.log_alone:
        atomic_files.sweep(made.folders["data"])  # an incomplete marker
    _unpack(made)
    for name, entry in made.files.items():
        _move_in(made, name, entry)
    for room in rooms:
        shutil.rmtree(room, ignore_errors=True)
    for folder in {made.place(name).parent for name in made.files}:
        atomic_files.sync_folder(folder)
    # `join` changes files, so they must not be restored a second time.
    atomic_files.write(mark, json.dumps(says | {"moved": "all"}).encode())


def _unpack(made: Plan) -> None:
    files = made.files
    with reading(made.archive):
        for info, stream in members(made.archive):
            name = made.target_name(info.name)
            if name is None:
                continue
            if stream is not None and name in files:
                _write(made.place(name, inside=ROOM), info, stream)
            elif stream is None and not made.log_alone:
                made.place(name).mkdir(mode=0o700, parents=True, exist_ok=True)


def _write(target: Path, info: TarInfo, stream: IO[bytes]) -> None:
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileNotFoundError):
        target.unlink()  # the name occurs twice: the last one counts
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(target, flags, 0o600), "wb") as out:
        copied(stream, out)
        out.flush()
        os.fchmod(out.fileno(), info.mode & 0o777 | 0o600 if _NOTE.match(info.name) else 0o600)
        os.utime(out.fileno(), (info.mtime, info.mtime))
        os.fsync(out.fileno())


def _move_in(made: Plan, name: str, entry: ArchivedFile) -> None:
    source, target = made.place(name, inside=ROOM), made.place(name)
    if os.path.lexists(target) and atomic_files.file_hash(target) != entry.sha256:
        raise RestoreRefused(f"{target} came there meanwhile: move it away, and restore again.")
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    source.replace(target)


def _mark(made: Plan) -> dict[str, str]:
    listed = json.dumps([(name, entry.sha256) for name, entry in made.files.items()])
    return {
        "file": str(made.archive),
        "id": hashlib.sha256(listed.encode()).hexdigest(),
        "again": made.command,
    }


def _is_mine(made: Plan) -> bool:
    """Return whether this same restore was interrupted here. Raises RestoreRefused if another one
    was."""
    mark = interrupted_restore(made.folders["data"])
    if mark and mark.get("id") != _mark(made)["id"]:
        raise RestoreRefused(
            f"The restore of {mark.get('file')} was interrupted here: run that one again"
            f" (`{mark.get('again')}`), or move away what it has put there."
        )
    return bool(mark)


def _places(made: Plan) -> list[tuple[str, Path]]:
    """Return the folders that must be empty, each with its part of the backup."""
    found = [("data", made.folders["data"])]
    if made.log_alone:
        return found
    found.append(("vault", made.folders["vault"]))
    return found + [("profile", made.folders["profiles"] / name) for name in made.profiles]


def _used(made: Plan, top: str, folder: Path) -> str:
    """Return the name of a file that prevents the restore; '' if there is none.

    A data folder may contain locks, log files and backups.
    """
    if made.log_alone:
        log = DataDir(folder).log
        there = [log.with_name(log.name + part) for part in _OF_LOG]
        there.append(log.with_suffix(".postgres"))  # stands for a log in PostgreSQL
        return next((path.name for path in there if os.path.lexists(path)), "")
    try:
        inside = sorted(folder.iterdir())
    except FileNotFoundError:
        return ""
    except NotADirectoryError:
        return "a file"
    for path in inside:
        if path.name in (ROOM, "lost+found") or atomic_files.LEFTOVER.fullmatch(path.name):
            continue
        if top == "data" and (
            path == DataDir(folder).backups
            or path.name.endswith(_NOT_USED)
            or path in made.archive.absolute().parents
        ):
            continue
        return path.name
    return ""
