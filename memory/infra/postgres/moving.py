"""Move a store of a data folder between SQLite and PostgreSQL, with all its rows and their ids.

    to PostgreSQL   write the marker → copy in one transaction → compare → delete the file
    to SQLite       copy to a new file → compare → rename it → delete the rows → delete the marker

While both the file and the marker are there, the file is complete, and no Sam opens either. So a
move that was killed can be repeated, or taken back by the opposite one.
"""

from __future__ import annotations

import secrets
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import ConfigError, StoreBusy, StoreError
from .. import atomic_files, sqlite
from ..failpoints import failpoint
from .tenant import NO_PSYCOPG, StorePlace, marked

if TYPE_CHECKING:
    from .copying import Digests, Progress, TenantRows

READS = 2
"""How often a move reads each row in PostgreSQL, or writes it there: to copy it, and to compare."""

_MOVING = ".moving"
_PARTS = ("", "-wal", "-shm")


def to_postgres(place: StorePlace, progress: Progress | None = None) -> dict[str, int] | None:
    """Move the file's rows to the tenant's tables, which have none; return their number by table.
    None: there is no file. `progress` counts each row READS times. Blocks; raises StoreError's
    children."""
    if _unfinished(place).exists():
        _delete(_unfinished(place))
    if not _exists(place.file):
        return None
    with _rows(place, progress) as rows, closing(_alone(place.file, place.migrations)) as file:
        binding = marked(place.marker)
        if binding is None:
            binding = secrets.token_hex(16)
            atomic_files.write(place.marker, f"{binding}\n".encode())
            failpoint("move_marked")
        try:
            rows.copy_in(file, binding)
        except StoreError:
            if rows.binding() != binding:
                place.marker.unlink()
            raise
        failpoint("move_copied")
        found = _compared(*rows.digests(file))
        _delete(place.file)
        # A process that waited for the lock has the deleted file open: it must not write to it.
        file.execute("PRAGMA journal_mode = MEMORY")
        file.execute(f"PRAGMA user_version = {2**31 - 1}")
    return found


def to_sqlite(place: StorePlace, progress: Progress | None = None) -> dict[str, int] | None:
    """Move the tenant's rows to the file; return their number by table. None: the store is not in
    PostgreSQL. `progress` counts each row READS times. Blocks; raises StoreError's children.

    Rows that another process writes during the move are not deleted: StoreBusy says so.
    """
    binding = marked(place.marker)
    if binding is None:
        return None
    with _rows(place, progress) as rows:
        if is_new := not _exists(place.file):
            _copy_out(place, rows)
        failpoint("move_renamed")
        with closing(_alone(place.file, place.migrations)) as file:
            kept = rows.digests_of(file)
            if rows.binding() == binding and not rows.delete_if_equal(file, kept):
                raise _written_meanwhile(place, is_new=is_new)
        failpoint("move_deleted")
        place.marker.unlink()
    return {name: each.rows for name, each in kept.items()}


def _written_meanwhile(place: StorePlace, *, is_new: bool) -> StoreError:
    if is_new:  # it was only a copy
        _delete(place.file)
        return StoreBusy(
            f"{place.tenant.name} was written to while it was moved, so nothing was deleted:"
            " stop every `sam`, and run this again"
        )
    return StoreError(
        f"{place.file} and the rows of {place.tenant.name} in {place.tenant.server} differ, so"
        " nothing was deleted. Move the file away to go on with the rows, or delete"
        f" {place.marker} to go on with the file"
    )


def _unfinished(place: StorePlace) -> Path:
    return place.file.with_name(f"{place.file.name}{_MOVING}")


def _copy_out(place: StorePlace, rows: TenantRows) -> None:
    _check_binding(place, rows)
    new = _unfinished(place)
    _delete(new)
    copied = rows.copy_out(new)
    with closing(sqlite.connect(new)) as file:
        _compared(copied, rows.digests_of(file))
    failpoint("move_copied")
    atomic_files.sync_file(new)
    new.replace(place.file)
    atomic_files.sync_folder(place.file.parent)


def counts(place: StorePlace) -> tuple[dict[str, int] | None, dict[str, int] | None]:
    """Return the number of rows by table of the file, and of the tenant, changing neither; None
    where the store is not. Blocks; raises StoreError's children."""
    in_file = None
    if _exists(place.file):
        with closing(sqlite.connect(place.file)) as db, sqlite.errors(place.file):
            names = db.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            ).fetchall()
            in_file = {name: _count(db, name) for (name,) in names}
    if not place.marker.exists():
        return in_file, None
    with _rows(place) as rows:
        return in_file, rows.counts()


def copy_rows(place: StorePlace, target: Path) -> None:
    """Copy a snapshot of the tenant's rows to a new file of SQLite. Blocks; raises StoreError's
    children."""
    with _rows(place) as rows:
        _check_binding(place, rows)
        rows.copy_out(target)


def has_other_rows(place: StorePlace) -> bool:
    """Return whether the tenant has rows that another data folder uses, or used; changes nothing.
    Blocks; raises StoreError's children, also if Sam cannot use that database."""
    return _rows(place).find_binding() not in (None, marked(place.marker))


def rename_tenant(place: StorePlace, new: str) -> None:
    """Give the rows to another tenant, who has none; can be repeated. Blocks; raises StoreError's
    children."""
    with _rows(replace(place, tenant=replace(place.tenant, name=new))) as rows:
        there = rows.binding()
    if there is not None and there == marked(place.marker):
        return
    if there is not None:
        raise StoreError(f"{new} has rows in that database already: choose another name")
    with _rows(place) as rows:
        _check_binding(place, rows)
        rows.give_to(new)


def delete_rows(place: StorePlace) -> None:
    """Delete all rows of the tenant; none if another data folder uses them. Blocks; raises
    StoreError's children."""
    with _rows(place) as rows:
        if rows.binding() == marked(place.marker):
            rows.delete()


def _check_binding(place: StorePlace, rows: TenantRows) -> None:
    if rows.binding() != marked(place.marker):
        raise StoreError(f"{place.marker} belongs to other rows than those of DATABASE_URL")


def _rows(place: StorePlace, progress: Progress | None = None) -> TenantRows:
    try:
        from .copying import TenantRows
    except ImportError as missing:
        raise ConfigError([NO_PSYCOPG]) from missing
    return TenantRows(place.tenant, place.schema, place.migrations, progress)


def _count(db: sqlite.Connection, name: str) -> int:
    return int(db.execute(f"SELECT count(*) FROM {name}").fetchone()[0])


def _compared(one: Digests, other: Digests) -> dict[str, int]:
    wrong = [name for name in one if one[name] != other[name]]
    if wrong:
        raise StoreError(
            f"the copy differs in {', '.join(wrong)}, so nothing was deleted: report this bug"
        )
    return {name: each.rows for name, each in one.items()}


def _alone(path: Path, migrations: Path) -> sqlite.Connection:
    """Open and migrate a file that no other process has open. Raises StoreBusy."""
    connection = sqlite.connect(path)
    try:
        with sqlite.errors(path):
            sqlite.migrate(connection, migrations)
            connection.execute("PRAGMA busy_timeout = 0")
            mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
            if mode != "delete":
                raise StoreBusy(f"{path} is in use: stop every `sam` first")
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("COMMIT")  # closing the connection releases the lock
    except BaseException:
        connection.close()
        raise
    return connection


def _exists(file: Path) -> bool:
    return file.exists() and file.stat().st_size > 0


def _delete(file: Path) -> None:
    for part in _PARTS:
        file.with_name(file.name + part).unlink(missing_ok=True)
    atomic_files.sync_folder(file.parent)
