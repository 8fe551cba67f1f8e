"""Memory of one profile: the object that the bot, the MCP server and the command line share.

It joins vault, log, index and embedder; the clock is passed in. The caller decides when to
reconcile, embed and summarise.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime, tzinfo
from functools import cached_property, partial
from typing import TYPE_CHECKING

from .config import MemorySettings
from .dates import region_of
from .embedding import Embedder, consent, why_no_embedder
from .embedding.consent import EmbeddingEstimate
from .errors import LockHeld, StoreCorrupt
from .history import History, mark_outdated, recorder
from .index import Between, Index, ReconcileResult, Shape, housekeeping, no_pause
from .index.embedding_queue import EmbeddingQueue
from .index.pending_paths import PendingPaths, SingleFlight
from .infra.clock import Clock, local_day, system_clock
from .log import Ledger, Log, open_log
from .log.transcript import write_ended
from .profile import OWNER, Profile, profile_of, zone_of
from .search import Filter, Question, Recalled
from .search.searcher import Searcher, in_time
from .vault import FileEvents, Vault, starter
from .vault.watcher import watch

if TYPE_CHECKING:
    from .guidance import Guidance
    from .knowledge import Knowledge
    from .summaries.draft import Summarise
    from .summaries.summarizer import Summariser, WrittenBatch

_SCAN_EVERY = 2.0  # seconds; in a process without a watcher
_AT_ONCE = 100  # notes: one page of the index. With a watcher, a question waits for no more


@dataclass(frozen=True, slots=True)
class Status:
    """The state of memory. Lags count outstanding work: 0 at rest. `awaiting_consent`: the owner's
    notes that a remote provider will embed once the owner agrees."""

    ledger: Ledger
    notes: int
    messages: int
    chunks: int
    not_indexed: int
    not_embedded: int
    embeddings: str
    awaiting_consent: EmbeddingEstimate | None


@dataclass(eq=False, repr=False)
class Memory:
    """One profile's memory, which `Memory.open` provides.

    `dirty`: paths in the vault that were written and are not indexed yet. `new_notes`: the notes of
    the starter vault that this start has copied. `awaiting_consent`: see `Status`.
    """

    settings: MemorySettings
    profile: Profile
    clock: Clock
    zone: tzinfo
    vault: Vault
    log: Log
    index: Index
    embedder: Embedder | None
    dirty: PendingPaths
    new_notes: tuple[str, ...]
    awaiting_consent: EmbeddingEstimate | None
    watching: bool = field(default=False, init=False)
    """Whether `watch` is running; otherwise each recall scans the vault itself."""

    def __post_init__(self) -> None:
        settings, index = self.settings, self.index
        self.embeddings = EmbeddingQueue(
            index, self.embedder, cache=settings.embedding_cache_enabled
        )
        self.searcher = Searcher(
            index,
            self.embeddings,
            self.refresh,
            by_keywords=settings.fts_enabled,
            vector_weight=settings.vector_weight,
            candidate_multiplier=settings.candidate_multiplier,
        )
        lacking = self.embedder is None and settings.provider != "none"
        self.why_no_vectors = why_no_embedder(settings) if lacking else ""
        self._refreshing, self._scanned = SingleFlight(self._index_pending), 0.0

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        settings: MemorySettings,
        *,
        clock: Clock = system_clock,
        profile: str = OWNER,
        sole: bool = False,
        restoring: bool = False,
        on_write: Callable[[str], None] | None = None,
    ) -> AsyncIterator[Memory]:
        """Open a profile's stores within this context; the first time, copy the starter vault.

        `sole`: this process owns `run.lock`, and may replace another embedder's index.
        `restoring`: it finishes a restore. `on_write` is called with the path after each write to
        the vault; None where nobody in this process sends it elsewhere.
        Raises VaultGone, StoreError, LockHeld.
        """
        who = profile_of(settings, profile)
        who.files.create()
        make_vault = partial(
            Vault,
            who.vault,
            sam_dir=settings.sam_dir,
            data_dir=who.data,
            exclude=settings.index_exclude,
            restoring=restoring,
        )
        furnished = make_vault()  # before a new log exists, which would look like earlier use
        new = await starter.copy_starter(furnished)
        source = await open_log(who, clock, used=furnished.used)
        dirty = PendingPaths()

        async def wrote(path: str, before: str | None, after: str | None, cause: str) -> None:
            await source.journal.record(path, before, after, cause)
            dirty.add([path])
            if on_write is not None:
                on_write(path)

        try:
            vault = make_vault(journal=wrote, recorder=recorder(source, clock))
            zone = zone_of(settings, await vault.read_optional(vault.own("user.md")))
            asked, embedder = await consent.embedder(settings, source, vault, clock)
            identity = embedder.identity if embedder else None
            shape = Shape(identity, str(zone), settings.chunk_chars, vault.sam_dir)
            index = await Index.open(who.files, vault, source, shape, zone, clock, sole=sole)
            memory = cls(
                settings, who, clock, zone, vault, source, index, embedder, dirty, new, asked
            )
            try:
                yield memory
            finally:
                await memory.searcher.close()
                await index.close()
                if embedder is not None:
                    await embedder.close()
        finally:
            await source.close()

    def today(self, moment: datetime | None = None) -> date:
        """Return the owner's local day, at a moment or now."""
        return local_day(moment or self.clock(), self.zone)

    def use_zone(self, zone: tzinfo) -> None:
        """Use that time zone from now on; what is indexed already follows with the next start."""
        self.zone = zone
        self.index.use_zone(zone)

    # ── the index follows vault and log ──────────────────────────────────────────────────────

    def changed(self, paths: Iterable[str]) -> None:
        """Queue notes that may have changed, for the next reconcile."""
        self.dirty.add(paths)

    async def reconcile(
        self, paths: Iterable[str] | None = None, *, between: Between = no_pause
    ) -> ReconcileResult:
        """Update the index from these notes, or from the whole vault and log."""
        named, known = None if paths is None else frozenset(paths), self.dirty.seen()
        if named is None:
            self._scanned = time.monotonic()
        report = await self.index.reconcile(named, between=between)
        self.dirty.settle(known, named)
        return report

    async def follow(self, paths: frozenset[str] | None) -> ReconcileResult:
        """Reconcile for the watcher, which retries after an error, yielding to active turns."""
        self.dirty.drop_older(paths, but=_AT_ONCE)
        return await self.reconcile(paths, between=self.embeddings.give_way)

    async def refresh(self, *questions: Question) -> None:
        """Index pending changes before a question. With a watcher, only the newest of many paths,
        because `follow` handles the rest; without one, everything, every few seconds. Indexing of
        messages that all the questions exclude is deferred: the turn shows them already.
        """
        await self._refreshing(*(questions or (None,)))

    async def _index_pending(self, questions: Sequence[Question | None]) -> None:
        if not self.watching and time.monotonic() - self._scanned > _SCAN_EVERY:
            await self.reconcile()
            return

        def may_wait(message_id: int) -> bool:
            return all(asked and asked.leaves_out(message_id) for asked in questions)

        with self.dirty.take(_AT_ONCE if self.watching else len(self.dirty)) as paths:
            await self.index.reconcile(paths, may_wait=may_wait)

    def listen(self, event: asyncio.Event) -> None:
        """Set `event` after each change of log or index by this process."""
        self.log.listen(event)
        self.index.listen(event)

    async def index_deferred(self) -> None:
        """Index deferred messages (called while idle). Raises VaultGone, StoreError, LockHeld."""
        await asyncio.to_thread(self.vault.check_present)
        await self.index.reconcile(())

    async def watch(self, files: FileEvents, scanned: Callable[[], None], *, alone: bool) -> None:
        """Keep the index up to date until cancelled: scan the whole vault, then follow its changes.

        `scanned` is called after the first full scan. `alone`: no other process works on this
        profile, so this one repairs what a crash left. `files`: the watcher of all profiles.
        """
        begun = False

        async def changed(paths: frozenset[str] | None) -> None:
            nonlocal begun
            self.watching = True
            if alone and not begun:
                await self.catch_up()
            else:
                await self.follow(paths)
            if not begun:
                begun = True
                scanned()

        try:
            await watch(self.vault.root, changed, files)
        finally:
            self.watching = False

    async def catch_up(self) -> ReconcileResult:
        """At startup: repair what a crash left, then scan everything.

        If the embedder changed, build a new index next to the old one.
        """
        with contextlib.suppress(LockHeld):  # the process that holds the lock repairs them itself
            await self.summariser.repair()
            await self.history.finish()
        await write_ended(self.log, self.vault, self.zone, self.profile.name)
        if not await self.index.fits():
            return await self.index.rebuild()
        self._scanned = time.monotonic()
        return await self.index.reconcile(between=self.embeddings.give_way)

    async def keep_tidy(self) -> None:
        """Merge the segments of the full-text index while no turn runs, until cancelled."""
        await housekeeping.keep_tidy(self.index, self.embeddings.idle)

    async def recall(
        self,
        query: str,
        *,
        limit: int = 8,
        filter: Filter = "all",
        since: date | None = None,
        until: date | None = None,
        kinds: tuple[str, ...] = (),
        private: bool = False,
        without_messages: Iterable[int] = (),
        now: datetime | None = None,
        wordings: Iterable[str] = (),
        every: bool = False,
        seconds: float | None = None,
    ) -> Recalled:
        """Return the passages that answer a question, best first; none if nothing does.

        `now`: the moment of the question. `private` admits sensitive passages: for the owner's own
        eyes, never for a model. `wordings`: other ways to ask. `every`: return the nearest,
        whatever their score. `seconds`: see `in_time`. Raises StoreError.
        """
        question = Question(
            query,
            self.today(now),
            limit=limit,
            filter=filter,
            since=since,
            until=until,
            kinds=kinds,
            private=private,
            without_messages=frozenset(without_messages),
            wordings=tuple(wordings),
            every=every,
            region=region_of(self.zone),
        )
        return (await self.find([question], seconds=seconds))[0]

    async def find(
        self, questions: Sequence[Question], *, seconds: float | None = None
    ) -> list[Recalled]:
        """Answer questions of one text, from one snapshot of the index; `seconds`: see in_time."""
        return await in_time(self._find, questions, seconds)

    async def _find(self, questions: Sequence[Question], quick: bool) -> list[Recalled]:
        searched = await self.index.db()
        try:
            found = await self.searcher.find(questions, quick=quick)
        except StoreCorrupt as why:
            await self.index.replace(str(why), searched)
            await self.reconcile()
            found = await self.searcher.find(questions)
        found = await mark_outdated(found, questions, self.vault, self.log, self.today)
        lacks = self.why_no_vectors or None
        return [replace(each, degraded=each.degraded or lacks) for each in found]

    # ── writing memory ───────────────────────────────────────────────────────────────────────

    @property
    def summariser(self) -> Summariser:
        """Return the summariser, which writes the days' files."""
        from .summaries.summarizer import Summariser  # `sam search` would take 5 % longer

        lock, language = self.profile.files.batch_lock, self.settings.memory_language
        return Summariser(
            self.vault, self.log, lock, self.zone, self.day_path, language, self.knowledge
        )

    @cached_property
    def knowledge(self) -> Knowledge:
        """Return the facts of this profile."""
        from .knowledge import Knowledge

        async def nearest(text: str, count: int) -> list[tuple[str, int, int]]:
            found = await self.recall(text, limit=count, kinds=("fact", "rule"), every=True)
            return [(hit.path, hit.start_line, hit.end_line) for hit in found.hits]

        files = self.profile.files
        return Knowledge(self.vault, self.log, files.batch_lock, nearest, self.today)

    @cached_property
    def history(self) -> History:
        """Return the changes that Sam made, which can be undone."""
        return History(self.vault, self.log, self.profile.files.batch_lock)

    @cached_property
    def guidance(self) -> Guidance:
        """Return the owner's files, which change by proposals, with their earlier texts."""
        from .guidance import Guidance

        return Guidance(self.vault, self.log)

    def day_path(self, day: date) -> str:
        """Return the path of that day's file."""
        return self.vault.own(day.strftime(self.settings.memory_file))

    async def summarise(
        self, summarise: Summarise, *, reason: str, before: date | None = None
    ) -> list[WrittenBatch]:
        """Summarise all pending messages (of days before `before`) and index the result.

        Raises SummaryError; LockHeld while another process summarises.
        """
        await self.knowledge.learn()
        done = await self.summariser.run(
            summarise, reason=reason, before=before, force=reason in ("asked", "command")
        )
        if done:
            await self.refresh()
        return done

    async def end_session(self, chat: str, now: datetime) -> str | None:
        """End the chat's session and write its transcript; return its path, if any was written."""
        session = await self.log.sessions.end(chat, now)
        await write_ended(self.log, self.vault, self.zone, self.profile.name)
        ended = await self.log.sessions.by_id(session.id) if session else None
        return ended.path if ended else None

    # ── status ───────────────────────────────────────────────────────────────────────────────

    async def status(self) -> Status:
        """Return counts and lags, read from the stores."""
        counts = await self.index.counts()
        return Status(
            ledger=await self.log.ledger(),
            notes=counts["notes"],
            messages=counts["messages"],
            chunks=counts["chunks"],
            not_indexed=await self.index.behind(),
            not_embedded=counts["waiting"] if self.embedder else 0,
            embeddings=self.embeddings.describe() if self.embedder else self.why_no_vectors,
            awaiting_consent=self.awaiting_consent,
        )

    async def consent(self) -> None:
        """Record the owner's consent to send notes to the provider, from the next start on."""
        await consent.grant(self.log, self.settings.provider, self.clock)
        self.awaiting_consent = None
