"""The index of one profile: derived from vault and log, searched by recall, and always rebuildable.

`Index` opens the published generation, switches when another process publishes a new one, keeps it
up to date through `reconcile`, and adds vectors to chunks.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from pathlib import Path

from ..errors import LockHeld, StoreCorrupt, StoreError
from ..infra import atomic_files
from ..infra.clock import Clock
from ..infra.failpoints import failpoint
from ..infra.file_locks import is_locked, locked, run_to_end
from ..infra.sqlite import Connection, Database, checkpoint, connect, errors, transaction
from ..log import Log
from ..log.changefeed import MayWait, none_may_wait
from ..profile import DataDir
from ..vault import Vault
from . import fulltext, tables
from .generation import Shape, Unfit, expect_layout
from .reconciler import Between, Reconciler, ReconcileResult, no_pause, sum_of
from .vector_file import VectorFile

# The files of the index: `<n>.db`, and `current`, one line that names the one in use.
#
# A database that another process may have open is never renamed over or removed under a reader: a
# rebuild is a new file, and the pointer moves last.

_KEEP = ".db"


class Generations:
    """The generations of the index in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._pointer = folder / "current"

    def stamp(self) -> tuple[int, int] | None:
        """Return a value that changes exactly when another generation is published; one `stat`
        call."""
        try:
            found = self._pointer.stat()
        except FileNotFoundError:
            return None
        return found.st_mtime_ns, found.st_ino

    def current(self) -> Path | None:
        """Return the published generation's file, or None."""
        try:
            name = self._pointer.read_text("utf-8").strip()
        except FileNotFoundError:
            return None
        path = self.folder / name
        return path if name.removesuffix(_KEEP).isdigit() and path.exists() else None

    def new(self) -> Path:
        """Return a path that no generation in this folder has used."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        numbers = [int(file.stem) for file in self.folder.glob("*.db") if file.stem.isdigit()]
        pointed = self.current()
        if pointed is not None:
            numbers.append(int(pointed.stem))
        return self.folder / f"{max(numbers, default=0) + 1}{_KEEP}"

    def publish(self, path: Path) -> None:
        """Make that file the current generation, atomically."""
        atomic_files.write(self._pointer, f"{path.name}\n".encode())

    def sweep(self) -> None:
        """Remove all generations except the published one: older and unfinished ones.

        Requires `rebuild.lock` and `index.lock`, or an unfinished rebuild would be removed. Readers
        of an older generation keep it until they close it; its space is freed then.
        """
        pointed = self.current()
        if pointed is None:
            return
        for file in self.folder.glob("*.db*"):
            number = file.name.split(".")[0]
            if number.isdigit() and number != pointed.stem:
                file.unlink(missing_ok=True)


log = logging.getLogger(__name__)


class Index:
    """One profile's index; open it with `Index.open`."""

    def __init__(
        self, files: DataDir, vault: Vault, source: Log, shape: Shape, zone: tzinfo, clock: Clock
    ) -> None:
        self._vault, self._log, self.shape = vault, source, shape
        self._zone, self._clock = zone, clock
        self._generations, self.is_sole = Generations(files.index), False
        self._files, self._lock = files, files.index_lock
        self.vector_file: VectorFile | None = None
        """What several workers share; None if there is one, or no embedder."""
        if files.cache is not None and shape.identity is not None:
            self.vector_file = VectorFile(files.vectors, files.vectors_lock, shape.identity)
        self._db: Database | None = None
        self._retired: Database | None = None
        self._stamp: tuple[int, int] | None = None
        self._opening = asyncio.Lock()
        self._vectors: tuple[Database, Shape] | None = None
        self._listeners: list[asyncio.Event] = []

    def use_zone(self, zone: tzinfo) -> None:
        """Use that time zone for the days of the messages that are indexed from now on."""
        self._zone, self.shape = zone, replace(self.shape, zone=str(zone))

    @classmethod
    async def open(
        cls,
        files: DataDir,
        vault: Vault,
        source: Log,
        shape: Shape,
        zone: tzinfo,
        clock: Clock,
        *,
        sole: bool,
    ) -> Index:
        """Open the published generation, or create one. `sole`: this is the only process that runs
        Sam.

        A generation of another embedder serves keyword searches until the new one is built. Only
        the sole process replaces it, so that a command with other settings does not undo its work.
        """
        index = cls(files, vault, source, shape, zone, clock)
        index.is_sole = sole
        if sole:
            with contextlib.suppress(LockHeld):  # a rebuild is running: the next start sweeps
                async with index.unbuilt(timeout=0), locked(index._lock):
                    await run_to_end(asyncio.to_thread(index._generations.sweep))
        await index.db()
        return index

    async def db(self) -> Database:
        """Return the published generation's database; reopen when another one was published."""
        stamp = self._generations.stamp()
        if self._db is not None and stamp == self._stamp:
            return self._db
        async with self._opening:
            if self._db is None or self._generations.stamp() != self._stamp:
                await self._reopen()
        assert self._db is not None
        return self._db

    def serves(self, db: Database) -> bool:
        """Return whether `db` is the open generation; safe to call from any thread."""
        return self._db is db

    async def _reopen(self) -> None:
        """Open the published generation; publish a new one if there is none that can be used."""
        # Read before the name: a publication in between shows up as a new stamp next time.
        stamp, path = self._generations.stamp(), self._generations.current()
        opened, outdated = await self._opened(path) if path is not None else (None, None)
        if opened is None:
            async with locked(self._lock, timeout=60):
                if self._generations.stamp() == stamp:
                    opened = await self._create(self._generations.new())
                    if outdated is not None:
                        await self._inherit(opened, outdated)
                    self._generations.publish(opened.path)
                    stamp = self._generations.stamp()
        if opened is None:  # another process published first
            return await self._reopen()
        # Running reads finish on the previous generation: it is closed at the next change.
        older, self._retired = self._retired, self._db
        self._db, self._stamp = opened, stamp
        for event in self._listeners:
            opened.listen(event)
            event.set()
        if older is not None:
            await older.close()

    async def _opened(self, path: Path) -> tuple[Database | None, Path | None]:
        """Open a generation: return it, or if it must be replaced, its path if its vectors can be
        used. Raises StoreError if it is of another version of Sam that runs."""
        beside = not self.is_sole and is_locked(self._files.run_lock)
        # A running Sam takes another time zone over without a rebuild: see `use_zone`.
        fits = expect_layout(self.shape, any_zone=beside)
        try:
            opened = await Database.open(path, prepare=fits, synchronous="NORMAL", extension=True)
        except StoreCorrupt as why:
            log.warning("index generation=%s is replaced: %s", path.name, why)
            return None, None
        except Unfit as why:
            if beside:  # two versions of Sam would keep replacing each other's index
                raise StoreError(
                    "Sam runs with another version or other settings: restart it"
                ) from why
            log.info("index generation=%s is replaced: %s", path.name, why)  # after an update
            return None, path
        return opened, None

    async def _create(self, path: Path) -> Database:
        meta = {**self.shape.meta(), "changed": "0"}

        def prepare(db: Connection) -> None:
            with transaction(db):
                tables.create(db, meta)
                if self.shape.identity and self.shape.identity.dimension:
                    tables.create_vectors(db, self.shape.identity.dimension)

        made = await Database.open(path, prepare=prepare, synchronous="NORMAL", extension=True)
        if self.vector_file is not None:
            await self.vector_file.copy_to(made)
        return made

    async def _inherit(self, new: Database, outdated: Path) -> None:
        """Copy the vectors of a generation of another layout, so that the texts that stayed the
        same are not embedded again; none if another embedder made them."""

        def meta() -> dict[str, str]:
            with errors(outdated), contextlib.closing(connect(outdated)) as db:
                return tables.meta(db)

        try:
            if self.shape.identity and self.shape.has_embedder(await asyncio.to_thread(meta)):
                await new.maintain(partial(tables.copy_cache, path=outdated))
                await new.write(partial(tables.set_meta, name=tables.INHERITED, value="1"))
        except StoreError as why:
            log.warning("index generation=%s: its vectors are not used: %s", outdated.name, why)

    def listen(self, event: asyncio.Event) -> None:
        """Set `event` after each change to the index by this process, and after a switch of
        generation."""
        self._listeners.append(event)
        if self._db is not None:
            self._db.listen(event)

    async def fits(self) -> bool:
        """Return whether the published generation has our shape."""
        return self.shape.fits(await self._meta())

    async def has_embedder(self) -> bool:
        """Return whether the published generation is of our embedder; otherwise its vectors are
        unusable."""
        return self.shape.has_embedder(await self._meta())

    async def _meta(self) -> dict[str, str]:
        return await (await self.db()).read(tables.meta)

    async def has_vectors(self) -> bool:
        """Return whether vectors can be searched: they are of our embedder, and exist."""
        db = await self.db()
        if self._vectors != (db, self.shape):  # once created, they stay
            meta, there = await db.read(lambda db: (tables.meta(db), tables.has_vectors(db)))
            if not there or not self.shape.has_embedder(meta):
                return False
            self._vectors = db, self.shape
        return True

    async def reconcile(
        self,
        paths: Iterable[str] | None = None,
        *,
        progress: Callable[[ReconcileResult], None] = lambda report: None,
        between: Between = no_pause,
        may_wait: MayWait = none_may_wait,
    ) -> ReconcileResult:
        """Bring the index up to date: everything, or only these notes and the changed messages
        (unless all of those `may_wait`).

        A damaged index is replaced and rebuilt from everything.
        """
        db, now = await self.db(), int(self._clock().timestamp() * 1e9)
        worker = self._worker(db, self._lock)
        pages = worker.everything(now) if paths is None else worker.paths(paths, now, may_wait)
        try:
            total = await sum_of(pages, progress, between)
            if paths is None:
                await db.write(tables.drop_unused_inherited)
            return total
        except StoreCorrupt as why:
            await self.replace(str(why), db)
            pages = self._worker(await self.db(), self._lock).everything(now)
            return await sum_of(pages, progress, between)

    async def rebuild(
        self, *, progress: Callable[[ReconcileResult], None] = lambda report: None
    ) -> ReconcileResult:
        """Build a new generation next to the old one, which serves until the new one is published.

        Vectors are copied if the embedder is the same.
        """
        old = await self.db()
        keep = await self.has_embedder()
        async with self.unbuilt(timeout=60):
            new = await self._create(self._generations.new())
            try:
                if keep:
                    await new.maintain(partial(tables.copy_cache, path=old.path))
                worker = self._worker(new, self._files.rebuild_page_lock)
                pages = worker.everything(int(self._clock().timestamp() * 1e9))
                total = await sum_of(pages, progress, no_pause)
                failpoint("in_rebuild")
                self._generations.publish(new.path)
            finally:
                await new.close()
        # Changes during the build may have been indexed only in the old one.
        return total + await self.reconcile()

    def _worker(self, db: Database, lock: Path) -> Reconciler:
        limit = self.shape.chunk_chars
        return Reconciler(db, self._vault, self._log, lock, self._zone, limit)

    async def replace(self, why: str, damaged: Database) -> None:
        """Publish an empty generation in place of a damaged one, unless it was already replaced.

        A reconcile fills it. Raises StoreCorrupt if it is the log that is damaged.
        """
        await self._log.check()
        async with locked(self._lock, timeout=60):
            if self._db is damaged and self._generations.stamp() == self._stamp:
                log.warning("index is damaged, rebuilding it: %s", why)
                made = await self._create(self._generations.new())
                self._generations.publish(made.path)
                await made.close()
        await self.db()

    @contextlib.asynccontextmanager
    async def unbuilt(self, *, timeout: float) -> AsyncIterator[None]:
        """Block rebuilds within this context. Raises LockHeld after `timeout` seconds."""
        async with locked(self._files.rebuild_lock, timeout=timeout):
            yield

    async def forget(self) -> None:
        """Remove every vector and byte of forgotten content, in all generations.

        Call it after a reconcile and within `unbuilt`.
        """
        async with locked(self._lock, timeout=60):
            db = await self.db()
            if self._retired is not None:
                await self._retired.close()
            await run_to_end(asyncio.to_thread(self._generations.sweep))
            await db.write(tables.drop_unused_vectors)
            if self.vector_file is not None:
                await self.vector_file.keep_texts_of(db)
            await db.write(fulltext.drop_unused)
            await db.maintain(checkpoint)

    async def behind(self) -> int:
        """Count logged or changed messages that are not indexed yet."""
        return await self._log.changes.count(int((await self._meta())["changed"]))

    async def counts(self) -> dict[str, int]:
        """Count notes, messages, chunks, and chunks that wait for a vector."""
        return await (await self.db()).read(tables.counts)

    async def close(self) -> None:
        """Close the database."""
        if self.vector_file is not None and self._db is not None:
            await self.vector_file.add(self._db, {}, "query")
        for db in (self._retired, self._db):
            if db is not None:
                await db.close()
