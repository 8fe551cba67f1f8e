"""The runs of the jobs: when each began and ended, and with which error."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from ...infra.clock import parse_utc, utc_text
from ...infra.store import Connection, Records, Row, insert


@dataclass(frozen=True, slots=True)
class JobRun:
    """One run of a job; `ended_at` is None while it runs, or if it was killed."""

    started_at: datetime
    ended_at: datetime | None
    error: str | None


class JobLog(Records):
    """The runs of the jobs, and their results."""

    async def begin(self, job: str) -> int:
        """Record the start of a run; return its id for `end`."""
        at = utc_text(self._clock())

        def change(db: Connection) -> int:
            number = insert(db, "job_run", job=job, started_at=at)
            # A month of runs is enough to see what failed when.
            db.execute(
                "DELETE FROM job_run WHERE started_at < ?",
                (utc_text(parse_utc(at) - timedelta(days=30)),),
            )
            return number

        return await self._db.write(change)

    async def end(self, run: int, error: str | None = None) -> None:
        """Record the end of a run, with its error if there was one."""
        update = "UPDATE job_run SET ended_at = ?, error = ? WHERE id = ?"
        await self._db.execute(update, utc_text(self._clock()), error, run)

    async def latest(self) -> dict[str, JobRun]:
        """Return the last run of each job, by its name."""
        query = "SELECT * FROM job_run WHERE id IN (SELECT max(id) FROM job_run GROUP BY job)"
        return dict(await self._db.all(lambda row: (row["job"], _run(row)), query))

    async def failing(self) -> dict[str, JobRun]:
        """Return the last run of each job whose last run failed, by its name."""
        return {name: run for name, run in (await self.latest()).items() if run.error is not None}


def _run(row: Row) -> JobRun:
    ended_at = parse_utc(row["ended_at"]) if row["ended_at"] else None
    return JobRun(parse_utc(row["started_at"]), ended_at, row["error"])
