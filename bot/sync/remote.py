"""The other side: lists, fetches, sends and retires files through rclone. Decides nothing.

It never deletes: what goes is moved. Files travel by explicit lists, from and to folders that only
we use, so that no filter of rclone decides what is there.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, TypeAdapter, ValidationError

from memory.vault import paths

from ..errors import RemoteFailed
from .rclone import NO_FOLDER, Rclone, shown

_HIDDEN = ("--filter=- .*", "--filter=- .*/**", "--filter=- /sealed/**", "--filter=- *.partial")
_LOOK, _CARRY = 300.0, 3600.0  # seconds for a list, and for a transfer; rclone watches for stalls
_YOUNG = 26 * 3600.0  # seconds; more than any two clocks and zones are apart by mistake


class _Row(BaseModel):
    Path: str
    Size: int
    ModTime: str


_Rows = TypeAdapter(list[_Row])


@dataclass(frozen=True, slots=True)
class Listed:
    """A file on the remote. `shown` is its size and time, by which a change is noticed.

    Where it is `young`, one look is not enough for that: it may change again within one tick of
    the remote's clock, which need not be ours.
    """

    path: str
    size: int
    shown: str
    young: bool


class Remote:
    """One folder of a remote, as rclone names it, and a folder here for what is under way."""

    def __init__(self, name: str, rclone: Rclone, staging: Path) -> None:
        self._name = name
        self._rclone = rclone
        self._staging = staging

    async def list(self, only: Collection[str] | None = None) -> list[Listed]:
        """The files there (of these names), but what never travels; none if the folder is new.

        RemoteFailed, also when the list is not complete.
        """
        if only is not None and not only:
            return []
        which = _HIDDEN if only is None else (self._names("look", only),)
        code, out = await self._rclone.run(
            "lsjson",
            "--recursive",
            "--files-only",
            "--no-mimetype",
            "--fast-list",
            *which,
            self._name,
            timeout=_LOOK,
            allow=NO_FOLDER,
        )
        try:
            rows = _Rows.validate_json(out if code == 0 else out.rstrip().rstrip(",") + "]")
        except ValidationError as error:
            raise RemoteFailed(f"rclone's list of {shown(self._name)} makes no sense.") from error
        if code == NO_FOLDER and rows:
            raise RemoteFailed(f"{shown(self._name)} changed while it was listed: try again.")
        now = time.time()  # the file systems' time, not Sam's
        # without a size: a document of Google's own kind, which is no file
        return [_listed(row, now) for row in rows if row.Size >= 0]

    async def fetch(self, names: Iterable[str], *, again: bool = False) -> Path:
        """Copy files here, into an empty folder; a file that is gone by now is not in it.

        `again`: into another folder, beside what was fetched before.
        """
        into = self._empty("last" if again else "in")
        if wanted := list(names):
            await self._rclone.run(
                "copy",
                self._names("fetch", wanted),
                "--no-traverse",
                "--ignore-times",
                self._name,
                str(into),
                timeout=_CARRY,
            )
        return into

    async def send(self, folder: Path, *, fresh: bool) -> None:
        """Copy all files of a folder there, over what is there; not so those that are `fresh`."""
        how = "--ignore-existing" if fresh else "--ignore-times"
        await self._rclone.run(
            "copy", "--no-traverse", how, str(folder), self._name, timeout=_CARRY
        )

    async def retire(self, names: Iterable[str], into: str) -> None:
        """Move files to a new folder of the remote."""
        await self._move(names, self._join(into))

    async def delete(self, names: Iterable[str]) -> None:
        """Delete files of the remote; where it has a bin of its own, they are there."""
        if wanted := list(names):
            await self._rclone.run(
                "delete", self._names("delete", wanted), self._name, timeout=_CARRY
            )

    async def bring_home(self, names: Iterable[str], into: Path) -> None:
        """Move files off the remote, to a new folder of this machine."""
        await self._move(names, str(into))

    def outgoing(self) -> Path:
        """An empty folder for what is to be sent."""
        return self._empty("out")

    def scratch(self) -> Path:
        """An empty folder for what is being put together."""
        return self._empty("merge")

    def sweep(self) -> None:
        """Remove what an earlier sync left under way."""
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


def travels(path: str, sam_dir: str) -> bool:
    """Whether a file of that path is synced at all: not what is hidden, sealed or half there."""
    return paths.valid(path) and not paths.sealed(path, sam_dir) and not path.endswith(".partial")


def _listed(row: _Row, now: float) -> Listed:
    try:
        changed = datetime.fromisoformat(row.ModTime).timestamp()
    except ValueError:
        return Listed(row.Path, row.Size, f"{row.Size}", True)
    return Listed(row.Path, row.Size, f"{row.Size} {changed:.6f}", now - changed < _YOUNG)
