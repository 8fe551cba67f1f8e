"""Copy a database that is in use, and count the rows of a copy."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from ..errors import StoreCorrupt, StoreError
from .sqlite import connect, errors


def copy(source: Path, target: Path) -> None:
    """Copy a snapshot of a database to a new file while others use it. Raises StoreError.

    `VACUUM INTO` reads one snapshot and writes it compactly: the copy contains no partial
    transactions and no deleted bytes.
    """
    if not source.is_file():
        raise StoreError(f"There is no {source}: nothing can be copied.")
    with closing(connect(source)) as db, errors(source):
        db.execute("VACUUM INTO ?", (str(target),))
    target.chmod(0o600)


def contents(path: Path) -> dict[str, int]:
    """Check every page, and return the number of rows by table. Raises StoreCorrupt.

    For a copy that no other process has open.
    """
    with closing(connect(path)) as db, errors(path):
        said = db.execute("PRAGMA integrity_check").fetchone()[0]
        if said != "ok":
            raise StoreCorrupt(f"{path.name} is damaged ({said}): do not use it")
        tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        names = [row["name"] for row in tables.fetchall()]
        return {name: db.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}
