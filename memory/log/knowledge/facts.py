"""The lines of knowledge/ that Sam wrote: their sources, and who owns each now.

    sams → owners     the owner changed the line: it is theirs from now on
    sams → archived   superseded, expired or retired: the line is in archive/
    any → deleted     the owner deleted the line: it has a tombstone
    deleted → sams    the owner has put the line back

A line that was changed is recognised by its hash. The text is kept so that a model does not write
it again, and to find the messages behind a passage; it is deleted when the line is forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal, cast

from ...infra.clock import utc_text
from ...infra.store import Connection, Records, Row
from . import contradictions

FactState = Literal["sams", "owners", "archived", "deleted"]


@dataclass(frozen=True, slots=True)
class FactRow:
    """One line. `line_hash`: of the line as Sam last wrote or saw it; `text`: as Sam wrote it;
    `sources`: ids of messages."""

    id: str
    path: str
    line_hash: str
    text: str
    sources: tuple[int, ...]
    state: FactState = "sams"


class Facts(Records):
    """The fact rows of one profile."""

    async def all(self) -> dict[str, FactRow]:
        """Return every line ever written by Sam, by its id."""
        return {row.id: row for row in await self._db.all(_fact, "SELECT * FROM fact")}

    async def by_id(self, name: str) -> FactRow | None:
        """Return that line; None if Sam wrote none with that id."""
        return await self._db.first(_fact, "SELECT * FROM fact WHERE id = ?", name)

    async def of_path(self, path: str) -> dict[str, FactRow]:
        """Return the lines that were written to that note, by id."""
        found = await self._db.all(_fact, "SELECT * FROM fact WHERE path = ?", path)
        return {row.id: row for row in found}

    async def from_messages(self, messages: Iterable[int]) -> list[FactRow]:
        """Return the lines that came from any of these messages, whatever became of them."""
        query = f"SELECT * FROM fact WHERE {_FROM}"
        return await self._db.all(_fact, query, json.dumps(list(messages)))

    async def put(
        self,
        rows: Sequence[FactRow],
        *,
        done: Iterable[int] = (),
        contradicts: tuple[str, str] | None = None,
    ) -> None:
        """Store these rows, and end those candidates, in one transaction. `contradicts`: the ids of
        a line and of the one that it replaced, to record that they contradict each other."""
        finished = json.dumps(list(done))
        at = utc_text(self._clock())

        def change(db: Connection) -> None:
            for row in rows:
                _put(db, row, at)
            if contradicts is not None:
                contradictions.store(db, *contradicts, at)
            db.execute(
                "DELETE FROM candidate WHERE id IN (SELECT value FROM json_each(?))", (finished,)
            )

        await self._db.write(change)

    async def deleted_from(self, messages: Iterable[int]) -> set[int]:
        """Return those of these messages from which a line came that the owner deleted, and that
        were not edited since."""
        query = (
            "SELECT message.id FROM fact, json_each(fact.sources) AS source"
            " JOIN message ON message.id = source.value"
            " WHERE fact.state = 'deleted' AND coalesce(message.edited_at, '') <= fact.changed_at"
            " AND message.id IN (SELECT value FROM json_each(?))"
        )
        return set(await self._db.all(itemgetter("id"), query, json.dumps(list(messages))))

    async def alone_from(self, messages: Iterable[int]) -> list[FactRow]:
        """Return the lines that came only from these messages, without those that the owner
        changed. Messages that were forgotten before do not count as further sources."""
        query = f"SELECT * FROM fact WHERE {_ALONE}"
        return await self._db.all(_fact, query, json.dumps(list(messages)))

    async def waiting_from(self, messages: Iterable[int]) -> list[str]:
        """Return the texts that came from these messages and are not written yet."""
        query = f"SELECT text FROM candidate WHERE {_FROM}"
        return await self._db.all(itemgetter("text"), query, json.dumps(list(messages)))


_FROM = "EXISTS (SELECT 1 FROM json_each(sources) WHERE value IN (SELECT value FROM json_each(?1)))"
_ALONE = (
    f"state IN ('sams', 'archived') AND {_FROM} AND NOT EXISTS"
    " (SELECT 1 FROM json_each(fact.sources) AS source JOIN message ON message.id = source.value"
    " WHERE message.id NOT IN (SELECT value FROM json_each(?1))"
    " AND message.state != 'forgotten')"
)


def forget(db: Connection, messages: Iterable[int], is_named: Callable[[str], bool]) -> None:
    """Delete facts from these messages, and named texts; runs in the transaction that deletes the
    messages' texts.

    A fact that is not written yet is deleted even if other messages say it.
    """
    given = (json.dumps(list(messages)),)
    db.execute(f"DELETE FROM fact WHERE {_ALONE}", given)
    db.execute(f"DELETE FROM candidate WHERE {_FROM}", given)
    for table in ("fact", "candidate"):
        rows = db.execute(f"SELECT id, text FROM {table}").fetchall()
        gone = [(row["id"],) for row in rows if is_named(row["text"])]
        db.executemany(f"DELETE FROM {table} WHERE id = ?", gone)


def _put(db: Connection, row: FactRow, at: str) -> None:
    db.execute(
        "INSERT INTO fact (id, path, line_hash, text, sources, state, changed_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET path = excluded.path,"
        " line_hash = excluded.line_hash, text = excluded.text, sources = excluded.sources,"
        " state = excluded.state, changed_at = excluded.changed_at",
        (row.id, row.path, row.line_hash, row.text, json.dumps(row.sources), row.state, at),
    )


def _fact(row: Row) -> FactRow:
    return FactRow(
        id=row["id"],
        path=row["path"],
        line_hash=row["line_hash"],
        text=row["text"],
        sources=tuple(json.loads(row["sources"])),
        state=cast(FactState, row["state"]),
    )
