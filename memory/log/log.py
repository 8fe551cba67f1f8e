"""The conversation log of one profile: what was said, and what became of it.

It knows no vault, no index and no model. `Log` joins its parts on one database, `log.db`.
"""

from __future__ import annotations

from pathlib import Path

from ..infra.clock import Clock
from ..infra.secure_delete import vacuum
from ..infra.sqlite import Database, open_database
from . import integrity
from .batches import Batches
from .changefeed import Changes
from .erasure import Forgetting
from .evals import Exams
from .integrity import Ledger
from .messages import Messages
from .records import JobLog, Journal, Remembered, UsageLog
from .sessions import Sessions
from .turns import Turns

_MIGRATIONS = Path(__file__).parent / "migrations"


class Log:
    """One profile's log; open it with `Log.open`."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self.messages = Messages(db, clock)
        self.turns = Turns(db)
        self.changes = Changes(db)
        self.sessions = Sessions(db, clock)
        self.batches = Batches(db, clock)
        self.forgetting = Forgetting(db, clock)
        self.journal = Journal(db, clock)
        self.usage = UsageLog(db, clock)
        self.jobs = JobLog(db, clock)
        self.settings = Remembered(db)
        self.exams = Exams(db)

    @classmethod
    async def open(cls, path: Path, clock: Clock) -> Log:
        """Open or create the log. Raises StoreCorrupt, StoreBusy, StoreFull."""
        return cls(await open_database(path, _MIGRATIONS), clock)

    async def answers(self) -> None:
        """Return once the thread that writes has answered."""
        await self._db.answers()

    async def ledger(self) -> Ledger:
        """All counts, and what does not agree, from one snapshot."""
        return await self._db.read(integrity.look)

    async def mend(self) -> None:
        """Put right what does not agree; the caller holds `run.lock` and `batch.lock`."""
        await self._db.write(integrity.mend)

    async def began(self) -> str | None:
        """When the first message was sent, as stored; None before it."""
        return await self._db.read(
            lambda db: db.execute("SELECT min(sent_at) FROM message").fetchone()[0]
        )

    async def check(self) -> None:
        """Look at the whole file. StoreCorrupt when it is damaged."""
        await self._db.check()

    async def scrub(self) -> None:
        """What was forgotten leaves no byte in the files of the log. Raises StoreBusy."""
        await self._db.maintain(vacuum)

    async def close(self) -> None:
        """Close the database."""
        await self._db.close()
