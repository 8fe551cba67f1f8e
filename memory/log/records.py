"""The log's other tables: edits, usage, job runs, feedback, small settings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from pathlib import Path

from ..infra.clock import Clock, parse_utc, utc_text
from ..infra.postgres import Tenant, read_now
from ..infra.sqlite import connect, errors
from ..infra.store import Connection, Store


@dataclass(frozen=True, slots=True)
class Edit:
    """One write to the vault: hashes before and after, None for no note."""

    at: datetime
    path: str
    before: str | None
    after: str | None
    cause: str


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost of one call to a provider, and how much was sent.

    `usd`: by the price at the time; `bytes` of text; `passages` of notes and messages. `estimated`:
    the call is in progress, or its process was killed.
    """

    provider: str
    model: str
    purpose: str
    input: int
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    usd: float = 0.0
    turn_id: int | None = None
    bytes: int = 0
    passages: int = 0
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class JobRun:
    """One run of a job; `ended_at` is None while it runs, or if it was killed."""

    job: str
    started_at: datetime
    ended_at: datetime | None
    error: str | None


class Journal:
    """The edits that Sam made to the vault."""

    def __init__(self, db: Store, clock: Clock) -> None:
        self._db, self._clock = db, clock

    async def record(self, path: str, before: str | None, after: str | None, cause: str) -> None:
        """Record an edit; called by the vault after each write."""
        values = (utc_text(self._clock()), path, before, after, cause)
        await self._db.write(
            lambda db: db.execute(
                "INSERT INTO journal (at, path, before, after, cause) VALUES (?, ?, ?, ?, ?)",
                values,
            )
        )

    async def recent(self, count: int, path: str | None = None) -> list[Edit]:
        """Return the last edits, newest first."""

        def look(db: Connection) -> list[Edit]:
            rows = db.execute(
                "SELECT * FROM journal WHERE path = coalesce(?, path) ORDER BY id DESC LIMIT ?",
                (path, count),
            ).fetchall()
            return [
                Edit(parse_utc(r["at"]), r["path"], r["before"], r["after"], r["cause"])
                for r in rows
            ]

        return await self._db.read(look)


class UsageLog:
    """The usage log: tokens and costs of calls to providers."""

    def __init__(self, db: Store, clock: Clock) -> None:
        self._db, self._clock = db, clock

    async def add(self, usage: Usage) -> None:
        """Record one call."""
        await self.begin(usage)

    async def begin(self, usage: Usage) -> int:
        """Record the start of a call, with estimated `usage`; return its number for `settle`."""
        values = (
            utc_text(self._clock()),
            usage.provider,
            usage.model,
            usage.purpose,
            usage.turn_id,
            usage.input,
            usage.output,
            usage.cache_read,
            usage.cache_write,
            usage.usd,
            usage.bytes,
            usage.passages,
            usage.estimated,
        )

        def change(db: Connection) -> int:
            added = db.execute(
                "INSERT INTO usage (at, provider, model, purpose, turn_id, input, output,"
                " cache_read, cache_write, usd, bytes, passages, estimated)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                values,
            )
            return int(added.lastrowid or 0)

        return await self._db.write(change)

    async def settle(self, number: int, usage: Usage) -> None:
        """Replace a call's estimate with its actual usage, keeping its start time."""
        values = (
            usage.input,
            usage.output,
            usage.cache_read,
            usage.cache_write,
            usage.usd,
            number,
        )
        await self._db.write(
            lambda db: db.execute(
                "UPDATE usage SET input = ?, output = ?, cache_read = ?, cache_write = ?, usd = ?,"
                " estimated = 0 WHERE id = ?",
                values,
            )
        )

    async def of_day(self, day: date, zone: tzinfo) -> list[Usage]:
        """Return one local day's usage, summed by provider, model and purpose."""

        def look(db: Connection) -> list[Usage]:
            rows = db.execute(
                "SELECT provider, model, purpose, sum(input) AS input, sum(output) AS output,"
                " sum(cache_read) AS cache_read, sum(cache_write) AS cache_write, sum(usd) AS usd"
                " FROM usage WHERE at >= ? AND at < ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
                _bounds(day, zone),
            ).fetchall()
            return [Usage(**dict(row)) for row in rows]

        return await self._db.read(look)

    async def of_turn(self, turn_id: int) -> float:
        """Return the cost of one turn's calls in US dollars."""

        def look(db: Connection) -> float:
            row = db.execute("SELECT sum(usd) FROM usage WHERE turn_id = ?", (turn_id,)).fetchone()
            return float(row[0] or 0.0)

        return await self._db.read(look)

    async def since(self, start: datetime) -> list[tuple[datetime, Usage]]:
        """Return each call since that time, oldest first."""

        def look(db: Connection) -> list[tuple[datetime, Usage]]:
            rows = db.execute(
                "SELECT at, provider, model, purpose, input, output, cache_read, cache_write, usd,"
                " turn_id, bytes, passages, estimated FROM usage WHERE at >= ? ORDER BY at, id",
                (utc_text(start),),
            ).fetchall()
            found = [dict(row) for row in rows]
            return [
                (parse_utc(row.pop("at")), Usage(**row | {"estimated": bool(row["estimated"])}))
                for row in found
            ]

        return await self._db.read(look)


def spent_in(path: Path, tenant: Tenant | None, day: date, zone: tzinfo) -> float:
    """Return the US dollars spent on one local day, from the log whose file is `path`, SQLite's or
    the tenant's marker; 0.0 without a log.

    Another process may have the log open, and it may have an earlier schema version. Raises
    StoreError."""
    if not path.exists():
        return 0.0
    if tenant is not None:
        return read_now(tenant, "sam_log", lambda db: _spent(db, day, zone))
    with closing(connect(path)) as db, errors(path):
        if not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'usage'").fetchone():
            return 0.0
        return _spent(db, day, zone)


def _spent(db: Connection, day: date, zone: tzinfo) -> float:
    row = db.execute(
        "SELECT sum(usd) FROM usage WHERE at >= ? AND at < ?", _bounds(day, zone)
    ).fetchone()
    return float(row[0] or 0.0)


def _bounds(day: date, zone: tzinfo) -> tuple[str, str]:
    """Return the start of a local day and of the next one, as stored."""
    start = datetime.combine(day, time(), zone)
    end = datetime.combine(day + timedelta(days=1), time(), zone)
    return utc_text(start.astimezone(UTC)), utc_text(end.astimezone(UTC))


class JobLog:
    """The runs of the jobs, and their results."""

    def __init__(self, db: Store, clock: Clock) -> None:
        self._db, self._clock = db, clock

    async def begin(self, job: str) -> int:
        """Record the start of a run; return its id for `end`."""
        at = utc_text(self._clock())

        def change(db: Connection) -> int:
            added = db.execute("INSERT INTO job_run (job, started_at) VALUES (?, ?)", (job, at))
            # A month of runs is enough to see what failed when.
            db.execute(
                "DELETE FROM job_run WHERE started_at < ?",
                (utc_text(parse_utc(at) - timedelta(days=30)),),
            )
            return int(added.lastrowid or 0)

        return await self._db.write(change)

    async def end(self, run: int, error: str | None = None) -> None:
        """Record the end of a run, with its error if there was one."""
        at = utc_text(self._clock())
        await self._db.write(
            lambda db: db.execute(
                "UPDATE job_run SET ended_at = ?, error = ? WHERE id = ?", (at, error, run)
            )
        )

    async def latest(self) -> dict[str, JobRun]:
        """Return the last run of each job, by its name."""

        def look(db: Connection) -> dict[str, JobRun]:
            rows = db.execute(
                "SELECT * FROM job_run WHERE id IN (SELECT max(id) FROM job_run GROUP BY job)"
            ).fetchall()
            return {
                row["job"]: JobRun(
                    row["job"],
                    parse_utc(row["started_at"]),
                    parse_utc(row["ended_at"]) if row["ended_at"] else None,
                    row["error"],
                )
                for row in rows
            }

        return await self._db.read(look)


@dataclass(frozen=True, slots=True)
class Disliked:
    """An answer that the owner marked as bad. `sources`: the paths of its passages."""

    message: int
    at: datetime
    sources: tuple[str, ...]


class Feedback:
    """The owner's feedback on answers."""

    def __init__(self, db: Store) -> None:
        self._db = db

    async def dislike(self, message: int, at: datetime, sources: Sequence[str]) -> None:
        """Mark an answer as bad; a second time changes nothing."""
        values = (message, utc_text(at), json.dumps(list(sources)))
        await self._db.write(
            lambda db: db.execute(
                "INSERT INTO feedback VALUES (?, ?, ?) ON CONFLICT DO NOTHING", values
            )
        )

    async def remove_dislike(self, message: int) -> None:
        """Remove the mark of an answer."""
        await self._db.write(
            lambda db: db.execute("DELETE FROM feedback WHERE message = ?", (message,))
        )

    async def disliked(self, since: datetime) -> list[Disliked]:
        """Return the answers marked since then, oldest first."""

        def look(db: Connection) -> list[Disliked]:
            rows = db.execute(
                "SELECT * FROM feedback WHERE at >= ? ORDER BY at, message", (utc_text(since),)
            ).fetchall()
            return [
                Disliked(row["message"], parse_utc(row["at"]), tuple(json.loads(row["sources"])))
                for row in rows
            ]

        return await self._db.read(look)

    async def of(self, message: int) -> Disliked | None:
        """Return the mark of an answer; None if it has none."""
        found = await self.disliked(datetime.min.replace(tzinfo=UTC))
        return next((each for each in found if each.message == message), None)


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
