"""Snapshots of the two sides of a sync, by name. Read-only."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from memory import Vault, VaultError
from memory.infra import atomic_files
from memory.vault import paths, starter

from .remote import Remote, RemoteFile, is_carried, is_synced, unquoted
from .state import State

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Side:
    """The files of one side: their hashes and real paths, by key.

    A key is the path in Unicode's composed form, since macOS uses another form than other systems.
    `unclear`: keys that are skipped in this sync. `uncarried`: paths that rclone cannot carry,
    which are in none of the other fields; those that the remote refuses to give; and files of one
    key: these two kinds are unclear.
    """

    hashes: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    unclear: set[str] = field(default_factory=set)
    uncarried: set[str] = field(default_factory=set)

    def add(self, name: str, hash: str) -> None:
        """Add a file; two files of one key make it unclear."""
        if key(name) in self.names:
            log.warning("two files of one name path=%s", ascii(name))
            self.unclear.add(key(name))
            self.uncarried |= {self.names[key(name)], name}
        self.hashes[key(name)] = hash
        self.names[key(name)] = name


def key(path: str) -> str:
    """Return the key by which both sides are compared."""
    return paths.composed(path)


def snapshot_vault(vault: Vault, state: State) -> Side:
    """Return a snapshot of the vault; runs in a thread. Only files that changed since the state's
    stamps are read. Raises VaultError."""
    side = Side()
    found = (file for file in vault.files() if is_synced(file.path, vault.sam_dir))
    for path, hash in state.hashes(vault, found).items():
        if is_carried(path):
            side.add(path, hash)
        else:
            side.uncarried.add(path)
    return side


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
    there = [file for file in await remote.list(names) if is_synced(file.path, sam_dir)]
    listed = [file for file in there if is_carried(file.path)]
    sure = {file.path for file in listed if _agreed(state, file) and key(file.path) not in doubted}
    at = time.time()
    fetched, refused = await remote.fetch_readable(
        file.path for file in listed if file.path not in sure
    )
    odd = {unquoted(file.path) for file in there if not is_carried(file.path)} | refused
    side, shown = Side(uncarried=odd), {}
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


def starter_texts(vault: Vault, keys: Iterable[str]) -> dict[str, bytes]:
    """Return the starter vault's texts of those keys, the base of two sides that began with it."""
    folder = key(vault.sam_dir)
    try:
        origin = starter.source()
    except VaultError:
        return {}
    found = {}
    for name in keys:
        inside = name.removeprefix(f"{folder}/") if folder else name
        if (origin / inside).is_file():
            found[name] = (origin / inside).read_bytes()
    return found


def _agreed(state: State, file: RemoteFile) -> bool:
    known = state.files.get(key(file.path))
    return known is not None and known.seen == file.shown
