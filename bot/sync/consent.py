"""Ask the owner, or notify him, before the remote's changes are applied: of too many in a day, and
of Sam's instructions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Literal

from memory.text import plural
from memory.vault import Vault

from ..errors import SyncStopped
from .incoming import Copies, InstructionChange, instructs
from .plan import Comparison, SyncAction
from .session import Round
from .state import State

Instructions = Literal["take", "tell", "hold"]
"""How to handle the remote's changes to Sam's instructions (soul, identity, user, heartbeat,
skills, rules): apply, apply and notify the owner, or hold until the owner accepts."""

SHARE = 0.25
"""The maximum share of the synced files: a person does not change more in a day."""
FEW_CHANGED, FEW_DELETED = 20, 10
"""Always allowed, however small the vault is: files changed or deleted, and files deleted."""
MOST = 500
"""The maximum in any vault, even in one that the remote has inflated."""
_NAMED = 5
_FEW = 3
"""The fewest files of the owner's by which a folder of another vault is recognised."""


def check_day(
    vault: Vault,
    found: Comparison,
    state: State,
    copies: Copies,
    remote: str,
    now: datetime,
    agreed: bool,
) -> None:
    """Raise SyncStopped if the remote would change too much of the vault within a day, if it has
    none of the owner's files as they were, or if there is no room for copies. For a thread.
    VaultError.

    `agreed`: the owner has agreed to it, and to delete old copies where there is no room.
    """
    changed, deleted = found.incoming()
    fresh = {name for name, each in state.day.items() if each.what == "new"}
    changed, deleted = changed - fresh, deleted - fresh
    if not (changed or deleted):
        return
    earlier = state.day.keys() - fresh - changed - deleted
    gone = sum(state.day[name].what == "deleted" for name in earlier)
    whole = len(state.files.keys() - fresh)
    many = is_many(len(changed) + len(earlier) - gone, len(deleted) + gone, whole)
    own = found.own_files(vault) if deleted and not many else set[str]()
    is_other = len(own) >= _FEW and own <= changed | deleted
    if not agreed and (many or is_other):
        one, other = (sorted(map(found.path, names)) for names in (changed, deleted))
        raise SyncStopped(
            _question(remote, one, other, len(earlier), whole, is_other=is_other),
            mark=f"many since {state.stop(now)}",
        )
    wanted = {found.path(name) for name in changed | deleted}
    more = sum(stamp.size for path, stamp in state.stamps.items() if path in wanted)
    if copies.prune(now, state.vault_bytes, more=more, agreed=agreed) and not agreed:
        raise SyncStopped(
            f"The remote {remote} would change {plural(len(wanted), 'file')}, and there is no room "
            f"for copies of them in {copies.root}: syncs have replaced a lot in the last days. "
            f"Nothing was changed on either side. `sam sync` asks whether to delete the oldest "
            f"copies.",
            mark=f"no room since {state.stop(now)}",
        )


def is_many(changed: int, deleted: int, whole: int) -> bool:
    """Return whether these are too many of `whole` files for a day."""
    share = min(MOST, int(SHARE * whole))
    return deleted > max(FEW_DELETED, share) or changed + deleted > max(FEW_CHANGED, share)


def _question(
    remote: str,
    changed: Sequence[str],
    deleted: Sequence[str],
    before: int,
    whole: int,
    *,
    is_other: bool = False,
) -> str:
    """Return what to ask the owner: counts and some paths of what is to come, and that nothing is
    applied. `before`: files that the remote changed earlier in the day; `is_other`: the remote may
    be another vault's folder."""
    what = [
        f"{do} {_named(names)}" for do, names in (("change", changed), ("delete", deleted)) if names
    ]
    also = f", after {plural(before, 'other')} within a day" if before else ""
    other = " It has none of your files as they were: is it another folder?" if is_other else ""
    return (
        f"The remote {remote} would {' and '.join(what)}{also}; the vault has {whole} synced files."
        f"{other} Nothing was changed on either side. If this is intended, `sam sync` shows all of"
        " it and asks you. If not, first restore the remote from its own history or trash."
    )


def _named(paths: Sequence[str]) -> str:
    more = " …" if len(paths) > _NAMED else ""
    return f"{plural(len(paths), 'file')} ({', '.join(paths[:_NAMED])}{more})"


def to_notify(
    round_: Round,
    found: Comparison,
    allowed: Collection[SyncAction],
    waiting: Mapping[str, str],
    instructions: Instructions,
) -> list[InstructionChange]:
    """Return the instructions to notify the owner of: those that wait since this sync, or those
    about to be applied. For a thread."""
    names = [name for name, hash in waiting.items() if round_.state.waiting.get(name) != hash]
    if instructions == "tell":
        inward = {SyncAction.TAKE, SyncAction.MERGE, SyncAction.ARCHIVE}.intersection(allowed)
        names = [
            name
            for name, do in found.actions.items()
            if do in inward and instructs(name, round_.vault.sam_dir)
        ]
    return [found.instruction(round_.vault, name, waiting=name in waiting) for name in names]
