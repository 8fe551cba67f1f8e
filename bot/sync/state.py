"""The persistent state of the sync in DATA_DIR/sync: the synced files, their texts, the outcome.

It may be deleted: the next sync then starts over, keeping everything of both sides.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from memory import NoteMissing, Vault
from memory.infra import atomic_files as files
from memory.infra import parse_utc, utc_text
from memory.vault import NoteFile, paths

DAY = timedelta(days=1)  # how long the remote's changes count against its limit
_TICK = 100_000_000  # ns: two changes within one tick of the file system's clock look like one


class Known(BaseModel):
    """A file in the last synced state.

    `seen`: the remote's list entry (size, time) with this content; empty while uncertain: then it
    is fetched at the next sync. `first`: the list entry when it was first found with this content,
    at `first_at` (this machine's seconds).

    `before`: the synced content before Sam sent this one; "" for none, None when the remote has
    been seen with it. Until then another text there may be a concurrent write.

    `path`: how the remote spelled it, where case may be ignored; else "".

    `follows`: the remote's edit of a file that was renamed here, which is being written to its new
    name: after a kill it may be there.
    """

    model_config = ConfigDict(frozen=True)

    hash: str
    seen: str = ""
    first: str = ""
    first_at: float = 0.0
    before: str | None = None
    path: str = ""
    follows: str = ""


class Stamp(BaseModel):
    """A file's metadata in the vault when it was last hashed."""

    model_config = ConfigDict(frozen=True)

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    hash: str

    def is_of(self, file: NoteFile) -> bool:
        """Return whether the file has not changed since."""
        return (self.size, self.mtime_ns, self.ctime_ns, self.inode) == (
            file.size,
            file.mtime_ns,
            file.ctime_ns,
            file.inode,
        )


class RemoteChange(BaseModel):
    """What the remote did to a file of the vault, and when, as UTC text."""

    model_config = ConfigDict(frozen=True)

    what: Literal["changed", "deleted", "new"]
    at: str


class State(BaseModel):
    """`last_ok` and `begun` (the first attempt) are UTC text, `lag` the number of files of the
    vault that the remote lacks. `agreed`: the owner has agreed to join two sides that were full.

    `day`: what the remote changed here within a day, by name. `stopped`: since when too much of it
    waits for the owner. `waiting`: the hash, by name, of each instruction of the remote that waits
    for the owner, who was notified of it; empty for a deletion. `unsynced`: paths that cannot be
    synced until they are renamed, or that the remote refuses. `keeps_case`: whether both sides can
    have two files whose names differ only in case; None while that is unknown.
    """

    remote: str = ""
    files: dict[str, Known] = {}
    stamps: dict[str, Stamp] = {}
    last_ok: str = ""
    last_error: str = ""
    lag: int = 0
    agreed: bool = False
    begun: str = ""
    day: dict[str, RemoteChange] = {}
    stopped: str = ""
    waiting: dict[str, str] = {}
    unsynced: list[str] = []
    keeps_case: bool | None = None

    def key(self, path: str) -> str:
        """Return the key by which a file is the same on both sides: its path in one Unicode form,
        since macOS uses another one than other systems, and in lower case unless both sides keep
        case."""
        return paths.composed(path) if self.keeps_case else paths.caseless(path)

    def find_case(self, keeps: bool) -> None:
        """Record whether both sides keep case: the keys change with it."""
        self.keeps_case = keeps
        twins = Counter(self.key(known.path or name) for name, known in self.files.items())
        self.files = {
            key: known
            for name, known in self.files.items()
            if twins[key := self.key(known.path or name)] == 1
        }
        self.day = {self.key(name): change for name, change in self.day.items()}
        self.waiting = {self.key(name): hash for name, hash in self.waiting.items()}

    @property
    def needed(self) -> set[str]:
        """Return the hashes of all texts that a merge may need."""
        return {known.hash for known in self.files.values()} | {
            known.before for known in self.files.values() if known.before
        }

    def begin(self, now: datetime) -> None:
        """Record that a sync is attempted now."""
        self.begun = self.begun or utc_text(now)
        # Robust against changes of the clock.
        recent = {n: each for n, each in self.day.items() if abs(now - parse_utc(each.at)) < DAY}
        self.day = recent

    def count_change(
        self, name: str, what: Literal["changed", "deleted", "new"], now: datetime
    ) -> None:
        """Count a change of the vault by the remote. Files that it added today may change today;
        deleted files stay counted even if they come back."""
        known = self.day.get(name)
        if known is None or "new" not in (known.what, what):
            self.day[name] = RemoteChange(what=what, at=utc_text(now))

    def hold(self, hashes: dict[str, str], unsynced: list[str]) -> None:
        """Record which instructions wait for the owner, who is notified of them now, and which
        files cannot be synced."""
        self.waiting, self.unsynced = hashes, unsynced

    def stop(self, now: datetime) -> str:
        """Record that a sync waits for the owner; return since when, as UTC text."""
        self.stopped = self.stopped or utc_text(now)
        return self.stopped

    @property
    def vault_bytes(self) -> int:
        """The size of the vault's files, without those that changed in this moment."""
        return sum(stamp.size for stamp in self.stamps.values())

    def join(self) -> None:
        """Record that the two sides may be merged: the owner is not asked again."""
        self.agreed = True

    def succeed(self, lag: int, complete_at: datetime | None) -> None:
        """Record a successful sync; `complete_at` only for one of all files."""
        self.lag, self.last_error = lag, ""
        if complete_at is not None:
            self.last_ok, self.stopped = utc_text(complete_at), ""

    def fail(self, why: str) -> None:
        """Record that a sync failed with this error."""
        self.last_error = why

    def hashes(self, vault: Vault, found: Iterable[NoteFile]) -> dict[str, str]:
        """Return the hash of each file, by path; runs in a thread. Reads only what changed since
        its stamp.

        The stamps are those of these files from here on. A file that is gone by now has no hash.
        Raises VaultError.
        """
        now, stamps, hashes = time.time_ns(), {}, {}  # the file system's time, not Sam's
        for file in found:
            stamp = self.stamps.get(file.path)
            if stamp is None or not stamp.is_of(file):
                with files.translate_errors(file.path, "read"):
                    hash = files.file_hash(vault.resolve(file.path))
                if hash is None:
                    continue
                stamp = Stamp(
                    size=file.size,
                    mtime_ns=file.mtime_ns,
                    ctime_ns=file.ctime_ns,
                    inode=file.inode,
                    hash=hash,
                )
            if now - file.ctime_ns > _TICK:
                stamps[file.path] = stamp
            hashes[file.path] = stamp.hash
        self.stamps = stamps
        return hashes


class SyncFolder:
    """The folder of one vault's syncs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file, self._former = folder / "state.json", folder / "state.former.json"
        self._texts = folder / "base"
        self._sending = folder / "sending.json"
        self._journal = folder / "journal.jsonl"

    def load(self, remote: str) -> State:
        """Load the state of this remote, with what `record` added to it; an empty one for another
        remote than before. Raises VaultError."""
        sign = hashlib.sha256(remote.encode()).hexdigest()  # it may contain a password
        kept = (self._read(self._file), self._read(self._former))
        state = next((each for each in kept if each.remote == sign), State(remote=sign))
        for name, known in self._recorded(sign):
            state.files[name] = known
        return state

    def _read(self, file: Path) -> State:
        """Return the state in that file; an empty one if it is missing or damaged."""
        try:
            with files.translate_errors(str(file), "read"):
                return State.model_validate_json(file.read_bytes())
        except (NoteMissing, ValidationError):
            return State()

    def save(self, state: State) -> None:
        """Save it durably. Raises VaultError.

        The state of another remote is kept until this one has files: it may be a mistyped name.
        """
        with files.translate_errors(self._file.name, "written"):
            there = State() if state.files else self._read(self._file)
            if there.files and there.remote != state.remote:
                there.files.update(self._recorded(there.remote))
                files.write(self._former, there.model_dump_json().encode())
            files.write(self._file, state.model_dump_json().encode())
            if state.files:
                self._former.unlink(missing_ok=True)
            self._journal.unlink(missing_ok=True)

    def record(self, state: State, name: str) -> None:
        """Record what the state knows of a file, in case this process is killed before it saves
        the state: the file's next edit would be merged with too old a base. Raises VaultError."""
        row = [state.remote, name, state.files[name].model_dump(exclude_defaults=True)]
        with files.translate_errors(self._journal.name, "written"):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._journal.open("a", encoding="utf-8") as journal:
                journal.write("\n" + json.dumps(row))  # the last one may be incomplete

    def _recorded(self, sign: str) -> Iterator[tuple[str, Known]]:
        try:
            rows = self._journal.read_text("utf-8").splitlines()
        except FileNotFoundError:
            return
        for row in rows:
            with suppress(ValueError):
                remote, name, known = json.loads(row)
                if remote == sign:
                    yield name, Known.model_validate(known)

    def sends(self, hashes: dict[str, str]) -> None:
        """Record what is about to be sent, by name: a crash may leave a part. Raises VaultError."""
        with files.translate_errors(self._sending.name, "written"):
            files.write(self._sending, json.dumps(self.interrupted() | hashes).encode())

    def sent(self) -> None:
        """Clear that record: everything was sent and is in the saved state."""
        self._sending.unlink(missing_ok=True)

    def interrupted(self) -> dict[str, str]:
        """Return what was being sent when the last sync was interrupted."""
        try:
            found = json.loads(self._sending.read_bytes())
        except (FileNotFoundError, ValueError):
            return {}
        return {str(name): str(hash) for name, hash in found.items()}

    def keep(self, data: bytes) -> None:
        """Store a synced text as a base of later merges. Raises VaultError."""
        place = self._place(files.digest(data))
        if not place.exists():
            with files.translate_errors(place.name, "written"):
                files.write(place, data)

    def text(self, hash: str) -> bytes | None:
        """Return a stored text by its hash; None if it is missing or damaged."""
        try:
            data = self._place(hash).read_bytes()
        except FileNotFoundError:
            return None
        return data if files.digest(data) == hash else None

    def prune(self, hashes: Iterable[str]) -> None:
        """Delete the texts whose hash is not among these."""
        needed = set(hashes)
        for place in self._texts.glob("*/*"):
            if place.name not in needed:
                with suppress(FileNotFoundError):
                    place.unlink()

    def _place(self, hash: str) -> Path:
        return self._texts / hash[:2] / hash
