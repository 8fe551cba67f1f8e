"""Versions of the owner's files: the latest texts seen in each note."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter

from ...infra.clock import parse_utc, utc_text
from ...infra.store import Connection, Records, Row, from_row, insert

KEPT = 50  # versions of one note


@dataclass(frozen=True, slots=True)
class Version:
    """A text that a note had. `cause`: what changed it; "" for an editor."""

    id: int
    path: str
    text_hash: str
    text: str
    cause: str
    seen_at: datetime


class Versions(Records):
    """The versions of one profile's notes."""

    async def add(self, path: str, seen_hash: str, text: str, cause: str) -> None:
        """Store a text as the latest version, unless the latest one has that hash; drop the oldest
        beyond KEPT."""

        def work(db: Connection) -> None:
            last = db.execute(
                "SELECT text_hash FROM version WHERE path = ? ORDER BY id DESC LIMIT 1", (path,)
            ).fetchone()
            if last is not None and last["text_hash"] == seen_hash:
                return
            values = {"path": path, "text_hash": seen_hash, "text": text, "cause": cause}
            insert(db, "version", **values, seen_at=utc_text(self._clock()))
            db.execute(
                "DELETE FROM version WHERE path = ? AND id NOT IN"
                " (SELECT id FROM version WHERE path = ? ORDER BY id DESC LIMIT ?)",
                (path, path, KEPT),
            )

        await self._db.write(work)

    async def latest(self, path: str) -> str | None:
        """Return the hash of the latest version; None if there is none."""
        query = "SELECT text_hash FROM version WHERE path = ? ORDER BY id DESC LIMIT 1"
        return await self._db.first(itemgetter("text_hash"), query, path)

    async def all(self, path: str | None = None) -> list[Version]:
        """Return the versions of that note, or of all, the latest first."""
        query = "SELECT * FROM version WHERE path = coalesce(?, path) ORDER BY id DESC"
        return await self._db.all(_version, query, path)

    async def by_id(self, number: int) -> Version | None:
        """Return that version; None if it is no longer kept."""
        return await self._db.first(_version, "SELECT * FROM version WHERE id = ?", number)

    async def drop(self, path: str) -> None:
        """Delete every version of that note."""
        await self._db.execute("DELETE FROM version WHERE path = ?", path)

    async def forget(self, without: Callable[[str], str]) -> int:
        """Replace each text with `without(text)`; return how many changed."""

        def work(db: Connection) -> int:
            rows = db.execute("SELECT id, text FROM version").fetchall()
            changed = [
                (left, row["id"]) for row in rows if (left := without(row["text"])) != row["text"]
            ]
            db.executemany("UPDATE version SET text = ? WHERE id = ?", changed)
            return len(changed)

        return await self._db.write(work)


def _version(row: Row) -> Version:
    return from_row(Version, row, seen_at=parse_utc(row["seen_at"]))
