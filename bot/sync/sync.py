"""Two-way sync of the vault with a folder of an rclone remote, without losing anything.

rclone never touches the vault: it copies files between the remote and a folder of ours. The action
for each file is chosen from three hashes (last synced, here, there) and done through the vault,
under its lock. See docs/dev/architecture.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from memory import Clock, DataDir, SamError, Vault
from memory.infra import atomic_files, locked, parse_utc, unbroken

from ..errors import RcloneMissing, SyncUnasked
from .other_tools import check_alone
from .plan import Action, check_full, is_joining, survey
from .pull import carry_in
from .push import remove, send
from .rclone import Rclone, find, shown
from .remote import Remote
from .session import Entombed, Progress, Round, SyncResult
from .snapshot import Side, look
from .state import State, Store

STALE = timedelta(hours=1)
"""After so long without a successful sync the owner is notified: outages last minutes, not
hours."""

_PULL = frozenset({Action.TAKE, Action.ARCHIVE, Action.MERGE})
_PUSH = frozenset({Action.PUSH, Action.REMOVE, Action.MERGE})
_ROUNDS = 2  # the second transfers the archive copies of the first one
_PATIENCE = 60.0  # seconds to wait for a sync of another process


@dataclass(frozen=True, slots=True)
class SyncStatus:
    """For /status and doctor. `lag`: files of the vault that the remote lacks as they are.

    `begun`: the very first attempt with this remote.
    """

    remote: str
    last_ok: datetime | None
    last_error: str
    lag: int
    begun: datetime | None


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
    ) -> None:
        """`remote` as rclone names it; `progress` is called with how far each sync is."""
        self._zone, self._entombed, self._progress = zone, entombed, progress
        self._name = remote
        self._vault = vault
        self._clock = clock
        files = DataDir(vault.data_dir)
        folder, self._lock = files.sync, files.sync_lock
        self._store = Store(folder)
        self._rclone = Rclone(files.rclone_lock)
        self._remote = Remote(self._name, self._rclone, folder / "staging")

    async def run(self, *, agreed: bool = False) -> SyncResult:
        """Sync both ways. `agreed`: the owner confirmed it (see SyncUnasked)."""
        return await self._sync(_PULL | _PUSH, None, agreed)

    async def pull(self, *, agreed: bool = False) -> SyncResult:
        """Apply the remote's changes to the vault; send nothing."""
        return await self._sync(_PULL, None, agreed)

    async def push(self, paths: Iterable[str] | None = None, *, agreed: bool = False) -> SyncResult:
        """Send the vault's changes to the remote; only these files, if given.

        Where both sides changed, they are merged in the vault first.
        """
        return await self._sync(_PUSH, None if paths is None else frozenset(paths), agreed)

    async def plan(self) -> dict[str, Action]:
        """Return what `run` would do now, by path; changes nothing."""
        async with locked(self._lock, timeout=_PATIENCE):
            state = await asyncio.to_thread(self._store.load, self._name)
            with atomic_files.ours("the folder of the sync", "written"):
                self._begin(state)
                found = await survey(self._vault, self._remote, self._store, state, None)
            self._remote.sweep()
        idle = (Action.AGREE, Action.FORGET)
        names = found.away.side.names | found.live.names
        return {names[name]: do for name, do in found.actions.items() if do not in idle}

    def status(self) -> SyncStatus:
        """Return the outcome of the last sync, and the lag; runs in a thread. Raises VaultError."""
        state = self._store.load(self._name)
        return SyncStatus(
            shown(self._name),
            parse_utc(state.last_ok) if state.last_ok else None,
            state.last_error,
            _lag(state, look(self._vault, state)),
            parse_utc(state.begun) if state.begun else None,
        )

    def last(self) -> tuple[datetime | None, str]:
        """Return the last success, or else the first attempt, and the error since; runs in a
        thread."""
        state = self._store.load(self._name)
        at = state.last_ok or state.begun
        return (parse_utc(at) if at else None), state.last_error

    async def _sync(
        self, allowed: frozenset[Action], only: frozenset[str] | None, agreed: bool
    ) -> SyncResult:
        async with locked(self._lock, timeout=_PATIENCE):
            state = await asyncio.to_thread(self._store.load, self._name)
            state.begin(self._clock())
            done = SyncResult()
            try:
                with atomic_files.ours("the folder of the sync", "written"):
                    await self._rounds(state, allowed, only, agreed, done)
                done.lag = _lag(state, await unbroken(asyncio.to_thread(look, self._vault, state)))
                state.succeed(done.lag, self._clock() if only is None else None)
                if only is None:
                    self._store.prune(state.needed)
            except SamError as error:
                state.fail(str(error))
                raise
            finally:
                self._store.save(state)
            self._store.sent()
            self._remote.sweep()
            return done

    async def _rounds(
        self,
        state: State,
        allowed: frozenset[Action],
        only: frozenset[str] | None,
        agreed: bool,
        done: SyncResult,
    ) -> None:
        self._begin(state)
        for _ in range(_ROUNDS):
            before = done.copies
            done.left.clear()
            await self._round(state, allowed, only, agreed, done)
            if not done.left and done.copies == before:
                break

    def _begin(self, state: State) -> None:
        check_alone(self._vault.root)
        self._vault.check_present()
        self._rclone.check_idle()
        self._remote.sweep()
        if not state.files:  # a new machine may start from the remote's vault
            with atomic_files.ours(str(self._vault.root), "written"):
                self._vault.root.mkdir(mode=0o700, parents=True, exist_ok=True)

    async def _round(
        self,
        state: State,
        allowed: frozenset[Action],
        only: frozenset[str] | None,
        agreed: bool,
        done: SyncResult,
    ) -> None:
        found = await survey(self._vault, self._remote, self._store, state, only)
        if only is None:
            away, live = found.away.side.hashes, found.live.hashes
            check_full(f"The remote {shown(self._name)}", found.base, away, agreed)
            check_full(f"The vault {self._vault.root}", found.base, live, agreed)
        if not (agreed or state.agreed or state.files) and is_joining(
            found.actions, found.is_starter(self._vault)
        ):
            raise SyncUnasked(
                f"The vault and {shown(self._name)} both have files, and were never synced:"
                " `sam sync` shows what would become of them, and asks."
            )
        state.join()
        turn = Round(
            self._vault,
            self._remote,
            self._store,
            state,
            found.live,
            found.away,
            found.base,
            found.begun,
            self._clock(),
            done,
            self._zone,
            self._entombed,
            self._progress,
        )
        await self._carry(turn, dict(found.actions), allowed)

    async def _carry(
        self, turn: Round, actions: dict[str, Action], allowed: frozenset[Action]
    ) -> None:
        for name, action in actions.items():
            if action is Action.AGREE:
                await turn.remember(name)
            elif action is Action.FORGET:
                turn.state.files.pop(name, None)
        todo = {name: action for name, action in actions.items() if action in allowed}
        joined = await carry_in(turn, todo)
        if Action.PUSH in allowed:
            mine = {n: turn.live.hashes[n] for n, do in todo.items() if do is Action.PUSH}
            await send(turn, mine | joined)
            await remove(turn, [name for name, do in todo.items() if do is Action.REMOVE])


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
