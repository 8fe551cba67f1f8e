"""Usage of providers: the tokens, the cost and the size of each call."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from operator import itemgetter
from pathlib import Path

from ...infra.clock import parse_utc, utc_text
from ...infra.postgres import Tenant, read_now
from ...infra.sqlite import connect, errors
from ...infra.store import Connection, Records, Row, from_row, insert


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


class UsageLog(Records):
    """The usage log: tokens and costs of calls to providers."""

    async def add(self, usage: Usage) -> None:
        """Record one call."""
        await self.begin(usage)

    async def begin(self, usage: Usage) -> int:
        """Record the start of a call, with estimated `usage`; return its number for `settle`."""
        row = {"at": utc_text(self._clock()), **asdict(usage)}
        return await self._db.write(lambda db: insert(db, "usage", **row))

    async def settle(self, number: int, usage: Usage) -> None:
        """Replace a call's estimate with its actual usage, keeping its start time."""
        await self._db.execute(
            "UPDATE usage SET input = ?, output = ?, cache_read = ?, cache_write = ?, usd = ?,"
            " estimated = 0 WHERE id = ?",
            usage.input,
            usage.output,
            usage.cache_read,
            usage.cache_write,
            usage.usd,
            number,
        )

    async def of_day(self, day: date, zone: tzinfo) -> list[Usage]:
        """Return one local day's usage, summed by provider, model and purpose."""
        return await self._db.all(
            lambda row: Usage(**dict(row)),
            "SELECT provider, model, purpose, sum(input) AS input, sum(output) AS output,"
            " sum(cache_read) AS cache_read, sum(cache_write) AS cache_write, sum(usd) AS usd"
            " FROM usage WHERE at >= ? AND at < ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
            *_bounds(day, zone),
        )

    async def of_turn(self, turn_id: int) -> float:
        """Return the cost of one turn's calls in US dollars."""
        query = "SELECT sum(usd) FROM usage WHERE turn_id = ?"
        return float(await self._db.first(itemgetter(0), query, turn_id) or 0.0)

    async def since(self, start: datetime) -> list[tuple[datetime, Usage]]:
        """Return each call since that time, oldest first."""
        return await self._db.all(
            _call, "SELECT * FROM usage WHERE at >= ? ORDER BY at, id", utc_text(start)
        )


def _call(row: Row) -> tuple[datetime, Usage]:
    return parse_utc(row["at"]), from_row(Usage, row, estimated=bool(row["estimated"]))


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
