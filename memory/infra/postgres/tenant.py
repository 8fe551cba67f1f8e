"""Whose rows in which database, and the file that stands for them in a data folder."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Tenant:
    """Whose rows in which database: the address of DATABASE_URL, and a name that is not empty."""

    url: str = field(repr=False)  # it contains the password
    name: str


def store_file(file: Path, tenant: Tenant | None) -> Path:
    """Return the file that exists once the store has been opened, and changes with each write:
    SQLite's `file`, or the marker beside it. `last_written` reads both."""
    return file if tenant is None else file.with_suffix(".postgres")
