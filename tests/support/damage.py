"""Damage a database file, in one function per kind of damage."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path


def flipped(file: Path) -> None:
    """Overwrite a twentieth of the bytes at random, except for the first page."""
    draw, data = random.Random(5), bytearray(file.read_bytes())
    for at in draw.sample(range(4096, len(data)), len(data) // 20):
        data[at] = draw.randrange(256)
    file.write_bytes(data)


def truncated(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2 + 77])


def zeroed(file: Path) -> None:
    file.write_bytes(bytes(file.stat().st_size))


def torn(file: Path) -> None:
    """Zero the second half, as after a torn write."""
    size = file.stat().st_size
    file.write_bytes(file.read_bytes()[: size // 2] + bytes(size - size // 2))


def emptied(file: Path) -> None:
    file.write_bytes(b"")


def gone(file: Path) -> None:
    file.unlink()


def a_stray_wal(file: Path) -> None:
    """Write a WAL file that does not belong to the database."""
    Path(f"{file}-wal").write_bytes(random.Random(6).randbytes(50_000))


def without_a_shadow_table(file: Path) -> None:
    """Lose a shadow table of the full-text index, so that it cannot even be opened."""
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("DELETE FROM sqlite_master WHERE name = 'chunk_fts_config'")
        db.commit()


DAMAGE = [flipped, truncated, zeroed, torn, emptied, gone, a_stray_wal, without_a_shadow_table]
