"""Plan a round of the sync: compare both sides, and choose an action for each file.

Changes neither side. Files of an interrupted sync are recognised here. `decide` is pure: hashes in,
actions out. `base` is the last synced state, `live` the vault, `remote` the other side; each is a
hash, or None for a missing file.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import PurePosixPath

from memory import NoteMissing, Vault
from memory.infra import atomic_files, run_to_end
from memory.text import plural

from ..errors import SyncStopped
from .incoming import InstructionChange, compare, instructs
from .remote import Remote
from .snapshot import (
    RemoteSnapshot,
    Side,
    find_case,
    snapshot_remote,
    snapshot_vault,
    starter_texts,
)
from .state import Known, State, SyncFolder

_EMPTY = atomic_files.digest(b"")
MANY = 20  # files; with fewer, losing most of them is not suspicious


class SyncAction(Enum):
    """The action for one file."""

    AGREE = "both sides are identical: record it"
    FORGET = "deleted on both sides"
    TAKE = "remote → vault"
    PUSH = "vault → remote"
    MERGE = "both changed: merge the two texts"
    ARCHIVE = "deleted on the remote: move to the vault's archive"
    REMOVE = "deleted in the vault: move to the remote's archive"
    HOLD = "instructions changed on the remote: waits for `sam sync --accept`"


def decide(base: str | None, live: str | None, remote: str | None) -> SyncAction:
    """Choose the action for one file. An edit on one side wins over a deletion on the other."""
    if live == remote:
        return SyncAction.AGREE if live else SyncAction.FORGET
    if live == base:
        return SyncAction.TAKE if remote else SyncAction.ARCHIVE
    if remote == base:
        return SyncAction.PUSH if live else SyncAction.REMOVE
    if live is None:
        return SyncAction.TAKE
    if remote is None:
        return SyncAction.PUSH
    return SyncAction.MERGE


def renamed(
    actions: Mapping[str, SyncAction], base: Mapping[str, str], remote: Mapping[str, str]
) -> dict[str, str]:
    """Map old to new names of files renamed on the remote, recognised by their content."""
    fresh: dict[str, list[str]] = {}
    for name, action in actions.items():
        if action is SyncAction.TAKE and name not in base:
            fresh.setdefault(remote[name], []).append(name)
    pairs = {}
    for name, action in actions.items():
        if action is SyncAction.ARCHIVE and fresh.get(base[name]):
            pairs[name] = fresh[base[name]].pop()
    return pairs


def renamed_and_edited(
    actions: Mapping[str, SyncAction],
    base: Mapping[str, str],
    live: Mapping[str, str],
    remote: Mapping[str, str],
    following: Mapping[str, str],
) -> dict[str, str]:
    """Map old to new names of files that one side has renamed and the other has edited.

    The new file has the content of the last synced one, or already an edit, as after a kill: that
    of the old name, or the one in `following`; and no other file could be meant.
    """
    old, new = (defaultdict[tuple[bool, str], list[str]](list) for _ in range(2))
    for name, action in actions.items():
        if action not in (SyncAction.TAKE, SyncAction.PUSH):
            continue
        is_taken, was = action is SyncAction.TAKE, base.get(name)
        now = (remote if is_taken else live)[name]
        if was and name not in (live if is_taken else remote):
            for hash in {was, now, following.get(name) or was}:
                old[not is_taken, hash].append(name)  # the other side has renamed it
        elif not was:
            new[is_taken, now].append(name)
    pairs = [
        (names[0], new[which][0])
        for which, names in old.items()
        if len(names) == len(new[which]) == 1 and which[1] != _EMPTY
    ]
    meant = Counter(name for name, _ in pairs)
    return {name: to for name, to in pairs if meant[name] == 1}


def check_not_empty(side: str, base: Mapping[str, str], now: Mapping[str, str]) -> None:
    """Raise SyncStopped if a side lost all files (unmounted, wiped). This is never accepted."""
    if base and not now:
        raise SyncStopped(
            f"{side} is empty, and {plural(len(base), 'file was', 'files were')} there at the last"
            " sync: nothing was changed on either side. Restore them; if this is intended, delete "
            "the folder `sync` in DATA_DIR, and every file is copied to the side that lacks it."
        )


def check_not_mostly_gone(side: str, base: Mapping[str, str], now: Mapping[str, str]) -> None:
    """Raise SyncStopped if a side lost most of many files."""
    left = len(base.keys() & now.keys())
    if len(base) >= MANY and 2 * left < len(base):
        raise SyncStopped(
            f"{side} has {left} of the {len(base)} files of the last sync: nothing was changed on "
            "either side. Restore them; if this is intended, `sam sync` asks you to confirm it."
        )


def is_joining(actions: Mapping[str, SyncAction], starter: Collection[str] | None) -> bool:
    """Return whether two sides that were never synced both have files: ask before merging them.

    `starter`: names of the vault's files that are unchanged from the starter vault; None to ask
    about files on the remote whatever the vault has.
    """
    theirs = {n for n, do in actions.items() if do in (SyncAction.TAKE, SyncAction.MERGE)}
    if starter is None:
        return bool(theirs)
    mine = {n for n, do in actions.items() if do in (SyncAction.PUSH, SyncAction.MERGE)}
    return bool(mine.difference(starter) and theirs)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both sides, the last synced state (hashes by name), and the action for each file.

    `starters`: the starter vault's texts of names that are new on both sides, as their base.
    `blocked`: names of files that stay where they are, since the other side has a folder there.
    """

    live: Side
    away: RemoteSnapshot
    base: Mapping[str, str]
    starters: Mapping[str, bytes]
    actions: Mapping[str, SyncAction]
    blocked: frozenset[str]

    @property
    def unsynced(self) -> list[str]:
        """The paths that cannot be synced until they are renamed."""
        uncarried = self.live.uncarried | self.away.side.uncarried
        return sorted(uncarried | {self.path(name) for name in self.blocked})

    def incoming(self) -> tuple[set[str], set[str]]:
        """Return the names of the vault's files that the remote would change, and delete.

        A renamed file keeps its content, and is neither.
        """
        changed = {
            name
            for name, do in self.actions.items()
            if name in self.live.hashes and do in (SyncAction.TAKE, SyncAction.MERGE)
        }
        deleted = {name for name, do in self.actions.items() if do is SyncAction.ARCHIVE}
        moved = renamed(self.actions, self.base, self.away.side.hashes)
        return changed, deleted - moved.keys()

    def own_files(self, vault: Vault) -> set[str]:
        """Return the names of the last sync's files, without unchanged notes of the starter."""
        starters = starter_texts(vault, self.live, self.base)
        return {
            name
            for name, hash in self.base.items()
            if name not in starters or atomic_files.digest(starters[name]) != hash
        }

    def path(self, name: str) -> str:
        """Return the file's path in the vault, existing or not."""
        return self.live.names.get(name) or self.away.side.names[name]

    def hold(self, accepted: Mapping[str, str], sam_dir: str) -> tuple[Comparison, dict[str, str]]:
        """Hold back the remote's changes to Sam's instructions; return also their hashes, by name.

        `accepted`: hashes that the owner has agreed to.
        """
        there = {
            name: self.away.side.hashes.get(name, "")
            for name, do in self.actions.items()
            if do in (SyncAction.TAKE, SyncAction.MERGE, SyncAction.ARCHIVE)
            and instructs(name, sam_dir)
        }
        waiting = {name: hash for name, hash in there.items() if accepted.get(name) != hash}
        actions = {**self.actions, **dict.fromkeys(waiting, SyncAction.HOLD)}
        return replace(self, actions=actions), waiting

    def instruction(self, vault: Vault, name: str, *, waiting: bool) -> InstructionChange:
        """Compare the two sides of a file of instructions; runs in a thread."""
        here, there = b"", b""
        with suppress(NoteMissing), atomic_files.translate_errors(name, "read"):
            if name in self.live.hashes:
                here = vault.resolve(self.live.names[name]).read_bytes()
        if name in self.away.side.hashes:
            there = (self.away.fetched / self.away.side.names[name]).read_bytes()
        return compare(self.path(name), here, there, waiting=waiting)

    def unchanged_starters(self, vault: Vault) -> set[str]:
        """Return the names of the vault's files that are unchanged from the starter vault."""
        fresh = self.live.hashes.keys() - self.base.keys()
        return {
            name
            for name, text in starter_texts(vault, self.live, fresh).items()
            if atomic_files.digest(text) == self.live.hashes[name]
        }


async def compare_sides(
    vault: Vault, remote: Remote, store: SyncFolder, state: State, only: frozenset[str] | None
) -> Comparison:
    """Compare all files, or only these paths. Raises SyncError, VaultError."""
    await find_case(vault, remote, state)
    live = await run_to_end(asyncio.to_thread(snapshot_vault, vault, state))
    names = None if only is None else {spelt for path in only for spelt in (path, live.key(path))}
    sent = {live.key(name): hash for name, hash in store.interrupted().items()}
    away = await snapshot_remote(remote, state, names, vault.sam_dir, sent)
    if only is not None and _edited_and_missing(state, live, away.side, only):
        # It may be renamed there: all names are looked at.
        away = await snapshot_remote(remote, state, None, vault.sam_dir, sent)
    _recognise(vault, store, state, live, away, sent)
    base = {name: known.hash for name, known in state.files.items()}
    for name, known in state.files.items():
        if known.before is not None and away.side.hashes.get(name) != known.hash:
            # The remote's text may not include what was sent: compare with its earlier base.
            base[name] = known.before
    new = (live.hashes.keys() & away.side.hashes.keys()) - base.keys()
    starters = starter_texts(vault, live, new)
    base |= {name: atomic_files.digest(text) for name, text in starters.items()}
    if only is None:
        base |= _renamed_on_both(base, live.hashes, away.side.hashes, new - starters.keys())
    keys = base.keys() | live.hashes.keys() | away.side.hashes.keys()
    if only is not None:
        keys &= _with_renames(base, live, away.side, only)
    actions = {
        name: decide(base.get(name) or None, live.hashes.get(name), away.side.hashes.get(name))
        for name in sorted(keys - live.unclear - away.side.unclear)
    }
    if only is not None:  # a partial list cannot distinguish a deletion from a lost remote
        gone = (SyncAction.ARCHIVE, SyncAction.REMOVE, SyncAction.FORGET)
        actions = {name: action for name, action in actions.items() if action not in gone}
    blocked = _blocked(actions, live.hashes.keys(), away.side.hashes.keys())
    actions = {name: action for name, action in actions.items() if name not in blocked}
    return Comparison(live, away, base, starters, actions, blocked)


def _renamed_on_both(
    base: Mapping[str, str], live: Mapping[str, str], away: Mapping[str, str], new: Collection[str]
) -> dict[str, str]:
    """Return the bases of these new names to which both sides have renamed a file, and one has
    edited it; so it is if a sync is killed behind the move."""
    gone = {hash for name, hash in base.items() if name not in live and name not in away} - {_EMPTY}
    return {name: hash for name in new for hash in (live[name], away[name]) if hash in gone}


def _edited_and_missing(state: State, live: Side, away: Side, only: Collection[str]) -> set[str]:
    """Return the keys of these files that were edited here, and are missing on the remote."""
    edited = {
        name
        for name in map(live.key, only)
        if name in state.files
        and live.hashes.get(name, state.files[name].hash) != state.files[name].hash
    }
    return edited - away.hashes.keys()


def _with_renames(
    base: Mapping[str, str], live: Side, away: Side, only: Collection[str]
) -> set[str]:
    """Return the keys of these files, without those that may be renamed here, which wait for a sync
    of all files, and with what may be their names on the remote."""
    names = {live.key(path) for path in only}
    missing = {hash for name, hash in base.items() if name not in live.hashes}
    renamed = {name for name in names - base.keys() if live.hashes.get(name) in missing}
    there = {base[name] for name in names & base.keys() if name not in away.hashes}
    fresh = {name for name, hash in away.hashes.items() if name not in base and hash in there}
    return names - renamed | fresh


def _blocked(
    actions: Mapping[str, SyncAction], live: Collection[str], away: Collection[str]
) -> frozenset[str]:
    """Return the names of files for which the other side has, and keeps, a folder of that name, or
    a file in place of a folder."""
    blocked = set[str]()
    for moving, leaving, there in (
        (SyncAction.PUSH, SyncAction.REMOVE, away),
        (SyncAction.TAKE, SyncAction.ARCHIVE, live),
    ):
        stay = {name for name in there if actions.get(name) is not leaving}
        folders = {str(folder) for name in stay for folder in PurePosixPath(name).parents}
        blocked |= {
            name
            for name, do in actions.items()
            if do is moving
            and (name in folders or any(str(p) in stay for p in PurePosixPath(name).parents))
        }
    return frozenset(blocked)


def _recognise(
    vault: Vault,
    store: SyncFolder,
    state: State,
    live: Side,
    away: RemoteSnapshot,
    sent: Mapping[str, str],
) -> None:
    """Recognise what an interrupted sync sent, wholly or partly: it is no edit by others."""
    for name, hash in sent.items():
        found = away.side.hashes.get(name)
        if not found or (name in state.files and state.files[name].hash == found):
            continue
        whole = store.text(hash)
        if whole is None and live.hashes.get(name) == hash:
            with atomic_files.translate_errors(live.names[name], "read"):
                whole = vault.resolve(live.names[name]).read_bytes()
        if found != hash and whole is not None:
            part = (away.fetched / away.side.names[name]).read_bytes()
            if not whole.startswith(part):
                continue
        elif found != hash:
            continue
        state.files[name] = Known(hash=found)
