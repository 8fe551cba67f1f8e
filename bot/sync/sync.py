"""Two-way sync of the vault with a folder of an rclone remote, without losing anything.

rclone never touches the vault: it copies files between the remote and a folder of ours. The action
for each file is chosen from three hashes (last synced, here, there) and done through the vault,
under its lock. See docs/dev/architecture.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from typing import Literal

from memory import Clock, DataDir, NoteMissing, SamError, Vault
from memory.infra import atomic_files, locked, parse_utc, run_to_end

from ..errors import RcloneMissing, SyncUnasked
from .consent import Instructions, check_day, to_notify
from .incoming import Copies, Copy, InstructionChange
from .other_tools import check_alone
from .plan import (
    Comparison,
    SyncAction,
    check_not_empty,
    check_not_mostly_gone,
    compare_sides,
    is_joining,
)
from .pull import apply_remote, apply_spelling, follow_renames
from .push import remove, send
from .rclone import Rclone, display_name, find
from .remote import Remote
from .session import Entombed, Progress, Round, SyncResult
from .snapshot import Side, snapshot_vault
from .state import State, SyncFolder

STALE = timedelta(hours=1)
"""After so long without a successful sync the owner is notified: outages last minutes, not
hours."""

Direction = Literal["pull", "push"]
"""One direction of a sync."""

_PULL = frozenset({SyncAction.TAKE, SyncAction.ARCHIVE, SyncAction.MERGE})
_PUSH = frozenset({SyncAction.PUSH, SyncAction.REMOVE, SyncAction.MERGE})
_ROUNDS = 2  # the second transfers the archive copies of the first one
_WITNESSES = 20  # synced files that are looked for before a whole remote is listed
_PATIENCE = 60.0  # seconds to wait for a sync of another process


@dataclass(frozen=True, slots=True)
class SyncStatus:
    """For /status and doctor. `lag`: files of the vault that the remote lacks as they are.

    `begun`: the very first attempt with this remote. `stopped`: it waits for the owner to agree to
    many changes. `waiting`: paths of the remote's instructions that the owner has not accepted yet.
    `copies`: what syncs replaced here, their number and bytes. `unsynced`: paths that cannot be
    synced until they are renamed, or that the remote refuses.
    """

    remote: str
    last_ok: datetime | None
    last_error: str
    lag: int
    begun: datetime | None
    stopped: bool
    waiting: tuple[str, ...]
    copies: tuple[int, int]
    unsynced: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Order:
    """What to sync. `allowed`: the actions to take; `only`: these files, None for all.

    `agreed`: the owner confirmed what would stop it. `accepted`: instructions of the remote to
    apply, hashes by name.
    """

    allowed: frozenset[SyncAction]
    agreed: bool
    only: frozenset[str] | None = None
    accepted: Mapping[str, str] = field(default_factory=dict)


class Sync:
    """The sync of one vault with one remote. Its methods raise SyncError, VaultError, LockHeld;
    files synced until then stay synced."""

    def __init__(
        self,
        remote: str,
        vault: Vault,
        *,
        clock: Clock,
        zone: tzinfo,
        entombed: Entombed,
        progress: Progress,
        instructions: Instructions,
        asks: bool = False,
    ) -> None:
        """`remote` as rclone names it; `progress` is called with how far each sync is.

        `asks`: files that the remote has before the first sync may be another person's, so that
        they are asked about also where the vault is empty.
        """
        self._instructions, self._asks = instructions, asks
        self._zone, self._entombed, self._progress = zone, entombed, progress
        self._name = remote
        self._vault = vault
        self._clock = clock
        files = DataDir(vault.data_dir)
        folder, self._lock = files.sync, files.sync_lock
        self._store = SyncFolder(folder)
        self._copies, self._rclone = Copies(folder / "removed"), Rclone(files.rclone_lock)
        self._remote = Remote(self._name, self._rclone, folder / "staging")

    @property
    def remote(self) -> str:
        """The remote as people are shown it: without passwords."""
        return display_name(self._name)

    async def run(self, *, agreed: bool = False) -> SyncResult:
        """Sync both ways. `agreed`: the owner confirmed it (see SyncUnasked)."""
        return await self._sync(_Order(_PULL | _PUSH, agreed))

    async def accept(self, accepted: Mapping[str, str], *, agreed: bool = False) -> SyncResult:
        """Sync both ways, and apply these instructions: hashes by name, as `waiting` returns them.

        One that the remote has changed again since still waits.
        """
        return await self._sync(_Order(_PULL | _PUSH, agreed, accepted=accepted))

    async def pull(self, *, agreed: bool = False) -> SyncResult:
        """Apply the remote's changes to the vault; send nothing."""
        return await self._sync(_Order(_PULL, agreed))

    async def push(self, paths: Iterable[str] | None = None, *, agreed: bool = False) -> SyncResult:
        """Send the vault's changes to the remote; only these files, if given.

        Where both sides changed, they are merged in the vault first.
        """
        only = None if paths is None else frozenset(paths)
        return await self._sync(_Order(_PUSH, agreed, only))

    async def plan(self, direction: Direction | None = None) -> dict[str, SyncAction]:
        """Return what `run` would do now, or `pull` or `push`, by path; changes nothing.

        Raises SyncStopped for what the owner cannot agree to, such as a side that is empty.
        """
        async with locked(self._lock, timeout=_PATIENCE):
            found, _ = await self._look()
            self._remote.sweep()
        shown = {None: _PULL | _PUSH, "pull": _PULL, "push": _PUSH}[direction]
        shown |= {SyncAction.HOLD} if direction != "push" else set()
        names = found.away.side.names | found.live.names
        return {names[name]: do for name, do in found.actions.items() if do in shown}

    async def waiting(self) -> list[tuple[str, str, InstructionChange]]:
        """Return the instructions of the remote that wait now: name, hash and what it changes."""
        async with locked(self._lock, timeout=_PATIENCE):
            found, hashes = await self._look()
            waiting = []
            for name, hash in hashes.items():
                change = await asyncio.to_thread(found.instruction, self._vault, name, waiting=True)
                waiting.append((name, hash, change))
            self._remote.sweep()
        return waiting

    def copies(self) -> list[Copy]:
        """Return the files that syncs replaced or deleted here, the newest first; for a thread."""
        return self._copies.all()

    async def restore(self, wanted: str) -> list[str]:
        """Put copies back: `TIME` for all of a sync, `TIME/PATH`, or `PATH` for its newest copy.

        Return the restored paths. What is there now is kept as a copy too. Raises
        NoteMissing, VaultError, LockHeld.
        """
        async with locked(self._lock, timeout=_PATIENCE):
            found = await asyncio.to_thread(self._copies.find, wanted)
            if not found:
                raise NoteMissing(f"There is no copy of {wanted}: `sam sync --copies` lists them.")
            return [copy.path for copy in found if await self._put_back(copy)]

    async def _put_back(self, copy: Copy) -> bool:
        live = self._vault.resolve(copy.path)
        there = await asyncio.to_thread(atomic_files.file_hash, live)
        if there is not None:
            now = self._clock()
            await asyncio.to_thread(self._copies.keep, live, copy.path, there, now)
        return await self._vault.put(copy.path, copy.place, expected=there, cause="restore")

    async def _look(self) -> tuple[Comparison, dict[str, str]]:
        """Compare both sides, without the instructions that wait; return also their hashes."""
        state = await asyncio.to_thread(self._store.load, self._name)
        with atomic_files.translate_errors("the folder of the sync", "written"):
            self._begin(state)
            found = await compare_sides(self._vault, self._remote, self._store, state, None)
        self._check_not_empty(found)
        return self._hold_back(found, state, {})

    def _hold_back(
        self, found: Comparison, state: State, accepted: Mapping[str, str]
    ) -> tuple[Comparison, dict[str, str]]:
        if self._instructions != "hold" or not state.files:
            return found, {}
        return found.hold(accepted, self._vault.sam_dir)

    def status(self) -> SyncStatus:
        """Return the outcome of the last sync, and the lag; runs in a thread. Raises VaultError."""
        state = self._store.load(self._name)
        kept = self._copies.all()
        return SyncStatus(
            self.remote,
            parse_utc(state.last_ok) if state.last_ok else None,
            state.last_error,
            _lag(state, snapshot_vault(self._vault, state)),
            parse_utc(state.begun) if state.begun else None,
            bool(state.stopped),
            tuple(sorted(state.waiting)),
            (len(kept), sum(copy.size for copy in kept)),
            tuple(state.unsynced),
        )

    def last(self) -> tuple[datetime | None, str]:
        """Return the last success, or the first attempt, and the error since; runs in a thread."""
        return last_sync(self._name, DataDir(self._vault.data_dir))

    async def _sync(self, order: _Order) -> SyncResult:
        async with locked(self._lock, timeout=_PATIENCE):
            state = await asyncio.to_thread(self._store.load, self._name)
            state.begin(self._clock())
            done = SyncResult()
            try:
                with atomic_files.translate_errors("the folder of the sync", "written"):
                    await self._rounds(state, order, done)
                live = await run_to_end(asyncio.to_thread(snapshot_vault, self._vault, state))
                done.lag = _lag(state, live)
                state.succeed(done.lag, self._clock() if order.only is None else None)
                if order.only is None:
                    self._store.prune(state.needed)
                    now, size = self._clock(), state.vault_bytes
                    await asyncio.to_thread(self._copies.prune, now, size)
            except SamError as error:
                state.fail(str(error))
                raise
            finally:
                self._store.save(state)
            self._store.sent()
            self._remote.sweep()
            return done

    async def _rounds(self, state: State, order: _Order, done: SyncResult) -> None:
        self._begin(state)
        first = not state.files
        for _ in range(_ROUNDS):
            before = done.copies
            done.left.clear()
            done.unsynced.clear()
            done.waiting.clear()
            await self._round(state, order, first, done)
            if not done.left and done.copies == before:
                break
        if order.agreed:
            state.day.clear()

    def _begin(self, state: State) -> None:
        check_alone(self._vault.root)
        self._vault.check_present()
        self._rclone.check_idle()
        self._remote.sweep()
        if not state.files:  # a new machine may start from the remote's vault
            with atomic_files.translate_errors(str(self._vault.root), "written"):
                self._vault.root.mkdir(mode=0o700, parents=True, exist_ok=True)

    async def _round(self, state: State, order: _Order, first: bool, done: SyncResult) -> None:
        found = await compare_sides(self._vault, self._remote, self._store, state, order.only)
        now = self._clock()
        await self._check_not_wiped(found, order)
        waiting: dict[str, str] = {}
        if not first:
            found, waiting = self._hold_back(found, state, order.accepted)
            check = asyncio.to_thread(
                check_day, self._vault, found, state, self._copies, self.remote, now, order.agreed
            )
            await run_to_end(check)
        if not (order.agreed or state.agreed or state.files):
            self._check_not_joining(found)
        state.join()
        round_ = Round(
            vault=self._vault,
            remote=self._remote,
            store=self._store,
            copies=self._copies,
            state=state,
            live=found.live,
            away=found.away,
            base=found.base,
            starters=found.starters,
            now=now,
            done=done,
            zone=self._zone,
            entombed=self._entombed,
            progress=self._progress,
            counted=not first,
        )
        notices = []
        if not first:
            notices = await asyncio.to_thread(
                to_notify, round_, found, order.allowed, waiting, self._instructions
            )
        await self._carry(round_, dict(found.actions), order.allowed)
        done.instructions.extend(one for one in notices if one.path not in done.left)
        done.waiting.extend(sorted(map(found.path, waiting)))
        done.unsynced.extend(found.unsynced)
        if order.only is None:
            state.hold(waiting, sorted(done.unsynced))

    def _check_not_empty(self, found: Comparison) -> None:
        """Raise SyncStopped if one side has lost all of its files."""
        check_not_empty(f"The remote {self.remote}", found.base, found.away.side.hashes)
        check_not_empty(f"The vault {self._vault.root}", found.base, found.live.hashes)

    async def _check_not_wiped(self, found: Comparison, order: _Order) -> None:
        """Raise SyncStopped if one side has lost all of its files, or the vault most of them."""
        if order.only is None:
            self._check_not_empty(found)
            if not order.agreed:
                vault = f"The vault {self._vault.root}"
                check_not_mostly_gone(vault, found.base, found.live.hashes)
        elif found.base and found.actions.keys() - found.away.listed.keys():
            # What is missing there may be new, or the remote was wiped: a file there would hide it.
            others = sorted(found.base.keys() - found.actions.keys())[:_WITNESSES]
            there = await self._remote.list(others) or await self._remote.list()
            check_not_empty(f"The remote {self.remote}", found.base, {f.path: "" for f in there})

    def _check_not_joining(self, found: Comparison) -> None:
        """Raise SyncUnasked if both sides have files of their own."""
        starter = None if self._asks else found.unchanged_starters(self._vault)
        if is_joining(found.actions, starter):
            raise SyncUnasked(
                f"The vault and {self.remote} both have files, and were never synced: `sam sync` "
                f"shows what it would do, and asks."
            )

    async def _carry(
        self, round_: Round, actions: dict[str, SyncAction], allowed: frozenset[SyncAction]
    ) -> None:
        await apply_spelling(round_, allowed)
        for name, action in actions.items():
            if action is SyncAction.AGREE:
                await round_.remember(name)
            elif action is SyncAction.FORGET:
                round_.state.files.pop(name, None)
        todo = await follow_renames(round_, actions, allowed)
        joined = await apply_remote(round_, todo)
        if SyncAction.PUSH in allowed:
            mine = {n: round_.live.hashes[n] for n, do in todo.items() if do is SyncAction.PUSH}
            # First, since a folder may have taken the place of a file, or a file that of a folder.
            gone = [name for name, do in todo.items() if do is SyncAction.REMOVE]
            edited = await remove(round_, gone)
            # What has the old text of one of these may be its new name, which the edit follows.
            renamed = {round_.base[name] for name in edited}
            mine = {n: hash for n, hash in mine.items() if n in round_.base or hash not in renamed}
            round_.done.left.extend(map(round_.path, edited))
            await send(round_, mine | joined)


def last_sync(remote: str, files: DataDir) -> tuple[datetime | None, str]:
    """Return what `Sync.last` does, of a vault that is not open; for a thread."""
    state = SyncFolder(files.sync).load(remote)
    at = state.last_ok or state.begun
    return (parse_utc(at) if at else None), state.last_error


def overdue(since: datetime | None, now: datetime) -> str:
    """Return what is wrong with a sync whose last success was `since`; empty when all is well."""
    if since is None or now - since <= STALE:
        return ""
    return f"nothing was synced since {since:%Y-%m-%d %H:%M} UTC"


def rclone_problem() -> str:
    """Return what is wrong with this machine's rclone, and the fix; empty when all is well."""
    try:
        find()
    except RcloneMissing as error:
        return str(error)
    return ""


def _lag(state: State, live: Side) -> int:
    return sum(
        name not in state.files or state.files[name].hash != hash
        for name, hash in live.hashes.items()
    )
