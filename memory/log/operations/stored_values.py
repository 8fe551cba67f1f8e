"""Small values by name, such as consent, or what an endpoint refused."""

from __future__ import annotations

from operator import itemgetter

from ...infra.store import Records


class StoredValues(Records):
    """Small persistent values by name: consent, what an endpoint refused."""

    async def get(self, name: str) -> str | None:
        """Return the value, or None."""
        query = "SELECT value FROM setting WHERE name = ?"
        return await self._db.first(itemgetter("value"), query, name)

    async def beginning(self, start: str) -> dict[str, str]:
        """Return the values of all names with that prefix, by name."""
        query = "SELECT name, value FROM setting WHERE substr(name, 1, length(?1)) = ?1"
        return dict(await self._db.all(tuple, query, start))

    async def set(self, name: str, value: str) -> None:
        """Store a value, replacing the previous one."""
        insert = "INSERT INTO setting VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2"
        await self._db.execute(insert, name, value)
