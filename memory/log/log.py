"""The conversation log of one profile: messages, turns, batches and their states.

`Log` joins its parts on one database, `log.db`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from operator import itemgetter
from pathlib import Path
from typing import Any

from ..errors import StoreCorrupt
from ..infra.clock import Clock, parse_utc, utc_text
from ..infra.postgres import READS as READS
from ..infra.postgres import StorePlace as StorePlace
from ..infra.postgres import Tenant as Tenant
from ..infra.postgres import copy_rows as copy_rows
from ..infra.postgres import counts as counts
from ..infra.postgres import delete_rows as delete_rows
from ..infra.postgres import has_other_rows as has_other_rows
from ..infra.postgres import open_store as open_store
from ..infra.postgres import rename_tenant as rename_tenant
from ..infra.postgres import store_file as store_file
from ..infra.postgres import to_postgres as to_postgres
from ..infra.postgres import to_sqlite as to_sqlite
from ..infra.store import Connection, Store
from ..profile import DataDir, Profile
from . import ledger
from .batches import Batches
from .changefeed import Changes, next_change
from .erasure import Forgetting
from .evals import Exams
from .guidance.proposals import Proposals
from .guidance.versions import Versions
from .imports import dump
from .imports.bulk import BulkOrders
from .imports.imports import Imports
from .knowledge.candidates import FactCandidates
from .knowledge.contradictions import Contradictions
from .knowledge.facts import Facts
from .knowledge.saved import SavedLines
from .ledger import Ledger
from .messages import Messages, edit_user_message, insert_user_message
from .operations.edits import KeptEdits
from .operations.feedback import Feedback
from .operations.job_runs import JobLog
from .operations.stored_values import StoredValues
from .operations.usage import UsageLog
from .operations.vault_writes import Journal
from .sessions import Sessions
from .turns import LoggedTurns

log = logging.getLogger(__name__)

NOTICE_FOR = timedelta(days=7)
_CREATED_AGAIN = "log created again"
_SCHEMA = "sam_log"
_MIGRATIONS = Path(__file__).parent / "migrations"


class Log:
    """One profile's log; open it with `Log.open`."""

    def __init__(self, db: Store, clock: Clock, files: DataDir) -> None:
        self._db = db
        self.messages = Messages(db, clock)
        self.turns = LoggedTurns(db, clock)
        self.changes = Changes(db, clock)
        self.sessions = Sessions(db, clock)
        self.batches = Batches(db, clock)
        self.forgetting = Forgetting(db, clock, files.tombstone_key)
        self.journal = Journal(db, clock)
        self.edits = KeptEdits(db, clock)
        self.usage = UsageLog(db, clock)
        self.jobs = JobLog(db, clock)
        self.settings = StoredValues(db, clock)
        self.exams = Exams(db, clock)
        self.feedback = Feedback(db, clock)
        self.candidates = FactCandidates(db, clock)
        self.facts = Facts(db, clock)
        self.saved = SavedLines(db, clock)
        self.contradictions = Contradictions(db, clock)
        self.proposals = Proposals(db, clock)
        self.versions = Versions(db, clock)
        self.imports = Imports(db, clock, insert_user_message, edit_user_message)
        self.bulk = BulkOrders(db, clock)

    @classmethod
    async def open(cls, path: Path, clock: Clock, *, tenant: Tenant | None = None) -> Log:
        """Open or create the log: the file at `path`, or the tenant's tables in PostgreSQL, with
        keys and locks beside `path`. Raises StoreCorrupt, StoreBusy, StoreFull, StoreDown;
        ConfigError where the folder and DATABASE_URL do not belong together."""
        db = await open_store(path, _MIGRATIONS, schema=_SCHEMA, tenant=tenant)
        return cls(db, clock, DataDir(path.parent))

    @classmethod
    @asynccontextmanager
    async def of(cls, who: Profile, clock: Clock) -> AsyncIterator[Log]:
        """Open that profile's log within this context. Raises what `open` does."""
        opened = await cls.open(who.files.log, clock, tenant=who.tenant)
        try:
            yield opened
        finally:
            await opened.close()

    async def wait_for_writes(self) -> None:
        """Wait until all earlier writes have ended."""
        await self._db.wait_for_writes()

    def listen(self, event: asyncio.Event) -> None:
        """Set `event` after each change of the log by this process."""
        self._db.listen(event)

    async def ledger(self) -> Ledger:
        """Return all counts and inconsistencies, from one snapshot."""
        return await self._db.read(ledger.audit)

    async def fix(self) -> None:
        """Repair inconsistencies; the caller owns `run.lock` and `batch.lock`."""
        await self._db.write(ledger.fix)

    async def began(self) -> str | None:
        """Return when the first message was sent, as stored; None if there is none."""
        return await self._db.first(itemgetter(0), "SELECT min(sent_at) FROM message")

    async def check(self) -> None:
        """Check the whole file. Raises StoreCorrupt when it is damaged."""
        await self._db.check()

    async def scrub(self) -> None:
        """Remove every byte of forgotten content from the files of the log. Raises StoreBusy."""
        await self._db.scrub()

    async def dump(self, take: Callable[[str, Iterator[dump.Rows]], None]) -> None:
        """Pass each list of the whole log to `take`, by name, from one snapshot; runs in a
        thread."""

        def look(db: Connection) -> None:
            for name in dump.PARTS:
                take(name, dump.read(db, name))

        await self._db.read(look)

    async def fill(self, rows: Callable[[str], Iterator[Mapping[str, Any]]]) -> int:
        """Write all lists into this log, which must be empty; return the number of messages.

        Raises TransferRefused, StoreError: then nothing was written.
        """
        return await self._db.write(lambda db: dump.write(db, rows, next_change))

    async def close(self) -> None:
        """Close the database."""
        await self._db.close()


def place_of(who: Profile) -> StorePlace | None:
    """Return where the log of a profile is in PostgreSQL; None: it is in SQLite alone."""
    if who.tenant is None:
        return None
    return StorePlace(who.files.log, _SCHEMA, _MIGRATIONS, who.tenant)


async def open_log(who: Profile, clock: Clock, *, used: bool) -> Log:
    """Open the log and detect that a previously used database is missing.

    `used`: this data folder had a log before. A missing log is recreated, and `loss_notice` reports
    that for a while. An empty file of a used log is damaged: SQLite would take it for a new one.
    Raises what `Log.open` does.
    """
    path = who.files.log
    if who.tenant is not None:  # the marker in the folder shows whether the rows are missing
        return await Log.open(path, clock, tenant=who.tenant)
    missing = used and not path.exists()
    if used and not missing and not path.stat().st_size:
        raise StoreCorrupt(f"{path} is empty, and was not before: `sam doctor` says how to fix it")
    opened = await Log.open(path, clock)
    if missing:
        log.warning("log=%s is missing, creating a new one", path.name)
        await opened.settings.set(_CREATED_AGAIN, utc_text(clock()))
    return opened


async def loss_notice(source: Log, now: datetime) -> str | None:
    """Return the notice about a log that was recently lost and created again; None if it was
    not."""
    began = await source.settings.get(_CREATED_AGAIN)
    if began is None or now - parse_utc(began) > NOTICE_FOR:
        return None
    return (
        f"log.db was missing at {began[:16].replace('T', ' ')} UTC, and was created again,"
        " without the earlier conversations; your notes are unchanged"
    )
