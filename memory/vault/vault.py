"""The vault: find, read and safely write notes.

The only place that turns a name into a path and that writes into the vault. Each write is an edit:
lock, read, change, compare, rename, fsync; if the note changed in the meantime, read and change it
again. Only forgotten content is deleted: everything else that is removed goes to `archive/`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ..errors import NoteMissing, SamError, VaultGone
from ..infra import atomic_files, text_encoding
from ..infra.file_locks import locked, run_to_end
from ..profile import DataDir
from . import paths, scanner
from .marker import Marker
from .paths import Places
from .scanner import NoteFile
from .unreadable import UnreadableNote, unreadable_notes
from .writer import Change, Edited, VaultWriter, WriteResult

T = TypeVar("T")

Journal = Callable[[str, str | None, str | None, str], Awaitable[None]]
"""Called under the vault's lock after each change: path, hash before and after (None: no file),
cause."""

Recorder = Callable[[Change, str], Awaitable[None]]
"""Called under the lock too, before the journal: the change, with an edit's texts, and the
cause."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note as read from disk. `hash`: of its bytes; `utf8`: whether it can be edited; `binary`:
    it is no text, in spite of its name."""

    path: str
    text: str
    hash: str
    utf8: bool
    mtime_ns: int
    binary: bool = False


class Vault:
    """One person's vault. `sam_dir` is Sam's folder in it as spelled on disk, empty for the vault
    itself."""

    def __init__(
        self,
        root: Path,
        *,
        sam_dir: str = "",
        data_dir: Path,
        exclude: Sequence[str] = (),
        journal: Journal | None = None,
        recorder: Recorder | None = None,
        restoring: bool = False,
    ) -> None:
        self.root = root
        self.sam_dir = paths.on_disk(root, sam_dir)
        self.data_dir, self._files = data_dir, DataDir(data_dir)
        self.journal, self._recorder = journal, recorder
        self._exclusions = scanner.Exclusions(root, exclude)
        self.places = Places(root, self.sam_dir)
        self._marker = Marker(self._files.vault_marker, restoring=restoring)
        self._edits = VaultWriter(root, self.sam_dir, self.places, self._marker)

    # ── names ────────────────────────────────────────────────────────────────────────────────

    def resolve(self, path: str) -> Path:
        """Return the path of a note, which need not exist. Raises PathRefused if it is invalid."""
        return self.places.of(path)[0]

    def own(self, name: str) -> str:
        """Return the path of one of Sam's files: `soul.md` → `Sam/soul.md`, or its upper-case
        variant."""
        return self.places.own(name)

    def is_indexed(self, path: str) -> bool:
        """Return whether a note at that path belongs in the index; it need not exist."""
        return scanner.indexed(path, self.sam_dir, self._exclusions.current())

    # ── reading ──────────────────────────────────────────────────────────────────────────────

    async def read(self, path: str) -> str:
        """Return the text (`\\n` newlines). Raises PathRefused, NoteMissing, NoteUnreadable."""
        return (await asyncio.to_thread(self.load, path)).text

    async def read_optional(self, path: str) -> str | None:
        """Return the note's text; None if there is no such note. Raises VaultGone if there is no
        vault."""
        return await asyncio.to_thread(self.load_optional, path)

    def load_optional(self, path: str) -> str | None:
        """Return the note's text, as `read_optional` does; runs in a thread."""
        try:
            return self.load(path).text
        except NoteMissing:
            self.check_present()
            return None

    def load(self, path: str) -> Note:
        """Return the note with its hash; runs in a thread. Raises PathRefused, NoteMissing,
        NoteUnreadable."""
        _, name = self.places.open(path)
        with atomic_files.opened(self.root, name, "read") as pinned:
            raw = atomic_files.read(pinned)
        text, form = text_encoding.decode(raw.data)
        return Note(name, text, raw.hash, form.utf8, raw.mtime_ns, form.binary)

    def load_each(self, paths: Iterable[str]) -> Iterator[tuple[str, Note]]:
        """Yield each path with its note; runs in a thread. Notes that were deleted meanwhile, or
        cannot be read, are left out; `sam doctor` reports the latter."""
        for path in paths:
            try:
                note = self.load(path)
            except SamError:
                continue
            yield path, note

    def in_folder(self, name: str) -> list[str]:
        """Return the paths of the notes directly in that folder of Sam's; runs in a thread."""
        place = self.own(name)
        return [f"{place}/{file.name}" for file in sorted((self.root / place).glob("*.md"))]

    def notes(self) -> Iterator[NoteFile]:
        """Yield all notes that belong in the index; runs in a thread. Raises VaultGone."""
        count = 0
        with self._listing():
            for note in scanner.walk(self.root, self.sam_dir, self._exclusions.current()):
                count += 1
                yield note
        if count:
            self._marker.set(self.root, count)
        else:
            self.check_present()

    def unreadable_notes(self) -> Iterator[UnreadableNote]:
        """Yield the notes that cannot be read or indexed; runs in a thread. Raises VaultGone."""
        with self._listing():
            yield from unreadable_notes(self.root, self.sam_dir, self._exclusions.current())

    def files(self, misnamed: set[str] | None = None) -> Iterator[NoteFile]:
        """Yield all files except hidden and sealed ones; runs in a thread. Raises VaultGone.

        An unreadable folder is an error, so the listing is always complete, but for the files whose
        name no note can have: their paths are added to `misnamed`.
        """
        with self._listing():
            yield from scanner.walk_all(self.root, self.sam_dir, misnamed)

    @contextmanager
    def _listing(self) -> Iterator[None]:
        """Translate the errors of listing the vault into VaultGone."""
        try:
            yield
        except OSError as error:
            raise VaultGone(
                f"The vault {self.root} cannot be read ({error.strerror}): check VAULT_DIR."
            ) from error

    # ── writing ──────────────────────────────────────────────────────────────────────────────

    async def edit(
        self, path: str, change: Callable[[str], str], *, cause: str, create: bool = True
    ) -> Edited:
        """Change a note by a pure function, which may be called more than once.

        A missing note counts as empty, and is created unless `create` is off (NoteMissing). When
        this returns, the text is on disk. Raises PathRefused, NoteMissing, NoteUnreadable,
        EditRefused, VaultError, LockHeld, and whatever `change` raises; nothing is changed then.
        """
        return await self._write(cause, lambda: self._edits.edit(path, change, create))

    async def edit_existing(
        self, path: str, change: Callable[[str], str], *, cause: str
    ) -> Edited | None:
        """Change a note as `edit` does; None if there is no such note."""
        try:
            return await self.edit(path, change, cause=cause, create=False)
        except NoteMissing:
            return None

    async def put(self, path: str, source: Path, *, expected: str | None, cause: str) -> bool:
        """Replace any file by a copy of `source` if its hash is `expected`, None for a file that
        must not exist. Return False, and change nothing, if it is not.

        Raises PathRefused, VaultError, LockHeld.
        """
        return await self._write(cause, lambda: self._edits.put(path, source, expected))

    async def move(self, path: str, to: str, *, cause: str, expected: str | None = None) -> str:
        """Rename a file to a free path; return the new path.

        Raises NoteMissing, PathRefused; EditRefused if the path is taken, or if the file's hash is
        not `expected`.
        """
        return await self._write(cause, lambda: self._edits.move(path, to, expected))

    async def archive(self, path: str, *, cause: str, expected: str | None = None) -> str:
        """Move a file to Sam's `archive/`; return the new path, with a number if the name was
        taken.

        Raises NoteMissing, PathRefused; EditRefused if the file's hash is not `expected`.
        """
        return await self._write(cause, lambda: self._edits.archive(path, expected))

    async def release(
        self, path: str, target: Path, *, cause: str, expected: str | None = None
    ) -> None:
        """Move a file out of the vault, to a free path elsewhere on this machine.

        Raises NoteMissing; PathRefused if there is a file at `target`; EditRefused if the file's
        hash is not `expected`.
        """
        await self._write(cause, lambda: self._edits.release(path, target, expected))

    async def remove(self, path: str, *, expected: str, cause: str) -> None:
        """Delete a file for good: only for Sam's own files that the owner asked to forget.

        Raises NoteMissing; EditRefused if the file's hash is not `expected`.
        """
        known = self.forgotten() | {expected}  # first, so that no copy is synced back
        atomic_files.write(self._files.forgotten, "".join(f"{one}\n" for one in known).encode())
        await self._write(cause, lambda: self._edits.remove(path, expected))

    async def take_back(self, path: str, *, expected: str, cause: str) -> None:
        """Delete a note created by an edit, whose text is in the history, or by an import, if the
        owner undoes that.

        Raises NoteMissing; EditRefused if the note's hash is not `expected`.
        """
        await self._write(cause, lambda: self._edits.remove(path, expected))

    def sealed_hashes(self, sizes: Collection[int]) -> set[str]:
        """Return the hashes of the files in `sealed/` that have one of these sizes; runs in a
        thread. Those that cannot be read are left out. Raises VaultGone."""
        hashes = set()
        with self._listing():
            found = list(scanner.walk_sealed(self.root, self.sam_dir))
        for file in found:
            if file.size in sizes:
                with suppress(OSError):
                    hashes.add(atomic_files.file_hash(self.root / file.path))
        return {hash for hash in hashes if hash is not None}

    def forgotten(self) -> set[str]:
        """Return the hashes of the files that were deleted for good, so that their copies elsewhere
        are deleted too."""
        try:
            return set(self._files.forgotten.read_text("utf-8").split())
        except FileNotFoundError:
            return set()

    @property
    def lock(self) -> Path:
        """Return the path of the lock that each edit takes."""
        return self._files.vault_lock

    # ── the vault as a whole ─────────────────────────────────────────────────────────────────

    @property
    def used(self) -> bool:
        """Return whether a vault was used with this data folder before."""
        return self._marker.note_count() > 0

    def check_present(self) -> None:
        """Raise VaultGone when a vault that was used before is missing or empty."""
        self._marker.check(self.root)

    async def _write(self, cause: str, work: Callable[[], WriteResult[T]]) -> T:
        async with locked(self.lock):
            return await run_to_end(self._record(cause, work))

    async def _record(self, cause: str, work: Callable[[], WriteResult[T]]) -> T:
        done = await asyncio.to_thread(work)
        for change in done.changes:
            if self._recorder is not None:
                await self._recorder(change, cause)
            if self.journal is not None:
                await self.journal(change.path, change.before, change.after, cause)
        return done.result
