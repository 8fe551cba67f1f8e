"""The two sides of a sync as they are now, name by name. Changes neither."""

from __future__ import annotations

import logging
import time
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from memory import Vault, VaultError
from memory.infra import atomic_files
from memory.vault import NoteFile, starter

from .remote import Listed, Remote, travels
from .state import Stamp, State

log = logging.getLogger(__name__)

_TICK = 100_000_000  # ns: two changes in one tick of the file system's clock look like one


@dataclass(slots=True)
class Side:
    """Hashes by key, and the true name of each; `unclear` keys are left alone in this sync.

    A key is the path in Unicode's composed form: macOS and the others spell the same name in two.
    """

    hashes: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    unclear: set[str] = field(default_factory=set)

    def add(self, name: str, hash: str) -> None:
        """Two files of one key make it unclear."""
        if key(name) in self.names:
            log.warning("two files of one name path=%s", ascii(name))
            self.unclear.add(key(name))
        self.hashes[key(name)] = hash
        self.names[key(name)] = name


def key(path: str) -> str:
    """The name under which both sides are compared."""
    return unicodedata.normalize("NFC", path)


def look(vault: Vault, state: State) -> Side:
    """The vault now; for a thread. Hashes what changed since, and notes that in `state.stamps`."""
    side, stamps = Side(), {}
    now = time.time_ns()  # the file system's time, not Sam's
    for file in vault.files():
        if not travels(file.path, vault.sam_dir):
            continue
        stamp = state.stamps.get(file.path)
        if stamp is None or not _same(stamp, file):
            with atomic_files.ours(file.path, "read"):
                hash = atomic_files.file_hash(vault.resolve(file.path))
            if hash is None:
                continue  # gone since the folder was listed
            stamp = Stamp(
                size=file.size,
                mtime_ns=file.mtime_ns,
                ctime_ns=file.ctime_ns,
                inode=file.inode,
                hash=hash,
            )
        if now - file.ctime_ns > _TICK:
            stamps[file.path] = stamp
        side.add(file.path, stamp.hash)
    state.stamps = stamps
    return side


@dataclass(slots=True)
class Away:
    """The remote now: what was listed, by key, and what had to be looked into, in `fetched`.

    `at`: this machine's seconds before that.
    """

    side: Side
    listed: dict[str, Listed]
    fetched: Path
    at: float


async def look_away(
    remote: Remote,
    state: State,
    names: Collection[str] | None,
    sam_dir: str,
    doubted: Collection[str] = (),
) -> Away:
    """List the remote (only these names), and fetch what is not as it was last agreed on.

    What is `doubted`, by key, is fetched in any case.
    """
    listed = [file for file in await remote.list(names) if travels(file.path, sam_dir)]
    sure = {file.path for file in listed if _agreed(state, file) and key(file.path) not in doubted}
    at = time.time()
    fetched = await remote.fetch(file.path for file in listed if file.path not in sure)
    side, shown = Side(), {}
    for file in listed:
        known = state.files.get(key(file.path))
        if known is not None and file.path in sure:
            hash: str | None = known.hash
        else:
            hash = atomic_files.file_hash(fetched / file.path)
        side.add(file.path, hash or "")
        if hash is None:
            side.unclear.add(key(file.path))  # gone, or replaced, since it was listed
        shown[key(file.path)] = file
    return Away(side, shown, fetched, at)


def starters(vault: Vault, keys: Iterable[str]) -> dict[str, bytes]:
    """The starter vault's text of those keys: the past of two sides that both began with it."""
    try:
        origin = starter.source()
    except VaultError:
        return {}
    found = {}
    for name in keys:
        inside = name.removeprefix(f"{vault.sam_dir}/") if vault.sam_dir else name
        if (origin / inside).is_file():
            found[name] = (origin / inside).read_bytes()
    return found


def _agreed(state: State, file: Listed) -> bool:
    known = state.files.get(key(file.path))
    return known is not None and known.seen == file.shown


def _same(stamp: Stamp, file: NoteFile) -> bool:
    return (stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode) == (
        file.size,
        file.mtime_ns,
        file.ctime_ns,
        file.inode,
    )
