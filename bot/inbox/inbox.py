"""The inbox of one bot: received updates, outgoing replies, paired users.

All in `inbox.db`, written with full synchronisation before an update is handled. A second
process (`sam pair`, `sam doctor`) may open it beside the bot.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory import Clock, DataDir, StoreError, errors
from memory.infra import Connection, Store, parse_utc
from memory.log import (
    Rule,
    StorePlace,
    Tenant,
    Wrong,
    by_state,
    count_mismatch,
    open_store,
    store_file,
    violation,
)

from ..settings import Settings
from .buttons import Buttons
from .outbox import Replies
from .pairing_codes import People, moved_groups, paired
from .updates import Received, Updates, unfinished

log = logging.getLogger(__name__)

DAY = 86_400.0
_TENANT = "bot"  # the inbox is the bot's, not a profile's
_SCHEMA = "sam_inbox"
_MIGRATIONS = Path(__file__).parent / "migrations"


@dataclass(frozen=True, slots=True)
class InboxCounts:
    """Rows by state, counted and never subtracted; `strangers`: persons."""

    updates: dict[str, int]
    updates_total: int
    replies: dict[str, int]
    unsettled: int
    strangers: int
    wrong: tuple[Wrong, ...] = ()

    @property
    def adds_up(self) -> bool:
        """Whether every row is in exactly one state, and redundant data agrees."""
        return not self.wrong


@dataclass(frozen=True, slots=True)
class InboxLoad:
    """How much was received and sent, ever, and what waits. `oldest`: when the oldest update that
    waits was received; None for none. `unsettled`: replies that Telegram or the log lacks."""

    updates: int
    replies: int
    waiting: int
    oldest: datetime | None
    unsettled: int


_RULES = (
    Rule(
        "update-text",
        "updates wait without their text, or are set aside without a reason",
        "SELECT update_id FROM incoming WHERE (state = 'received' AND payload IS NULL)"
        " OR (state = 'set_aside' AND coalesce(reason, '') = '')",
    ),
    Rule(
        "reply-state",
        "replies are sent without a message, given up without a reason, or settled too early",
        "SELECT id FROM reply WHERE (state = 'sent' AND (telegram_ids = '[]' OR sent_at IS NULL))"
        " OR (state = 'given_up' AND coalesce(reason, '') = '')"
        " OR (state = 'to_send' AND (settled = 1 OR text IS NULL))",
    ),
)


@dataclass(frozen=True, slots=True)
class OpenWork:
    """The numbers of all unfinished updates, the new ones in the order of arrival, the profiles
    with replies that are not settled, the paired users with their profiles, and the new ids of
    groups with the first ones."""

    numbers: frozenset[int]
    new: list[Received]
    replies: set[str]
    paired: dict[int, str]
    moved: dict[int, int]


class Inbox:
    """Open it with `Inbox.open`."""

    def __init__(self, db: Store, clock: Clock) -> None:
        self._db = db
        self.updates = Updates(db, clock)
        self.replies = Replies(db, clock)
        self.buttons = Buttons(db, clock)
        self.people = People(db, clock)

    @classmethod
    async def of(cls, settings: Settings, clock: Clock) -> Inbox:
        """Open or create the inbox of this installation. Raises what `open` does."""
        path, tenant = _place(settings)
        return await cls.open(path, clock, tenant=tenant)

    @classmethod
    @asynccontextmanager
    async def if_exists(cls, settings: Settings, clock: Clock) -> AsyncIterator[Inbox | None]:
        """Open the inbox within this context; None if there is none yet. Raises as `open` does."""
        if not cls.exists(settings):
            yield None
            return
        inbox = await cls.of(settings, clock)
        try:
            yield inbox
        finally:
            await inbox.close()

    @staticmethod
    def exists(settings: Settings) -> bool:
        """Return whether this installation has opened an inbox before."""
        return store_file(*_place(settings)).exists()

    @staticmethod
    def place(settings: Settings) -> StorePlace | None:
        """Return where the inbox is in PostgreSQL; None: it is in SQLite alone."""
        path, tenant = _place(settings)
        return StorePlace(path, _SCHEMA, _MIGRATIONS, tenant) if tenant is not None else None

    @classmethod
    async def open(cls, path: Path, clock: Clock, *, tenant: Tenant | None = None) -> Inbox:
        """Open or create the inbox: the file at `path`, or the tenant's tables in PostgreSQL.
        Raises StoreCorrupt, StoreBusy, StoreFull, StoreDown; ConfigError where the folder and
        DATABASE_URL do not belong together.

        An empty file beside a log that has something is one that was lost, and not a new one.
        """
        if tenant is not None:
            db = await open_store(path, _MIGRATIONS, schema=_SCHEMA, tenant=tenant)
            return cls(db, clock)
        if _size(path) == 0 and not _size(_beside(path, "-wal")):
            if _size(path.with_name("log.db")):
                raise errors.StoreCorrupt(
                    f"{path} is empty (0 bytes), and contained the paired accounts: `sam doctor` "
                    "explains how to restore it"
                )
            path.unlink()
        fresh = not path.exists()
        try:
            db = await open_store(path, _MIGRATIONS, schema=_SCHEMA, tenant=None)
            return cls(db, clock)
        except StoreError:
            if fresh and _size(path) == 0:  # so that the next start does not take it for a lost one
                for left in (path, _beside(path, "-wal"), _beside(path, "-shm")):
                    left.unlink(missing_ok=True)
            raise

    async def check(self) -> None:
        """Check the whole file. Raises StoreCorrupt when it is damaged."""
        await self._db.check()

    async def wait_for_writes(self) -> None:
        """Return once all earlier writes have ended."""
        await self._db.wait_for_writes()

    async def counts(self) -> InboxCounts:
        """Return all counts, from one snapshot."""

        def look(db: Connection) -> InboxCounts:
            def number(question: str) -> int:
                return int(db.execute(question).fetchone()[0])

            updates, replies = by_state(db, "incoming"), by_state(db, "reply")
            wrong = [
                count_mismatch(db, "updates", sum(updates.values())),
                count_mismatch(db, "replies", sum(replies.values())),
                *(violation(db, rule) for rule in _RULES),
            ]
            return InboxCounts(
                updates=updates,
                updates_total=number("SELECT count(*) FROM incoming"),
                replies=replies,
                unsettled=number("SELECT count(*) FROM reply WHERE settled = 0"),
                strangers=number("SELECT count(DISTINCT user_id) FROM stranger"),
                wrong=tuple(each for each in wrong if each is not None),
            )

        return await self._db.read(look)

    async def load(self) -> InboxLoad:
        """Return the numbers for a monitor, without reading what is finished."""

        def look(db: Connection) -> InboxLoad:
            made = dict(db.execute("SELECT name, value FROM counter").fetchall())
            waiting, oldest = db.execute(
                "SELECT count(*), min(received_at) FROM incoming WHERE state = 'received'"
            ).fetchone()
            unsettled = db.execute("SELECT count(*) FROM reply WHERE settled = 0").fetchone()[0]
            return InboxLoad(
                updates=int(made.get("updates", 0)),
                replies=int(made.get("replies", 0)),
                waiting=int(waiting),
                oldest=parse_utc(oldest) if oldest else None,
                unsettled=int(unsettled),
            )

        return await self._db.read(look)

    async def open_work(self, known: Collection[int]) -> OpenWork:
        """Return what is unfinished. `known`: the numbers of the updates that the caller has."""

        def look(db: Connection) -> OpenWork:
            rows = db.execute(
                "SELECT update_id FROM incoming WHERE state = 'received'"
                " ORDER BY received_at, update_id"
            ).fetchall()
            numbers = [int(row[0]) for row in rows]
            new = [number for number in numbers if number not in known]
            replies = db.execute("SELECT DISTINCT profile FROM reply WHERE settled = 0").fetchall()
            return OpenWork(
                frozenset(numbers),
                unfinished(db, new) if new else [],
                {row[0] for row in replies},
                paired(db),
                moved_groups(db),
            )

        return await self._db.read(look)

    async def expire_daily(self) -> None:
        """Clear old buttons, and texts set aside long ago, now and once a day, until cancelled.

        It always scrubs, because the process may have been killed between clearing and scrubbing.
        """
        while True:
            try:
                await self.updates.expire()
                await self.buttons.expire()
                await self.scrub()
            except StoreError as busy:
                log.warning("what was cleared may be in the inbox for another day: %s", busy)
            await asyncio.sleep(DAY)

    async def done(self, *update_ids: int) -> None:
        """Mark the updates done, and remove every byte of texts that were forgotten meanwhile."""
        if await self.updates.done(*update_ids):
            try:
                await self.scrub(quick=True)
            except StoreError as busy:  # the updates are done all the same
                log.warning("what was forgotten may be in the inbox for another day: %s", busy)

    async def leave_nothing(self, update_id: int, *, quick: bool = False) -> None:
        """Clear that update, and remove every byte of cleared texts. Raises StoreBusy."""
        await self.updates.clear(update_id)
        await self.scrub(quick=quick)

    async def scrub(self, *, quick: bool = False) -> None:
        """Remove every byte of cleared texts from the files of the inbox. Raises StoreBusy.
        `quick`: without rewriting the whole file, which is done once a day."""
        await self._db.scrub(quick=quick)

    async def close(self) -> None:
        await self._db.close()


def _place(settings: Settings) -> tuple[Path, Tenant | None]:
    url = settings.database_url
    tenant = Tenant(url.get_secret_value(), _TENANT, leased=False) if url else None
    return DataDir(settings.data_dir).inbox, tenant


def _size(path: Path) -> int | None:
    """Bytes; None where there is no such file."""
    try:
        return path.stat().st_size
    except OSError:
        return None


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)
