"""What the last syncs left behind, in DATA_DIR/sync: the agreed files, their texts, the outcome.

All of it may be removed: the next sync then starts over, and keeps all of both sides.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel, ValidationError

from memory.infra import atomic_files as files


class Known(BaseModel):
    """A file as both sides last agreed on it.

    `seen` is how the remote listed it (size, time) when it had this content; empty while that is
    not certain: then it is looked into at the next sync. `first` is how it was listed when it was
    found with this content once, at `first_at` (this machine's seconds).

    `before`: what was agreed on before Sam sent this content; "" for nothing, None when the remote
    has been seen with it. Until then, another's text there may know nothing of what was sent.
    """

    hash: str
    seen: str = ""
    first: str = ""
    first_at: float = 0.0
    before: str | None = None


class Stamp(BaseModel):
    """A file of the vault when it was last hashed, as the file system showed it."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    hash: str


class State(BaseModel):
    """`last_ok` and `begun` (the first attempt) are UTC text, `lag` the number of files of the
    vault that the remote lacks. `agreed`: the owner has agreed to join two sides that were full.
    """

    remote: str = ""
    files: dict[str, Known] = {}
    stamps: dict[str, Stamp] = {}
    last_ok: str = ""
    last_error: str = ""
    lag: int = 0
    agreed: bool = False
    begun: str = ""

    @property
    def needed(self) -> set[str]:
        """The hashes of all texts that a merge may ask for."""
        return {known.hash for known in self.files.values()} | {
            known.before for known in self.files.values() if known.before
        }


class Store:
    """The folder of one vault's syncs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = folder / "state.json"
        self._texts = folder / "base"
        self._sending = folder / "sending.json"

    def load(self, remote: str) -> State:
        """What is known of this remote; nothing, of another one than before."""
        sign = hashlib.sha256(remote.encode()).hexdigest()  # it may hold a password
        try:
            state = State.model_validate_json(self._file.read_bytes())
        except (FileNotFoundError, ValidationError):
            state = State()
        return state if state.remote == sign else State(remote=sign)

    def save(self, state: State) -> None:
        """Write it down for good. VaultError."""
        with files.ours(self._file.name, "written"):
            files.write(self._file, state.model_dump_json().encode())

    def sends(self, hashes: dict[str, str]) -> None:
        """Note what is about to be sent, by name: if we die, it may arrive in part. VaultError."""
        with files.ours(self._sending.name, "written"):
            files.write(self._sending, json.dumps(self.interrupted() | hashes).encode())

    def sent(self) -> None:
        """All of it has arrived, and stands in the state that was saved."""
        self._sending.unlink(missing_ok=True)

    def interrupted(self) -> dict[str, str]:
        """What was being sent when the last sync broke off."""
        try:
            found = json.loads(self._sending.read_bytes())
        except (FileNotFoundError, ValueError):
            return {}
        return {str(name): str(hash) for name, hash in found.items()}

    def keep(self, data: bytes) -> None:
        """Keep a text that both sides agreed on, for later merges. VaultError."""
        place = self._place(files.digest(data))
        if not place.exists():
            with files.ours(place.name, "written"):
                files.write(place, data)

    def text(self, hash: str) -> bytes | None:
        """A text that was kept, by its hash; None if it is gone or damaged."""
        try:
            data = self._place(hash).read_bytes()
        except FileNotFoundError:
            return None
        return data if files.digest(data) == hash else None

    def prune(self, hashes: Iterable[str]) -> None:
        """Forget the texts that none of these names any more."""
        needed = set(hashes)
        for place in self._texts.glob("*/*"):
            if place.name not in needed:
                with suppress(FileNotFoundError):
                    place.unlink()

    def _place(self, hash: str) -> Path:
        return self._texts / hash[:2] / hash
