"""The vault: finds, reads and safely writes notes. Knows neither their format nor the index.

The only place that turns a name into a path and that writes into the vault. Each write is an edit:
lock, read, change, compare, rename, fsync; when the note changed meanwhile, it is read and changed
again. Nothing is deleted: what goes, goes to `archive/`.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from . import encoding, files, paths, scan
from .errors import EditRefused, NoteMissing, NoteUnreadable, VaultGone
from .locks import hold, unbroken
from .places import Marker, Places
from .scan import NoteFile

Journal = Callable[[str, str | None, str | None, str], Awaitable[None]]
"""Called under the vault's lock after each change: path, hash before and after (None: no file),
cause."""

_TRIES = 50  # against an editor that saves without end


@dataclass(frozen=True, slots=True)
class Note:
    """A note as it was read. `hash` is that of its bytes, `utf8` whether it can be edited."""

    path: str
    text: str
    hash: str
    utf8: bool
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Edited:
    """What an edit did. `path` is the note's true name; `before` is None for a new note."""

    path: str
    before: str | None
    after: str
    changed: bool
    before_hash: str | None
    after_hash: str | None


class Vault:
    """One person's vault. `sam_dir` is Sam's folder in it, empty for the vault itself."""

    def __init__(
        self,
        root: Path,
        *,
        sam_dir: str = "",
        data_dir: Path,
        exclude: Sequence[str] = (),
        journal: Journal | None = None,
    ) -> None:
        self.root = root
        self.sam_dir = sam_dir.strip("/")
        self.data_dir = data_dir
        self.journal = journal
        self._exclusions = scan.Exclusions(root, exclude)
        self.places = Places(root, self.sam_dir)
        self._marker = Marker(data_dir / "vault.json")
        self._swept = False

    # ── names ────────────────────────────────────────────────────────────────────────────────

    def resolve(self, path: str) -> Path:
        """Where that note is, or would be; PathRefused when that is no place for a note."""
        return self.places.of(path)[0]

    def own(self, name: str) -> str:
        """The path of a file of Sam's: `soul.md` → `Sam/soul.md`, or its upper-case twin."""
        return self.places.own(name)

    def is_indexed(self, path: str) -> bool:
        """Whether a note of that path belongs in the index; it need not exist."""
        return scan.indexed(path, self.sam_dir, self._exclusions.now())

    def is_sealed(self, path: str) -> bool:
        """Whether the path lies in `sealed/`, which is for the owner's eyes alone."""
        return paths.sealed(path, self.sam_dir)

    # ── reading ──────────────────────────────────────────────────────────────────────────────

    async def read(self, path: str) -> str:
        """The note's text, newlines as `\\n`. PathRefused NoteMissing NoteUnreadable."""
        return (await asyncio.to_thread(self.load, path)).text

    async def read_optional(self, path: str) -> str | None:
        """The note's text, or None when there is no such note."""
        try:
            return await self.read(path)
        except NoteMissing:
            return None

    def load(self, path: str) -> Note:
        """The note with its hash; for a thread. PathRefused NoteMissing NoteUnreadable."""
        place, name = self.places.open(path)
        with files.ours(name, "read"):
            raw = files.read(place)
        text, form = encoding.decode(raw.data)
        return Note(name, text, raw.hash, form.utf8, raw.mtime_ns)

    def notes(self) -> Iterator[NoteFile]:
        """All notes that belong in the index; for a thread. VaultGone when they are gone."""
        count = 0
        try:
            for note in scan.walk(self.root, self.sam_dir, self._exclusions.now()):
                count += 1
                yield note
        except OSError as error:
            raise VaultGone(
                f"The vault {self.root} cannot be read ({error.strerror}): check VAULT_DIR."
            ) from error
        if count:
            self._marker.set(self.root, count)
        else:
            self.check_present()

    # ── writing ──────────────────────────────────────────────────────────────────────────────

    async def edit(
        self, path: str, change: Callable[[str], str], *, cause: str, create: bool = True
    ) -> Edited:
        """Change a note by a pure function, which may be called more than once.

        A missing note counts as empty, and is made unless `create` is off (NoteMissing). When
        this returns, the text is on the disk. PathRefused NoteMissing NoteUnreadable EditRefused
        VaultError LockHeld, and what `change` raises: then nothing is changed.
        """
        async with hold(self.lock):
            return await unbroken(self._edit_and_tell(path, change, cause, create))

    async def put(self, path: str, source: Path, *, expected: str | None, cause: str) -> bool:
        """Replace a file, note or not, by a copy of `source`, while its hash is `expected`.

        `expected` is None for a file that must not exist. False: it is another by now, and stays.
        """
        async with hold(self.lock):
            return await unbroken(self._put_and_tell(path, source, expected, cause))

    async def archive(self, path: str, *, cause: str, expected: str | None = None) -> str:
        """Move a file to Sam's `archive/`; the new path, with a number where that was taken.

        With `expected`, EditRefused when the file's hash is another by now.
        """
        async with hold(self.lock):
            return await unbroken(self._archive_and_tell(path, cause, expected))

    @property
    def lock(self) -> Path:
        """The lock around each edit."""
        return self.data_dir / "vault.lock"

    # ── the vault as a whole ─────────────────────────────────────────────────────────────────

    def check_present(self) -> None:
        """VaultGone when a vault that was used before is missing or empty now."""
        self._marker.check(self.root)

    # ── inside ───────────────────────────────────────────────────────────────────────────────

    async def _edit_and_tell(
        self, path: str, change: Callable[[str], str], cause: str, create: bool
    ) -> Edited:
        edited = await asyncio.to_thread(self._edit, path, change, create)
        if edited.changed:
            await self._tell(edited.path, edited.before_hash, edited.after_hash, cause)
        return edited

    def _edit(self, path: str, change: Callable[[str], str], create: bool) -> Edited:
        self._ready()
        for _ in range(_TRIES):
            place, name = self.places.open(path)
            raw = self._settled(place, name)
            if raw is None and not create:
                raise NoteMissing(f"There is no note {name}.")
            before, form = encoding.decode(raw.data if raw else b"")
            known = None if raw is None else before
            known_hash = raw.hash if raw else None
            after = change(before)
            if after == before:
                return Edited(name, known, after, False, known_hash, known_hash)
            data = encoding.encode(after, form, name)
            if len(data) > files.NOTE_BYTES:
                raise EditRefused(f"{name} would grow too large to be read again: split it.")
            with files.ours(name, "written"):
                done = files.replace(place, data, expected=known_hash)
            if done:
                return Edited(name, known, after, True, known_hash, self._verify(place, name, data))
        raise EditRefused(f"{path} changes all the time: try again when your editor is done.")

    def _settled(self, place: Path, name: str) -> files.Raw | None:
        """The bytes of a note; when it is empty, after a look whether an editor is at it."""
        raw = None
        with files.ours(name, "read"):
            for wait in (0.0, 0.02, 0.05):
                time.sleep(wait)
                try:
                    raw = files.read(place)
                except FileNotFoundError:
                    return None
                if raw.data:  # editors truncate a file, and then write into it
                    break
        return raw

    def _verify(self, place: Path, name: str, data: bytes) -> str:
        """Read back; who saved over it since then, wrote after us."""
        written = files.digest(data)
        with files.ours(name, "read"):
            found = files.read(place)
        if found.hash != written and len(found.data) < len(data) and data.startswith(found.data):
            raise NoteUnreadable(f"{name} came back shorter than it was written: check the disk.")
        return written

    async def _put_and_tell(
        self, path: str, source: Path, expected: str | None, cause: str
    ) -> bool:
        def work() -> tuple[str, str | None] | None:
            self._ready()
            place, name = self.places.open(path)
            with files.ours(name, "written"):
                done = files.replace(place, source, expected=expected)
                return (name, files.file_hash(place)) if done else None

        done = await asyncio.to_thread(work)
        if done:
            await self._tell(done[0], expected, done[1], cause)
        return done is not None

    async def _archive_and_tell(self, path: str, cause: str, expected: str | None) -> str:
        def work() -> tuple[str, str, str | None]:
            self._ready()
            place, name = self.places.open(path)
            with files.ours(name, "written"):
                known = files.file_hash(place)
                if known is None:
                    raise NoteMissing(f"There is no note {name}.")
                if expected not in (None, known):
                    raise EditRefused(f"{name} has changed meanwhile: it is not archived.")
                inside = name.removeprefix(f"{self.sam_dir}/") if self.sam_dir else name
                target, new = self._free(f"archive/{inside.removeprefix('archive/')}")
                files.move(place, target)
                return name, new, known

        name, new, known = await asyncio.to_thread(work)
        await self._tell(name, known, None, cause)
        await self._tell(new, None, known, cause)
        return new

    def _free(self, name: str) -> tuple[Path, str]:
        """The place of a file of Sam's that is not there yet: `a.md`, `a 2.md`, …"""
        whole = PurePosixPath(name)
        for number in itertools.count(2):
            place, path = self.places.open(self.own(name))
            if not place.exists():
                return place, path
            name = str(whole.with_name(f"{whole.stem} {number}{whole.suffix}"))
        raise AssertionError("the numbers do not end")

    async def _tell(self, path: str, before: str | None, after: str | None, cause: str) -> None:
        if self.journal is not None:
            await self.journal(path, before, after, cause)

    def _ready(self) -> None:
        """Before each write, under the lock: the vault is there, and no leftovers are."""
        if not self.root.is_dir():
            raise VaultGone(f"There is no vault at {self.root}: mount it, or set VAULT_DIR.")
        self.check_present()
        if not self._swept:
            with files.ours(str(self.root), "written"):
                files.sweep(self.root)
            self._swept = True
