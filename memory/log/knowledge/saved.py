"""The messages behind lines that a model wrote down at once, at the owner's word; and those that
ended a fact.

A line of a day's file is known by its hash, one of MEMORY.md by `^` and its block id, a fact that
ended by `ended ^` and its block id.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from operator import itemgetter

from ...infra.store import Connection, Records


class SavedLines(Records):
    """The saved lines of one profile."""

    async def put(self, names: Iterable[str], sources: Collection[int]) -> None:
        """Record that these lines came from these messages, and from those known before."""
        given = list(names)

        def change(db: Connection) -> None:
            for name in given:
                row = db.execute("SELECT sources FROM saved WHERE name = ?", (name,)).fetchone()
                known = tuple(json.loads(row["sources"])) if row else ()
                every = json.dumps(sorted({*known, *sources}), separators=(",", ":"))
                db.execute(_PUT, (name, every))

        await self._db.write(change)

    async def sources(self, name: str) -> tuple[int, ...]:
        """Return the messages behind that line; none if it is not known."""
        query = "SELECT sources FROM saved WHERE name = ?"
        found = await self._db.first(itemgetter("sources"), query, name)
        return tuple(json.loads(found)) if found else ()

    async def names(self, messages: Collection[int]) -> set[str]:
        """Return the lines that came from any of these messages."""
        query = (
            "SELECT name FROM saved WHERE EXISTS (SELECT 1 FROM json_each(sources) AS source"
            " WHERE source.value IN (SELECT value FROM json_each(?)))"
        )
        return set(await self._db.all(itemgetter("name"), query, json.dumps(list(messages))))

    async def put_ended(self, fact: str, sources: Collection[int]) -> None:
        """Record that these messages alone ended that fact."""
        given = json.dumps(sorted(sources), separators=(",", ":"))
        await self._db.execute(_PUT, f"{_ENDED}{fact}", given)

    async def ended_by(self, messages: Collection[int]) -> list[str]:
        """Return the ids of the facts that only these messages ended. Messages that were forgotten
        before do not count."""
        return await self._db.all(
            lambda row: row["name"].removeprefix(_ENDED),
            f"SELECT name FROM saved WHERE {_ALONE} AND name LIKE ?2",
            json.dumps(list(messages)),
            f"{_ENDED}%",
        )


_ENDED = "ended ^"
_PUT = "INSERT INTO saved VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET sources = excluded.sources"
_ALONE = (
    "NOT EXISTS (SELECT 1 FROM json_each(saved.sources) AS source"
    " JOIN message ON message.id = source.value WHERE message.state != 'forgotten'"
    " AND message.id NOT IN (SELECT value FROM json_each(?1)))"
)


def forget(db: Connection, messages: Collection[int], named: Collection[str]) -> None:
    """Delete the lines that are named by their hash, and those that came from these messages alone;
    for the transaction that deletes the messages' texts."""
    db.execute(
        "DELETE FROM saved WHERE name IN (SELECT value FROM json_each(?, '$'))",
        (json.dumps(list(named)),),
    )
    db.execute(f"DELETE FROM saved WHERE {_ALONE}", (json.dumps(list(messages)),))
