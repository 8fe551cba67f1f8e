"""Detect an outage of the database, and report it once when the database answers again.

The start of the outage is kept in a file of the data folder, because nothing can be written to the
database meanwhile. So an outage is reported once even if Sam is restarted during it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path

from memory import Clock, DataDir, StoreError
from memory.errors import StoreDown
from memory.infra import atomic_files, parse_utc, utc_text

from ..errors import ChatError
from ..settings import Settings
from .inbox import Inbox

log = logging.getLogger(__name__)

SECONDS = 3.0  # between two looks
LONG = timedelta(seconds=5)  # shorter ones are not reported: nobody has noticed them

Report = Callable[[datetime, datetime], Awaitable[None]]
"""Stores the message about an outage from its begin to its end, at most once for each begin.
Raises StoreError if that is not possible yet; ChatError if there is nobody to tell."""


class DatabaseWatch:
    """Watches one database. `trouble`: what is wrong with it now, or None."""

    def __init__(
        self, reach: Callable[[], Awaitable[None]], file: Path, clock: Clock, report: Report
    ) -> None:
        """`reach` returns once the database has answered, and raises StoreDown if it does not;
        `file`: where the begin of an outage is kept."""
        self._reach, self._file, self._clock, self._report = reach, file, clock, report
        self.trouble: str | None = None

    @classmethod
    def of(
        cls, inbox: Inbox, settings: Settings, clock: Clock, report: Report
    ) -> DatabaseWatch | None:
        """Watch the inbox's PostgreSQL; None: it is in SQLite, which is never away."""
        if settings.database_url is None:
            return None
        return cls(inbox.check, DataDir(settings.data_dir).outage, clock, report)

    async def run(self) -> None:
        """Look every few seconds, until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(SECONDS)

    async def look(self) -> None:
        try:
            await self._reach()
        except StoreDown as down:
            if self.trouble is None:
                log.error("the database is away: %s", down)
            self.trouble = str(down)
            await asyncio.to_thread(note_outage, self._file, self._clock())
            return
        except StoreError as other:  # it answers
            log.debug("the database answers with an error: %s", other)
        if self.trouble is not None:
            log.info("the database answers again")
            self.trouble = None
        await self._over()

    async def _over(self) -> None:
        began = await asyncio.to_thread(outage_began, self._file)
        if began is None:
            return
        ended = self._clock()
        if ended - began >= LONG:
            try:
                await self._report(began, ended)
            except StoreError as wrong:
                log.info("the outage since %s is reported later: %s", utc_text(began), wrong)
                return
            except ChatError as nobody:
                log.info("the outage since %s is not reported: %s", utc_text(began), nobody)
        await asyncio.to_thread(self._file.unlink, missing_ok=True)


def note_outage(file: Path, now: datetime) -> None:
    """Keep `now` as the begin of an outage, unless one has begun already. Blocks."""
    try:
        if not file.exists():
            atomic_files.write(file, f"{utc_text(now)}\n".encode())
    except OSError as full:
        log.error("the begin of the outage cannot be kept: %s", full)


def outage_began(file: Path) -> datetime | None:
    """Return when the present outage, or an unreported one, began; None without one. Blocks."""
    try:
        return parse_utc(file.read_text("utf-8").strip())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as wrong:
        log.error("the begin of the outage cannot be read: %s", wrong)
        file.unlink(missing_ok=True)
        return None
