"""Opens the log, and notices when the one that was used before is gone. Knows no vault's notes.

A log that is missing begins anew, and says so for a while. One that is empty, though it was used,
is damaged: SQLite would take it for a new one.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from pathlib import Path

from .errors import StoreCorrupt
from .infra.clock import Clock, parse_utc, utc_text
from .log import Log

log = logging.getLogger(__name__)

TOLD_FOR = timedelta(days=7)
_BEGAN = "log began anew"


async def open_log(path: Path, clock: Clock, *, used: bool) -> Log:
    """The log, made where there is none. `used`: this data folder has had one before.

    Raises StoreCorrupt, StoreBusy, StoreFull.
    """
    missing = used and not path.exists()
    if used and not missing and not path.stat().st_size:
        raise StoreCorrupt(f"{path} is empty, and was not before: `sam doctor` says how to mend it")
    opened = await Log.open(path, clock)
    if missing:
        log.warning("log=%s is gone, a new one begins", path.name)
        await opened.settings.set(_BEGAN, utc_text(clock()))
    return opened


async def told(source: Log, now: datetime) -> str | None:
    """What to say about a log that began anew lately; None where it did not."""
    began = await source.settings.get(_BEGAN)
    if began is None or now - parse_utc(began) > TOLD_FOR:
        return None
    return (
        f"log.db was missing at {began[:16].replace('T', ' ')} UTC, and began anew: what was said"
        " before is not known any more, your notes are as they were"
    )
