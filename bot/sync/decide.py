"""What to do with each file of two sides that share a past. Knows no files: hashes in, actions out.

`base` is what both sides last agreed on, `live` the vault here, `remote` the other side; each is a
hash, or None for a file that is not there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import Enum

from memory.text.humanize import plural

from ..errors import SyncStopped

MANY = 20  # files; of fewer, it is usual that most of them go


class Action(Enum):
    """What becomes of one file."""

    AGREE = "both sides have the same: remember it"
    FORGET = "gone on both sides"
    TAKE = "remote → vault"
    PUSH = "vault → remote"
    MERGE = "both changed: join the two texts"
    ARCHIVE = "gone on the remote: into the vault's archive"
    REMOVE = "gone in the vault: into the remote's archive"


def decide(base: str | None, live: str | None, remote: str | None) -> Action:
    """The action for one file. An edit on one side wins over a deletion on the other."""
    if live == remote:
        return Action.AGREE if live else Action.FORGET
    if live == base:
        return Action.TAKE if remote else Action.ARCHIVE
    if remote == base:
        return Action.PUSH if live else Action.REMOVE
    if live is None:
        return Action.TAKE
    if remote is None:
        return Action.PUSH
    return Action.MERGE


def renamed(
    actions: Mapping[str, Action], base: Mapping[str, str], remote: Mapping[str, str]
) -> dict[str, str]:
    """Old name → new name of the files that were renamed on the remote, known by their content."""
    fresh: dict[str, list[str]] = {}
    for name, action in actions.items():
        if action is Action.TAKE and name not in base:
            fresh.setdefault(remote[name], []).append(name)
    pairs = {}
    for name, action in actions.items():
        if action is Action.ARCHIVE and fresh.get(base[name]):
            pairs[name] = fresh[base[name]].pop()
    return pairs


def check_full(side: str, base: Mapping[str, str], now: Mapping[str, str], agreed: bool) -> None:
    """SyncStopped when a side that had files has none, or lost most of many: unmounted, wiped.

    `agreed`: the owner has said that the loss of many is meant; that of all never is.
    """
    left = len(base.keys() & now.keys())
    if base and not now:
        raise SyncStopped(
            f"{side} is empty, and {plural(len(base), 'file was', 'files were')} there at the last"
            " sync: nothing was changed on either side. Bring them back; if it is meant, remove the"
            " folder `sync` in DATA_DIR, and all goes where it is missing."
        )
    if len(base) >= MANY and 2 * left < len(base) and not agreed:
        raise SyncStopped(
            f"{side} has {left} of the {len(base)} files of the last sync: nothing was changed on"
            " either side. Bring them back; if it is meant, `sam sync` asks you about it."
        )


def is_joining(actions: Mapping[str, Action], starter: Collection[str]) -> bool:
    """Whether two sides without a past both have something of their own: ask before they are one.

    `starter`: names of files of the vault that are as the starter vault has them.
    """
    mine = {n for n, do in actions.items() if do in (Action.PUSH, Action.MERGE)} - set(starter)
    theirs = {n for n, do in actions.items() if do in (Action.TAKE, Action.MERGE)}
    return bool(mine and theirs)
