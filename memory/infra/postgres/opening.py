"""Open the store of a data folder: a file of SQLite, or a tenant's tables in PostgreSQL.

A data folder and its tables in PostgreSQL belong together: index, keys and locks in the folder are
those of these rows. Both hold the same random id, and each is refused with another one, or without
the other. The folder's is in a marker file, `log.postgres` in place of `log.db`. It is touched
after each write, so that other processes notice writes, as they do with a file of SQLite.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ...errors import ConfigError
from .. import atomic_files
from ..failpoints import failpoint
from ..sqlite import open_database
from ..store import Connection, Store
from .tenant import NO_PSYCOPG, UNCONFIRMED, Tenant, bound, is_unconfirmed, marked, store_file

if TYPE_CHECKING:
    from .store import PostgresStore

T = TypeVar("T")


async def open_store(file: Path, migrations: Path, *, schema: str, tenant: Tenant | None) -> Store:
    """Open or create the store: `file`, or the tenant's tables of that schema, made or migrated
    by the files in `migrations`, or in its subfolder `postgres`.

    Raises StoreError's children; ConfigError without psycopg, and where the data folder and the
    database do not belong together.
    """
    if tenant is None:
        marker = file.with_suffix(".postgres")
        if marker.exists():
            raise ConfigError(
                [
                    f"DATABASE_URL is not set, but {file.stem} of {file.parent} is in PostgreSQL:"
                    f" set it again. To begin without that database, delete {marker}"
                ]
            )
        return await open_database(file, migrations)
    if file.exists() and file.stat().st_size:
        raise ConfigError(
            [
                f"DATABASE_URL is set, but {file} is in use: `sam migrate --to postgresql` moves it"
                " there. Or remove DATABASE_URL, or begin with another DATA_DIR"
            ]
        )
    try:
        from .store import PostgresStore
    except ImportError as missing:
        raise ConfigError([NO_PSYCOPG]) from missing
    marker = store_file(file, tenant)
    store = await PostgresStore.open(
        tenant, schema=schema, folder=migrations / "postgres", marker=marker
    )
    try:
        store.bind(await _bound_to(store, marker))
    except BaseException:
        await store.close()
        raise
    return store


def read_now(tenant: Tenant, schema: str, look: Callable[[Connection], T]) -> T:
    """Return what `look` reads of the tenant's tables in one snapshot, without opening the store;
    blocks. Raises StoreError's children."""
    from .server import using
    from .store import TenantTables

    with using(tenant.url) as server:
        return TenantTables(server, schema, tenant.name).read(look)


async def _bound_to(store: PostgresStore, marker: Path) -> str:
    """Check that the folder and the rows have the same id; return it. Give both one the first
    time. Raises ConfigError if either belongs to another."""
    made = marked(marker)
    if made is None or made != await store.read(bound):
        # Again in a write, one at a time: another worker may be giving both an id just now.
        made = await store.write(lambda db: _bind(db, store.name, marker))
    if is_unconfirmed(marker):
        atomic_files.write(marker, f"{made}\n".encode())
    return made


def _bind(db: Connection, name: str, marker: Path) -> str:
    """Return the id of both the folder and the rows, after giving them one if they have none."""
    in_folder, in_rows = marked(marker), bound(db)
    if in_folder is not None and in_folder == in_rows:
        return in_folder
    # Unconfirmed: a process wrote the marker, and it or its connection ended before the commit.
    if in_folder is not None and not is_unconfirmed(marker):
        raise ConfigError(
            [
                f"DATABASE_URL names another database than the one that {marker.parent} was"
                f" used with ({name}): set the former address, or restore that database."
                f" To begin with this one, delete {marker}"
            ]
        )
    if in_rows is not None:
        # Without any rows, the process was killed before it wrote the marker.
        if db.execute("SELECT 1 FROM counter LIMIT 1").fetchone():
            raise ConfigError(
                [
                    f"{name} belongs to another data folder than {marker.parent}, and only one"
                    " may use it. If that one is lost for good, write the line"
                    f" {in_rows} into {marker}, and start again"
                ]
            )
        db.execute("DELETE FROM binding")
    made = secrets.token_hex(16)
    marker.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    atomic_files.write(marker, f"{made} {UNCONFIRMED}\n".encode())
    failpoint("store_marked")
    db.execute("INSERT INTO binding (id) VALUES (?)", (made,))
    return made
