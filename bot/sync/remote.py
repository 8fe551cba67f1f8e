"""The remote: list, fetch, send and retire files through rclone.

Removed files are moved, not deleted. Files are transferred by explicit lists, from and to folders
that only we use, so that rclone's filters have no influence.
"""

from __future__ import annotations

import json
import logging
import re
import shutil
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from memory.vault import paths

from ..errors import RemoteFailed
from .rclone import NO_FOLDER, Rclone, display_name

log = logging.getLogger(__name__)

MOST_REFUSED = 10  # files; a remote that refuses more is full, or cannot be used at all
_HIDDEN = ("--filter=- .*", "--filter=- .*/**", "--filter=- /sealed/**", "--filter=- *.partial")
_LOOK, _CARRY = 300.0, 3600.0  # seconds for a list, and a transfer; rclone itself detects stalls
_BATCH = 200  # files that are fetched at once: a whole vault may take longer than _CARRY
_YOUNG = 26 * 3600.0  # seconds; more than any error of clocks and time zones


_ASIDE = ".sam-replaced"
_QUOTED = re.compile("[\u201b\u2401-\u241f\u2421]")
"""Characters that rclone quotes: it reads a file of such a name under another one."""
_NAME = re.compile(r"(:?[\w.+@ -]+)[:,]")
_DUMP_SECONDS = 20.0
_DEEPEST = 10  # nesting depth of remotes
_PLAIN = frozenset({"webdav", "sftp", "ftp", "smb", "s3"})
_VERSIONED = ("nextcloud", "owncloud", "infinitescale", "sharepoint")  # of the WebDAV servers


class _Row(BaseModel):
    Path: str
    Size: int
    ModTime: str


_Rows = TypeAdapter(list[_Row])


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file on the remote. `shown`: its size and time, by which changes are detected.

    A `young` file may change again within one tick of the remote's clock, so one list is not
    enough.
    """

    path: str
    size: int
    shown: str
    young: bool


class Remote:
    """One folder of a remote, as rclone names it, and a local folder for files in transfer."""

    def __init__(self, name: str, rclone: Rclone, staging: Path) -> None:
        self._name = name
        self._rclone = rclone
        self._staging = staging
        self._plain: bool | None = None

    async def list(self, only: Collection[str] | None = None) -> list[RemoteFile]:
        """List the files (or only these names) that are synced; empty if the folder is new.

        Raises RemoteFailed, also for an incomplete list.
        """
        if only is not None and not only:
            return []
        which = _HIDDEN if only is None else (self._names("look", only),)
        code, out = await self._rclone.run(
            *("lsjson", "--recursive", "--files-only", "--no-mimetype", "--fast-list"),
            *(*which, self._name),
            timeout=_LOOK,
            allow=NO_FOLDER,
        )
        try:
            rows = _Rows.validate_json(out if code == 0 else out.rstrip().rstrip(",") + "]")
        except ValidationError as error:
            raise RemoteFailed(
                f"rclone's listing of {display_name(self._name)} cannot be parsed."
            ) from error
        if code == NO_FOLDER and rows:
            raise RemoteFailed(
                f"{display_name(self._name)} changed while it was being listed: try again."
            )
        now = time.time()  # the system's time, not Sam's clock
        # without a size: a Google document, which is not a file
        return [_listed(row, now) for row in rows if row.Size >= 0]

    async def keeps_case(self, listed: Collection[RemoteFile]) -> bool | None:
        """Return whether names that differ only in case are different files there: whether a listed
        file cannot be fetched by its name in the other case. None if no name has letters."""
        there = {file.path for file in listed}
        for file in sorted(listed, key=lambda file: file.size):
            other = paths.swap_case(file.path)
            if other != file.path:
                fetched = await self.fetch([other], again=True)
                return other in there or not (fetched / other).exists()
        return None

    async def folders(self) -> set[str]:
        """Return the folders, those without files too."""
        _, out = await self._rclone.run(
            *("lsf", "--recursive", "--dirs-only", "--fast-list", *_HIDDEN, self._name),
            timeout=_LOOK,
        )
        return {row.removesuffix("/") for row in out.splitlines()}

    async def fetch(self, names: Iterable[str], *, again: bool = False) -> Path:
        """Copy files into an empty local folder; files deleted in the meantime are missing.

        `again`: into another folder, next to the earlier ones.
        """
        into = self._empty("last" if again else "in")
        for batch in _batches(names):
            await self._fetch(batch, into)
        return into

    async def fetch_readable(self, names: Iterable[str]) -> tuple[Path, set[str]]:
        """Do what `fetch` does, without files that the remote has and does not give; return these
        too. Raises RemoteFailed if they are many, or if the remote does not answer."""
        into = self._empty("in")
        refused: set[str] = set()
        for batch in _batches(names):
            try:
                await self._fetch(batch, into)
            except RemoteFailed as failed:  # rclone goes on after an error: the rest has arrived
                there = await self.list([name for name in batch if not (into / name).exists()])
                refused |= {file.path for file in there}
                log.warning("the remote refused paths=%s error=%s", ascii(sorted(refused)), failed)
                if not there or len(refused) > MOST_REFUSED:
                    raise
        return into, refused

    async def _fetch(self, names: Collection[str], into: Path) -> None:
        how = (self._names("fetch", names), "--no-traverse", "--ignore-times")
        await self._rclone.run("copy", *how, self._name, str(into), timeout=_CARRY)

    async def send(self, folder: Path, *, fresh: bool, aside: bool = False) -> None:
        """Copy all files of a folder to the remote. `fresh`: they must not replace existing files.

        `aside`: rclone first moves the files that it replaces into a hidden folder of the remote,
        in their state at that moment, which may differ from the last check.
        """
        how = ["--ignore-existing" if fresh else "--ignore-times"]
        if aside:
            how += [f"--backup-dir={self._join(_ASIDE)}", f"--filter=- /{_ASIDE}/**"]
        await self._rclone.run(
            "copy", "--no-traverse", *how, str(folder), self._name, timeout=_CARRY
        )

    async def fetch_aside(self, into: Path) -> None:
        """Move what `send` put aside into a local folder, and delete that of the remote."""
        moved = ("--delete-empty-src-dirs", self._join(_ASIDE), str(into))
        await self._rclone.run("move", *moved, timeout=_CARRY, allow=NO_FOLDER)

    async def is_plain(self) -> bool:
        """Return whether the remote keeps no versions of overwritten files, and identifies files
        only by name. False if this is unknown."""
        if self._plain is None:
            self._plain = await self._find_plain()
        return self._plain

    async def _find_plain(self) -> bool:
        head, _, rest = self._name.partition(":")
        if head:
            name, _, options = head.partition(",")
            if (not rest and ":" not in self._name) or "/" in name:
                return False  # a folder of this machine, perhaps of another program's
            _, text = await self._rclone.run("config", "redacted", name, timeout=_LOOK)
            found = dict(re.findall(r"^(\w+) = (.*)$", text, re.M))
            kind, options = found.get("type", ""), f"vendor={found.get('vendor', '')},{options}"
        else:  # `:webdav,vendor=nextcloud,url=…:folder`
            kind, _, options = rest.partition(",")
            kind = kind.partition(":")[0]
        return kind in _PLAIN and not any(f"vendor={name}" in options for name in _VERSIONED)

    async def retire(self, names: Iterable[str], into: str) -> None:
        """Move files to a new folder of the remote."""
        await self._move(names, self._join(into))

    async def empty_folder(self, path: str) -> bool:
        """Delete a remote folder without any file, even a hidden one; return whether it is gone."""
        folder = self._join(path)
        await self._rclone.run("rmdirs", folder, timeout=_LOOK, allow=NO_FOLDER)
        _, left = await self._rclone.run("lsf", folder, timeout=_LOOK, allow=NO_FOLDER)
        return not left.strip()

    async def delete(self, names: Iterable[str]) -> None:
        """Delete files of the remote; some remotes move them to a trash."""
        if wanted := list(names):
            await self._rclone.run(
                "delete", self._names("delete", wanted), self._name, timeout=_CARRY
            )

    async def move_here(self, names: Iterable[str], into: Path) -> None:
        """Move files from the remote to a new local folder."""
        await self._move(names, str(into))

    def outgoing(self) -> Path:
        """Return an empty folder for files to send."""
        return self._empty("out")

    def scratch(self) -> Path:
        """Return an empty folder for merging."""
        return self._empty("merge")

    def sweep(self) -> None:
        """Remove the leftovers of an earlier sync."""
        shutil.rmtree(self._staging, ignore_errors=True)

    async def _move(self, names: Iterable[str], to: str) -> None:
        if wanted := list(names):
            await self._rclone.run(
                "move", self._names("move", wanted), self._name, to, timeout=_CARRY
            )

    def _names(self, what: str, names: Iterable[str]) -> str:
        self._staging.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = self._staging / f"{what}.txt"
        file.write_text("".join(f"{name}\n" for name in names), "utf-8")
        return f"--files-from-raw={file}"

    def _empty(self, name: str) -> Path:
        folder = self._staging / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700, parents=True)
        return folder

    def _join(self, folder: str) -> str:
        bare = self._name.endswith((":", "/"))
        return self._name + folder if bare else f"{self._name}/{folder}"


def _batches(names: Iterable[str]) -> Iterator[list[str]]:
    wanted = list(names)
    for start in range(0, len(wanted), _BATCH):
        yield wanted[start : start + _BATCH]


def is_synced(path: str, sam_dir: str) -> bool:
    """Return whether a file of that path is synced: not hidden, sealed or temporary files."""
    return paths.valid(path) and not paths.sealed(path, sam_dir) and not path.endswith(".partial")


def is_misnamed(path: str, sam_dir: str) -> bool:
    """Return whether only its name keeps a file of that path from being synced."""
    is_hidden = any(part.startswith(".") for part in path.split("/"))
    private = is_hidden or paths.sealed(path, sam_dir) or path.endswith(".partial")
    return not (private or paths.valid(path))


def is_carried(path: str) -> bool:
    """Return whether rclone leaves the path as it is."""
    return not _QUOTED.search(path)


def unquoted(path: str) -> str:
    """Return a listed path as it is on the remote."""
    return re.sub("\u201b(.)", r"\1", path)


def _listed(row: _Row, now: float) -> RemoteFile:
    try:
        changed = datetime.fromisoformat(row.ModTime).timestamp()
    except ValueError:
        return RemoteFile(row.Path, row.Size, f"{row.Size}", True)
    return RemoteFile(row.Path, row.Size, f"{row.Size} {changed:.6f}", now - changed < _YOUNG)


async def is_encrypted(remote: str, lock: Path) -> bool | None:
    """Return whether rclone encrypts what goes to `remote`; None for a folder of this machine.

    `lock`: that of the rclone at work. Raises SyncError. rclone's configuration has passwords in
    it: nothing of it is kept.
    """
    if remote.startswith((".", "/", "~")) or not _NAME.match(remote):
        return None
    _, said = await Rclone(lock).run("config", "dump", timeout=_DUMP_SECONDS)
    try:
        known = json.loads(said or "{}")
    except json.JSONDecodeError as wrong:
        raise RemoteFailed("rclone does not describe its remote types.") from wrong
    return _leads_to_crypt(remote, known if isinstance(known, dict) else {})


def _leads_to_crypt(remote: str, known: dict[str, Any]) -> bool:
    for _ in range(_DEEPEST):
        found = _NAME.match(remote)
        if not found:
            return False
        name = found[1]
        if name.startswith(":"):  # created on the fly: its name is its type
            return name == ":crypt"
        section = known.get(name)
        if not isinstance(section, dict):
            raise RemoteFailed(f"rclone's configuration has no remote {name}.")
        if section.get("type") == "crypt":
            return True
        remote = str(section.get("remote") or "")
    return False
