"""Small values by name, such as consent, or what an endpoint refused."""

from __future__ import annotations

from ...infra.store import Connection, Store


class StoredValues:
    """Small persistent values by name: consent, what an endpoint refused."""

    def __init__(self, db: Store) -> None:
        self._db = db

    async def get(self, name: str) -> str | None:
        """Return the value, or None."""

        def look(db: Connection) -> str | None:
            row = db.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
            return str(row["value"]) if row else None

        return await self._db.read(look)

    async def beginning(self, start: str) -> dict[str, str]:
        """Return the values of all names with that prefix, by name."""

        def look(db: Connection) -> dict[str, str]:
            rows = db.execute(
                "SELECT name, value FROM setting WHERE substr(name, 1, length(?1)) = ?1", (start,)
            ).fetchall()
            return {row["name"]: row["value"] for row in rows}

        return await self._db.read(look)

    async def set(self, name: str, value: str) -> None:
        """Store a value, replacing the previous one."""
        await self._db.write(
            lambda db: db.execute(
                "INSERT INTO setting VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2",
                (name, value),
            )
        )
