"""Whose rows in which database, and the file that stands for them in a data folder."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

from ...errors import ServedElsewhere as ServedElsewhere
from ..store import Connection

NO_PSYCOPG = "DATABASE_URL needs psycopg: in Sam's folder, run .venv/bin/pip install -e '.[server]'"

UNCONFIRMED = "unconfirmed"
"""Stands behind the id in a marker file until the id is committed in PostgreSQL."""


@dataclass(frozen=True, slots=True)
class Tenant:
    """Whose rows in which database: the address of DATABASE_URL, and a name that is not empty."""

    url: str = field(repr=False)  # it contains the password
    name: str
    leased: bool = True
    """Whether a worker needs the lease of that name to write these rows."""

    @property
    def server(self) -> str:
        """The server as people know it, without user and password."""
        # Not by urlsplit, for which a password may not have every character that it may have here.
        place = re.sub(r"^[^/@]*@", "", self.url.partition("://")[2])
        host = place.partition("?")[0].partition("/")[0]
        host = host or parse_qs(place.partition("?")[2]).get("host", [""])[0]
        return f"PostgreSQL on {host or 'this machine'}"


def store_file(file: Path, tenant: Tenant | None) -> Path:
    """Return the file that exists once the store has been opened, and changes with each write:
    SQLite's `file`, or the marker beside it. `last_written` reads both."""
    return file if tenant is None else file.with_suffix(".postgres")


@dataclass(frozen=True, slots=True)
class StorePlace:
    """A store of a data folder: its file in SQLite, and its tables in PostgreSQL. `migrations`:
    makes the tables of SQLite; its subfolder `postgres` those of PostgreSQL."""

    file: Path
    schema: str
    migrations: Path
    tenant: Tenant

    @property
    def marker(self) -> Path:
        """The file that stands for the rows in the data folder."""
        return store_file(self.file, self.tenant)


def bound(db: Connection) -> str | None:
    """Return the id of the data folder that uses the tenant's rows; None: no folder does."""
    row = db.execute("SELECT id FROM binding").fetchone()
    return str(row[0]) if row is not None else None


def marked(marker: Path) -> str | None:
    """Return the id in a marker file; None without the file. Raises OSError."""
    return next(iter(_words(marker)), None)


def is_unconfirmed(marker: Path) -> bool:
    """Return whether a marker file was written, and not yet confirmed after the commit of its id.
    Raises OSError."""
    return UNCONFIRMED in _words(marker)


def _words(marker: Path) -> list[str]:
    return marker.read_text("utf-8").split() if marker.exists() else []
