"""The shared state of one round of a sync, and its result."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Literal

from memory import Vault
from memory.infra import atomic_files, run_to_end
from memory.vault import paths

from .incoming import Copies, InstructionChange, is_humans
from .remote import Remote
from .snapshot import RemoteSnapshot, Side
from .state import Known, State, SyncFolder

SETTLED = 5.0  # seconds between two lists; some remotes have times in whole seconds only
TEXT = (".md", ".txt")  # a merge of lines would break other formats (JSON, pictures)

Entombed = Callable[[Collection[str]], Awaitable[set[str]]]
"""Returns the lines that have a tombstone, which must not be written again."""


Progress = Callable[[str, int, int], None]
"""Called with the current step, the number of finished files, and their total."""


def no_progress(what: str, count: int, whole: int) -> None:
    """No-op: nobody watches a sync in the background."""


def title(local: datetime, origin: str) -> str:
    """Return the title of a callout: the owner's local time, and the text's origin."""
    return f"Sync conflict, {local.day} {local:%b %H:%M}, {origin}"


@dataclass(slots=True)
class SyncResult:
    """What a sync did, by path in the vault. `left` waits for the next sync.

    `instructions`: the remote's changes to Sam's instructions, for notifying the owner. `waiting`:
    paths of those that the owner has not accepted yet, notified or not. `kept`: files replaced or
    deleted here of which there is a copy. `unsynced`: paths that cannot be synced until they are
    renamed, or that the remote refuses.
    """

    taken: list[str] = field(default_factory=list)
    pushed: list[str] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    archived: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    instructions: list[InstructionChange] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    unsynced: list[str] = field(default_factory=list)
    lag: int = 0

    @property
    def copies(self) -> int:
        """The number of new archived files that are not on the other side yet."""
        return len(self.conflicts) + len(self.archived) + len(self.removed)

    @property
    def changed(self) -> list[str]:
        """The paths of the vault that changed."""
        return sorted({*self.taken, *self.merged, *self.conflicts, *self.archived})


@dataclass(slots=True)
class Round:
    """Both sides at the start of the round, and the store of the synced state.

    `base`: the hashes of the last synced state, by name. `counted`: the remote's changes count
    towards the daily limit.
    """

    vault: Vault
    remote: Remote
    store: SyncFolder
    copies: Copies
    state: State
    live: Side
    away: RemoteSnapshot
    base: Mapping[str, str]
    starters: Mapping[str, bytes]
    now: datetime
    done: SyncResult
    zone: tzinfo
    entombed: Entombed
    progress: Progress
    counted: bool

    @property
    def archive(self) -> str:
        """Sam's archive, a path of the vault."""
        return paths.join(self.vault.sam_dir, "archive")

    @property
    def kept_here(self) -> Path:
        """The local folder for files that are taken out of the vault or the remote."""
        return self.copies.of(self.now)

    def title(self, origin: str) -> str:
        """Return the title of a callout of this round."""
        return title(self.now.astimezone(self.zone), origin)

    def is_humans(self, name: str) -> bool:
        """Return whether the file describes Sam or the owner: there the remote's text wins."""
        return is_humans(name, self.vault.sam_dir)

    def path(self, name: str) -> str:
        """Return the file's path in the vault, existing or not."""
        return self.live.names.get(name) or self.away.side.names[name]

    def fetched(self, name: str) -> Path:
        """Return the local copy of the remote's file, if it was fetched."""
        return self.away.fetched / self.away.side.names.get(name, name)

    def note(self, name: str, what: Literal["changed", "deleted", "new"]) -> None:
        """Count a change of the vault by the remote; the first sync of a machine has no limit."""
        if self.counted:
            self.state.count_change(name, what, self.now)

    def spelling(self, name: str) -> str:
        """Return the remote's path that `Known` records: the earlier one, until it is applied."""
        if self.state.keeps_case:
            return ""
        known = self.state.files.get(name)
        there = self.away.side.names.get(name) or self.live.names[name]
        return (known.path if known is not None else "") or there

    async def remember(self, name: str) -> None:
        """Record that both sides have the remote's content, and store it for later merges."""
        listed, hash = self.away.listed[name], self.away.side.hashes[name]
        known = self.state.files.get(name)
        path = self.spelling(name)
        if known is not None and (known.hash, known.seen, known.path) == (hash, listed.shown, path):
            return
        await self.keep(name, hash, self.fetched(name))
        first_at = self.away.at
        if known is not None and known.hash == hash and known.first == listed.shown:
            first_at = known.first_at
        settled = not listed.young or abs(self.away.at - first_at) > SETTLED
        self.state.files[name] = Known(
            hash=hash,
            seen=listed.shown if settled else "",
            first=listed.shown,
            first_at=first_at,
            path=path,
        )
        self.store.record(self.state, name)

    def follows(self, name: str, hash: str) -> None:
        """Record that this edit of a file that was renamed here is written to its new name."""
        known = self.state.files[name]
        self.state.files[name] = known.model_copy(update={"follows": hash})
        self.store.record(self.state, name)

    def remember_sent(self, name: str, hash: str) -> None:
        """Record that this content was sent; uncertain until it has been seen there.

        Another program may have written to the remote at the same moment.
        """
        known = self.state.files.get(name)
        before = known.hash if known else ""
        if known is not None and known.before is not None:
            before = known.before  # what was sent before this has not been seen there either
        path = self.spelling(name)
        self.state.files[name] = Known(hash=hash, before=before, path=path)
        self.store.record(self.state, name)

    def arrived(self, names: Iterable[str]) -> None:
        """Record that the sent content was seen on the remote."""
        for name in names:
            known = self.state.files[name]
            self.state.files[name] = known.model_copy(update={"before": None})
            self.store.record(self.state, name)

    async def keep(self, name: str, hash: str, source: Path) -> None:
        """Store that text as a base of later merges, if it can be merged."""
        known = self.state.files.get(name)
        if name.lower().endswith(TEXT) and (known is None or known.hash != hash):
            await run_to_end(asyncio.to_thread(self._keep, source, hash, name))

    def _keep(self, source: Path, hash: str, name: str) -> None:
        with atomic_files.translate_errors(name, "read"):
            if source.is_file() and source.stat().st_size <= atomic_files.NOTE_BYTES:
                data = source.read_bytes()
                if atomic_files.digest(data) == hash:
                    self.store.keep(data)
