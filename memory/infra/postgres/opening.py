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
from ..sqlite import open_database
from ..store import Connection, Store
from .tenant import NO_PSYCOPG, Tenant, bound, marked, store_file

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
        tenant.url,
        schema=schema,
        tenant=tenant.name,
        folder=migrations / "postgres",
        marker=marker,
        lease=tenant.name if tenant.leased else "",
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
    from .store import read_once

    return read_once(tenant.url, schema, tenant.name, look)


async def _bound_to(store: PostgresStore, marker: Path) -> str:
    """Check that the folder and the rows have the same id; return it. Give both one the first
    time."""
    in_folder = marked(marker)
    in_rows = await store.read(bound)
    if in_folder is not None:
        if in_rows != in_folder:
            raise ConfigError(
                [
                    f"DATABASE_URL names another database than the one that {marker.parent} was"
                    f" used with ({store.name}): set the former address, or restore that database."
                    f" To begin with this one, delete {marker}"
                ]
            )
        return in_folder
    made = secrets.token_hex(16)

    def change(db: Connection) -> str | None:
        """Return the id of another folder, which uses these rows."""
        nonlocal made
        known = bound(db)
        if known is not None:
            if known == marked(marker):  # another worker has just made both
                made = known
                return None
            # Without any rows, the process was killed before it wrote the marker.
            if db.execute("SELECT 1 FROM counter LIMIT 1").fetchone():
                return known
            db.execute("DELETE FROM binding")
        db.execute("INSERT INTO binding (id) VALUES (?)", (made,))
        marker.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        atomic_files.write(marker, f"{made}\n".encode())
        return None

    if (other := await store.write(change)) is not None:
        raise ConfigError(
            [
                f"{store.name} belongs to another data folder than {marker.parent}, and only one"
                " may use it. If that one is lost for good, write the line"
                f" {other} into {marker}, and start again"
            ]
        )
    return made
