"""Keep the lines that each edit of a note removed and added, for a limited time.

Lines that an edit did not touch are kept as hashes alone. An edit is deleted after KEPT, when all
edits together exceed MOST characters, and when one of its lines is forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from ...infra.clock import parse_utc, utc_text
from ...infra.store import Connection, Records, Row, from_row, insert

KEPT = timedelta(days=30)
MOST = 20_000_000  # characters of all edits together
_PRUNED_EVERY = 100  # edits between prunings; also each night
_MARK = 8  # characters of a mark


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that were replaced, with their ends. `at`: the place of `new`, from 0."""

    at: int
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeptEdit:
    """One edit of one note. `change`: its group; `marks`: hashes of the note's lines after it;
    `is_new`: it created the note; `undone`: it is currently reverted. `id` is 0 before it is
    stored."""

    at: datetime
    change: str
    path: str
    cause: str
    is_new: bool
    marks: tuple[str, ...]
    hunks: tuple[Hunk, ...]
    undone: bool = False
    id: int = 0

    @property
    def lines(self) -> tuple[str, ...]:
        """All lines that it removed or added, without their ends."""
        every = (line for hunk in self.hunks for line in (*hunk.old, *hunk.new))
        return tuple(line.rstrip("\r\n") for line in every)


class KeptEdits(Records):
    """The table `edit`."""

    async def add(self, edit: KeptEdit) -> None:
        """Store an edit."""

        def change(db: Connection) -> None:
            number = insert(
                db,
                "edit",
                at=utc_text(edit.at),
                change=edit.change,
                path=edit.path,
                cause=edit.cause,
                is_new=edit.is_new,
                marks="".join(edit.marks),
                hunks=_dumped(edit.hunks),
            )
            if number % _PRUNED_EVERY == 0:
                _prune(db, edit.at)

        await self._db.write(change)

    async def prune(self) -> None:
        """Delete the edits that are too old or too many."""
        await self._db.write(lambda db: _prune(db, self._clock()))

    async def all(self, *, since: datetime | None = None) -> list[KeptEdit]:
        """Return the edits from that moment on, oldest first."""
        start = utc_text(since) if since else ""
        return await self._db.all(_edit, "SELECT * FROM edit WHERE at >= ? ORDER BY id", start)

    async def of_change(self, change: str) -> list[KeptEdit]:
        """Return the edits of one group, oldest first."""
        query = "SELECT * FROM edit WHERE change = ? ORDER BY id"
        return await self._db.all(_edit, query, change)

    async def mark_undone(self, edits: Iterable[KeptEdit], *, undone: bool) -> None:
        """Record that these edits are reverted, or in effect again, with their present lines."""
        update = "UPDATE edit SET undone = ?, marks = ?, hunks = ? WHERE id = ?"
        rows = [(undone, "".join(each.marks), _dumped(each.hunks), each.id) for each in edits]
        await self._db.write(lambda db: db.executemany(update, rows))

    async def forget(self, goes: Callable[[KeptEdit], bool]) -> int:
        """Delete every edit for which `goes` is true; return their number."""

        def change(db: Connection) -> int:
            every = [_edit(row) for row in db.execute("SELECT * FROM edit").fetchall()]
            gone = [(each.id,) for each in every if goes(each)]
            db.executemany("DELETE FROM edit WHERE id = ?", gone)
            return len(gone)

        return await self._db.write(change)


def _dumped(hunks: Iterable[Hunk]) -> str:
    return json.dumps([[each.at, each.old, each.new] for each in hunks])


def _prune(db: Connection, now: datetime) -> None:
    db.execute("DELETE FROM edit WHERE at < ?", (utc_text(now - KEPT),))
    db.execute(
        "DELETE FROM edit WHERE id IN (SELECT id FROM (SELECT id, sum(length(marks) +"
        " length(hunks)) OVER (ORDER BY id DESC) AS size FROM edit) AS sized WHERE size > ?)",
        (MOST,),
    )


def _edit(row: Row) -> KeptEdit:
    marks = row["marks"]
    return from_row(
        KeptEdit,
        row,
        at=parse_utc(row["at"]),
        is_new=bool(row["is_new"]),
        marks=tuple(marks[at : at + _MARK] for at in range(0, len(marks), _MARK)),
        hunks=tuple(Hunk(at, tuple(old), tuple(new)) for at, old, new in json.loads(row["hunks"])),
        undone=bool(row["undone"]),
    )
