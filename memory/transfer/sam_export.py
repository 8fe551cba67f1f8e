"""Import a Sam export into a new, empty installation.

    verify every hash → plan the copy of the vault → fill the log → copy the vault → index

The log comes before the vault, since it may refuse a row: then nothing is changed. It can be killed
and repeated: a log with the same messages, and files that are there, unchanged, are left as they
are.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import TransferRefused
from ..infra import atomic_files
from ..infra.clock import system_clock
from ..infra.failpoints import failpoint
from ..infra.file_locks import run_to_end
from ..log import open_log
from ..profile import OWNER, Profile, profile_of
from ..vault.marker import Marker
from ..vault.starter import source as starter_source
from .export.exporting import AT_TOP
from .export.manifest import ExportedFile, ExportManifest, read_manifest

if TYPE_CHECKING:
    from ..config import MemorySettings

_VAULT = "vault/"
_LONGEST_LINE = 20_000_000  # characters; a message is at most a million


async def import_export(settings: MemorySettings, folder: Path, profile: str = OWNER) -> None:
    """Import the export in that folder into a profile. Callers own `run.lock`.

    Raises TransferRefused if the export is damaged, or if there are conversations or notes already;
    nothing is changed then.
    """
    from ..core import Memory

    who = profile_of(settings, profile)
    manifest = await asyncio.to_thread(read_manifest, folder)
    plan = await asyncio.to_thread(_plan, manifest, who.vault)
    await _fill_log(who, folder)
    failpoint("in_import")
    # The caller releases `run.lock`, and may delete the folder, as soon as this is cancelled.
    await run_to_end(asyncio.to_thread(_copy_vault, folder, plan, who.vault))
    failpoint("after_import")
    async with Memory.open(settings, profile=profile, sole=True) as memory:
        await memory.reconcile()


async def _fill_log(who: Profile, folder: Path) -> None:
    who.files.create()
    used = Marker(who.files.vault_marker).note_count() > 0
    log = await open_log(who, system_clock, used=used)
    try:
        await log.fill(lambda name: _rows(folder, name))
    finally:
        await log.close()


@dataclass(frozen=True, slots=True)
class _CopyPlan:
    """What to copy to a vault, by path there, and the hashes of what it has. `fresh`: unchanged
    files of the starter vault."""

    wanted: Mapping[str, ExportedFile]
    there: Mapping[str, str]
    fresh: Set[str]


def _plan(manifest: ExportManifest, root: Path) -> _CopyPlan:
    """Plan the copy to a folder that is missing, or has no notes of the owner's."""
    wanted = {
        file.path.removeprefix(_VAULT): file
        for file in manifest.files
        if file.path.startswith(_VAULT)
    }
    starter = starter_source()
    there = {path: atomic_files.sha256(root / path) for path in _files(root)}
    fresh = {path for path, hash_ in there.items() if _is_starters(starter / path, hash_)}
    own = sorted(
        path
        for path, hash_ in there.items()
        if path not in fresh and (path not in wanted or wanted[path].sha256 != hash_)
    )
    if own:
        raise TransferRefused(
            f"The vault {root} has notes of its own ({own[0]!r}): an export goes into an empty one."
            " Nothing was imported."
        )
    return _CopyPlan(wanted, there, fresh)


def _copy_vault(folder: Path, plan: _CopyPlan, root: Path) -> None:
    with atomic_files.translate_errors(str(root), "written"):
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path, file in plan.wanted.items():
            if plan.there.get(path) != file.sha256:
                before = atomic_files.file_hash(root / path) if path in plan.there else None
                with atomic_files.pinned(root, path, make=True) as target:
                    atomic_files.replace(target, folder / _VAULT / path, expected=before)
                    os.utime(target, ns=(file.modified, file.modified))
        for path in plan.fresh - plan.wanted.keys():
            (root / path).unlink()


def _files(root: Path) -> Iterator[str]:
    for place, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in (".trash", ".cache")]
        for name in names:
            if not name.startswith(".sam-") and not (Path(place) / name).is_symlink():
                yield (Path(place) / name).relative_to(root).as_posix()


def _is_starters(file: Path, hash_: str) -> bool:
    return file.is_file() and atomic_files.sha256(file) == hash_


def _rows(folder: Path, name: str) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of one list; nothing if the export does not have it."""
    file = (folder if name in AT_TOP else folder / "log") / f"{name}.jsonl"
    if not file.is_file():
        return
    with file.open(encoding="utf-8") as stream:
        number = 0
        while line := stream.readline(_LONGEST_LINE):
            number += 1
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                row = None
            if not isinstance(row, dict):
                raise TransferRefused(f"{file.name}, line {number}, is damaged.")
            yield row
