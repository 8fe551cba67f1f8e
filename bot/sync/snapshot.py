"""Snapshots of the two sides of a sync, by name. Read-only."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from memory import Vault, VaultError
from memory.infra import atomic_files
from memory.vault import paths, starter

from .remote import Remote, RemoteFile, is_carried, is_misnamed, is_synced, unquoted
from .state import State

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Side:
    """The files of one side: their hashes and real paths, by key.

    `key` is `State.key`. `unclear`: keys that are skipped in this sync. `uncarried`: paths that
    rclone or the vault cannot have, printable, which are in none of the other fields; those that
    the remote refuses to give; and files of one key: these two kinds are unclear.
    """

    key: Callable[[str], str]
    hashes: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    unclear: set[str] = field(default_factory=set)
    uncarried: set[str] = field(default_factory=set)

    def add(self, name: str, hash: str) -> None:
        """Add a file; two files of one key make it unclear."""
        key = self.key(name)
        if key in self.names:
            log.warning("two files of one name path=%s", ascii(name))
            self.unclear.add(key)
            self.uncarried |= {self.names[key], name}
        self.hashes[key] = hash
        self.names[key] = name


async def find_case(vault: Vault, remote: Remote, state: State) -> None:
    """Find out whether both sides keep case, unless that is known. Raises SyncError, VaultError.

    It stays unknown until each side has a file whose name shows it.
    """
    if state.keeps_case is not None:
        return
    listed = await remote.list()
    keeps = await remote.keeps_case(listed)
    here = await asyncio.to_thread(_keeps_case, vault)
    if keeps is False or here is False:
        state.find_case(False)
    elif keeps and here:
        state.find_case(True)


def _keeps_case(vault: Vault) -> bool | None:
    found = {file.path for file in vault.files()}
    for path in found:
        if (other := paths.swap_case(path)) != path:
            return other in found or not os.path.lexists(vault.root / other)
    return None


def snapshot_vault(vault: Vault, state: State) -> Side:
    """Return a snapshot of the vault; runs in a thread. Only files that changed since the state's
    stamps are read. Raises VaultError."""
    side = Side(state.key)
    misnamed = set[str]()
    found = (file for file in vault.files(misnamed) if is_synced(file.path, vault.sam_dir))
    for path, hash in state.hashes(vault, found).items():
        if is_carried(path):
            side.add(path, hash)
        else:
            side.uncarried.add(path)
    side.uncarried |= _misnamed(misnamed, vault.sam_dir)
    return side


def _misnamed(found: Iterable[str], sam_dir: str) -> set[str]:
    return {paths.printable(path) for path in found if is_misnamed(path, sam_dir)}


@dataclass(slots=True)
class RemoteSnapshot:
    """The remote's files: the list, by key, and those that were fetched, in `fetched`.

    `at`: this machine's time before the list, in seconds.
    """

    side: Side
    listed: dict[str, RemoteFile]
    fetched: Path
    at: float


async def snapshot_remote(
    remote: Remote,
    state: State,
    names: Collection[str] | None,
    sam_dir: str,
    doubted: Collection[str] = (),
) -> RemoteSnapshot:
    """List the remote (or only these names), and fetch files that differ from the last synced
    state.

    `doubted` keys are always fetched.
    """
    key, wanted = state.key, None if names is None else set(map(state.key, names))
    # A list of names would miss what the remote spells in another case.
    found = await remote.list(names if state.keeps_case else None)
    there = [
        file
        for file in found
        if is_synced(file.path, sam_dir) and (wanted is None or key(file.path) in wanted)
    ]
    listed = [file for file in there if is_carried(file.path)]
    sure = {file.path for file in listed if _agreed(state, file) and key(file.path) not in doubted}
    at = time.time()
    fetched, refused = await remote.fetch_readable(
        file.path for file in listed if file.path not in sure
    )
    odd = {unquoted(file.path) for file in there if not is_carried(file.path)} | refused
    odd |= _misnamed((file.path for file in found), sam_dir)
    side, shown = Side(key, uncarried=odd), {}
    for file in listed:
        known = state.files.get(key(file.path))
        if known is not None and file.path in sure:
            hash: str | None = known.hash
        else:
            hash = atomic_files.file_hash(fetched / file.path)
        side.add(file.path, hash or "")
        if hash is None:
            side.unclear.add(key(file.path))  # deleted or replaced since the list, or refused
        shown[key(file.path)] = file
    return RemoteSnapshot(side, shown, fetched, at)


def starter_texts(vault: Vault, side: Side, keys: Collection[str]) -> dict[str, bytes]:
    """Return the starter vault's texts of those keys, the base of two sides that began with it."""
    try:
        origin = starter.source()
    except VaultError:
        return {}
    found = {}
    for file in origin.rglob("*") if keys else ():
        name = side.key(paths.join(vault.sam_dir, file.relative_to(origin).as_posix()))
        if name in keys and file.is_file():
            found[name] = file.read_bytes()
    return found


def _agreed(state: State, file: RemoteFile) -> bool:
    known = state.files.get(state.key(file.path))
    return known is not None and known.seen == file.shown
