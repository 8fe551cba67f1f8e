"""SQLite access: driver, pragmas, extension, one writer a database, numbered migrations.

It is the only file that imports SQLite.

Many Pythons cannot load extensions, which sqlite-vec is. There `sqlean` is taken, the same
interface with its own SQLite; and where it is missing too, the standard library's without the
extension: vectors are compared with NumPy then (`vec_version` is None).
"""

from __future__ import annotations

import asyncio
import functools
import importlib
import importlib.util
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import TypeVar, cast

from ..errors import StoreBusy, StoreCorrupt, StoreError, StoreFull
from .store import Store

Connection = sqlite3.Connection
Row = sqlite3.Row
T = TypeVar("T")

BUSY_MS = 10_000
# A full-text table whose own pages are damaged cannot be constructed.
_DAMAGED = ("malformed", "not a database", "corrupt", "vtable constructor failed")
_CHECKPOINT = 4_000  # pages of the write-ahead log at which SQLite checkpoints
_TRIES = 6  # of a checkpoint; each waits for the connection's timeout: a minute in all
_KNN_NEEDS = (3, 41)  # below it sqlite-vec's KNN plans fail


@functools.cache
def driver() -> ModuleType:
    """Return the first driver that can load extensions, else the standard library's."""
    for name in ("sqlite3", "sqlean.dbapi2"):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        fresh = tuple(int(part) for part in module.sqlite_version.split(".")[:2]) >= _KNN_NEEDS
        if fresh and hasattr(module.Connection, "enable_load_extension") and _loads(module):
            return module
    return sqlite3


def _loads(module: ModuleType) -> bool:
    with closing(module.connect(":memory:")) as connection:
        return _load_vec(connection) is not None


def _load_vec(connection: Connection) -> str | None:
    """Load sqlite-vec into a connection; return its version, or None if it is not available."""
    try:
        # Not by its own `load`: that imports NumPy, a quarter of what `sam search` may take.
        package = importlib.util.find_spec("sqlite_vec")
        if package is None or not package.submodule_search_locations:
            return None
        connection.enable_load_extension(True)
        connection.load_extension(str(Path(package.submodule_search_locations[0]) / "vec0"))
        connection.enable_load_extension(False)
        return str(connection.execute("SELECT vec_version()").fetchone()[0])
    except Exception as missing:  # ImportError, AttributeError, or any driver's own error class
        if isinstance(missing, MemoryError):
            raise
        return None


@functools.cache
def vec_version() -> str | None:
    """sqlite-vec's version as loaded here, or None: then vectors are compared with NumPy."""
    with closing(driver().connect(":memory:")) as connection:
        return _load_vec(connection)


def versions() -> dict[str, str | None]:
    """Return the versions of the database engine, for `sam doctor`."""
    return {
        "driver": driver().__name__.split(".")[0],
        "sqlite": str(driver().sqlite_version),
        "sqlite_vec": vec_version(),
    }


@contextmanager
def errors(path: Path) -> Iterator[None]:
    """Translate any driver's errors into ours, with sentences that say what to do."""
    try:
        yield
    except (sqlite3.Error, driver().Error) as wrong:
        said = str(wrong).lower()
        if "locked" in said or "busy" in said:
            raise StoreBusy(f"{path.name} is in use by another process: try again soon") from wrong
        if "full" in said or "disk i/o" in said or "readonly" in said or "unable to open" in said:
            raise StoreFull(
                f"{path} cannot be written ({wrong}): free some space, or fix its permissions"
            ) from wrong
        if any(sign in said for sign in _DAMAGED):
            raise StoreCorrupt(
                f"{path} is damaged ({wrong}): `sam doctor` says how to fix it"
            ) from wrong
        raise StoreError(f"{path.name}: {wrong}") from wrong


def connect(
    path: Path, *, synchronous: str = "FULL", extension: bool = False, journal: str = "WAL"
) -> Connection:
    """Open a connection with our pragmas; autocommit, rows by name. Raises StoreError."""
    with errors(path):
        connection = driver().connect(
            str(path), timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
        )
        connection.row_factory = driver().Row
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        connection.execute(f"PRAGMA journal_mode = {journal}")
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        # With the default, one turn in eight would wait 0.2 seconds for a checkpoint.
        connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT}")
        connection.execute("PRAGMA journal_size_limit = 0")  # truncate the log after a checkpoint
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA recursive_triggers = ON")
        # Deleted content is overwritten, not left in free pages.
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA temp_store = MEMORY")
        if extension:
            _load_vec(connection)
        return cast(Connection, connection)


def last_written(path: Path) -> tuple[int, ...]:
    """Return what differs after each commit to the database at `path`, also by another process;
    reading changes nothing of it. () where there is none."""
    found: list[int] = []
    for file in (path, path.with_name(f"{path.name}-wal")):
        with suppress(FileNotFoundError):
            now = file.stat()
            if now.st_size:  # a reader leaves an empty log behind
                found += (now.st_size, now.st_mtime_ns)
    return tuple(found)


def statements(script: str) -> Iterator[str]:
    """Split a script into statements; triggers with their `;` inside stay whole."""
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if pending.strip() and sqlite3.complete_statement(pending):
            yield pending
            pending = ""
    if pending.strip() and not all(
        not line.strip() or line.strip().startswith("--") for line in pending.splitlines()
    ):
        yield pending


@contextmanager
def transaction(connection: Connection) -> Iterator[None]:
    """Run the block in one immediate transaction; all or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # after some errors of the disk SQLite has rolled back
            connection.execute("ROLLBACK")
        raise


def migrate(connection: Connection, folder: Path) -> None:
    """Run the `NNN_*.sql` files above `user_version`, each in a transaction of its own."""
    files = {int(file.name.split("_")[0]): file for file in sorted(folder.glob("*.sql"))}
    for number, file in files.items():
        with transaction(connection):
            # Read inside the transaction: another process may have just done it.
            at = int(connection.execute("PRAGMA user_version").fetchone()[0])
            if at > max(files):
                raise StoreError("this database was made by a newer Sam: upgrade Sam to open it")
            if at < number:
                for statement in statements(file.read_text("utf-8")):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number}")


def checkpoint(connection: Connection) -> None:
    """Truncate the write-ahead log, which keeps deleted rows until then. For `Database.maintain`.
    Raises StoreBusy while a reader uses an older snapshot."""
    for _ in range(_TRIES):
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not busy:
            return
    raise StoreBusy(
        "what was deleted still stands in a write-ahead log, since somebody reads an older state"
        " of it: restart Sam"
    )


def vacuum(connection: Connection) -> None:
    """Rewrite the whole file without deleted content, then `checkpoint`."""
    connection.execute("VACUUM")
    checkpoint(connection)


class Database(Store):
    """One database file: writes one after another, each a transaction; reads likewise, each on a
    snapshot, beside the writes.

    `write` and `read` take a function of a connection. It runs in a thread that all databases
    share, so it must be synchronous and use nothing else. All errors are StoreError's children.
    """

    def __init__(self, path: Path, writer: Connection, reader: Connection) -> None:
        super().__init__(path.name)
        self.path = path
        self._writer, self._reader = writer, reader

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        prepare: Callable[[Connection], None],
        synchronous: str = "FULL",
        extension: bool = False,
    ) -> Database:
        """Open or create `path`; `prepare` makes or migrates its tables."""

        def opened() -> tuple[Connection, Connection]:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            writer = connect(path, synchronous=synchronous, extension=extension)
            try:
                with errors(path):
                    prepare(writer)
                path.chmod(0o600)
                reader = connect(path, synchronous=synchronous, extension=extension)
            except BaseException:
                writer.close()
                raise
            return writer, reader

        return cls(path, *await asyncio.to_thread(opened))

    async def write(self, change: Callable[[Connection], T], *, wake: bool = False) -> T:
        """Run `change` in one immediate transaction; all or nothing."""

        def work() -> T:
            with errors(self.path):
                with transaction(self._writer):
                    before = self._writer.total_changes
                    result = change(self._writer)
                    changed = self._writer.total_changes != before
                if changed:
                    self._announce(loop)
                return result

        loop = asyncio.get_running_loop()
        return await self._in(self._writing, work)

    async def read(self, look: Callable[[Connection], T]) -> T:
        """Run `look` on one consistent snapshot."""

        def snapshot() -> T:
            with errors(self.path):
                self._reader.execute("BEGIN")
                try:
                    return look(self._reader)
                finally:
                    if self._reader.in_transaction:
                        self._reader.execute("COMMIT")

        return await self._in(self._reading, snapshot)

    async def maintain(self, work: Callable[[Connection], T]) -> T:
        """Run `work` among the writes, outside a transaction (VACUUM, checkpoint)."""

        def plain() -> T:
            with errors(self.path):
                return work(self._writer)

        return await self._in(self._writing, plain)

    async def scrub(self, *, quick: bool = False) -> None:
        """Remove every byte of deleted content from the files. Raises StoreBusy."""
        await self.maintain(checkpoint if quick else vacuum)

    async def checkpoint_if_large(self, beyond: int) -> None:
        """Checkpoint the write-ahead log once it is larger than `beyond` bytes; blocks no one."""

        def aside() -> None:
            ahead = self.path.with_name(f"{self.path.name}-wal")
            with suppress(FileNotFoundError), errors(self.path):  # the generation may be deleted
                if ahead.stat().st_size > beyond:
                    with closing(connect(self.path)) as connection:
                        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

        await asyncio.to_thread(aside)

    async def check(self) -> None:
        """Check every page of the file. Raises StoreCorrupt when one is damaged."""
        said = await self.read(
            lambda db: str(db.execute("PRAGMA quick_check(1)").fetchone()[0]).splitlines()[-1]
        )
        if said != "ok":
            raise StoreCorrupt(f"{self.path} is damaged ({said}): `sam doctor` says how to fix it")

    def _release(self) -> None:
        self._reader.close()
        self._writer.close()


async def open_database(path: Path, migrations: Path) -> Database:
    """Open a store with numbered migrations: the log, the inbox."""
    return await Database.open(path, prepare=lambda connection: migrate(connection, migrations))
