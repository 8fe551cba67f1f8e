"""Reconcile: vault + log → index, the only writer of its sources and chunks.

It can stop and resume anywhere: each page is one transaction, and finished work is recognised by
its hash. `index.lock` is taken for one page at a time, so that a large scan blocks no other process
for long. Notes are read under the lock; messages are read before it, and stored only if no other
process has stored that page meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import partial
from pathlib import Path

from ..errors import NoteMissing, NoteUnreadable, PathRefused
from ..infra.failpoints import failpoint
from ..infra.file_locks import locked
from ..infra.sqlite import Connection, Database
from ..infra.text_encoding import hash_of
from ..log import Log, Message
from ..log.changefeed import MayWait, none_may_wait
from ..vault import Vault
from ..vault.scanner import NoteFile
from . import fulltext, tables
from .passages import Passage, of_message, of_note
from .replaced_lines import concerns, current_notes, hash_with, is_current, replaced_lines
from .tables import Source

PAGE = 100  # notes or messages in one transaction
_SETTLED_NS = (
    2_000_000_000  # a file younger than this may change again within the resolution of its mtime
)

Between = Callable[[], Awaitable[None]]
"""Awaited between two pages of a long reconcile, so that more urgent work runs first."""


async def no_pause() -> None:
    """Return immediately: no other work is more urgent."""


@dataclass(frozen=True, slots=True)
class ReconcileResult:
    """What a reconcile changed: counts of notes and messages."""

    indexed: int = 0
    removed: int = 0

    def __add__(self, other: ReconcileResult) -> ReconcileResult:
        return ReconcileResult(self.indexed + other.indexed, self.removed + other.removed)


class Reconciler:
    """Update one generation from one vault and one log."""

    def __init__(self, db: Database, vault: Vault, log: Log, lock: Path, zone: tzinfo, limit: int):
        self._db, self._vault, self._log = db, vault, log
        self._lock, self._zone, self._limit = lock, zone, limit

    async def everything(self, now_ns: int) -> AsyncIterator[ReconcileResult]:
        """Scan everything, page by page. `now_ns`: the current time; younger files may still
        change."""
        files = await asyncio.to_thread(lambda: {note.path: note for note in self._vault.notes()})
        known = await self._db.read(tables.notes)
        # What lines replaced is in the archive, so their notes are always read.
        stale = [
            path
            for path, file in files.items()
            if is_current(path, self._vault.sam_dir) or not _same(known.get(path), file)
        ]
        # Newest first: the owner most likely asks about recent work.
        stale.sort(key=lambda path: files[path].mtime_ns, reverse=True)
        gone = [path for path in known if path not in files]
        for page in _pages([*gone, *stale]):
            yield await self._notes(page, now_ns)
        async for report in self.messages():
            yield report

    async def paths(
        self, paths: Iterable[str], now_ns: int, may_wait: MayWait
    ) -> AsyncIterator[ReconcileResult]:
        """Index these notes, page by page, and the messages that changed."""
        changed = set(paths)
        if any(concerns(path, self._vault.sam_dir) for path in changed):
            changed.update(await asyncio.to_thread(current_notes, self._vault))
        for page in _pages(sorted(changed)):
            yield await self._notes(page, now_ns)
        async for report in self.messages(may_wait):
            yield report

    async def _notes(self, paths: Sequence[str], now_ns: int) -> ReconcileResult:
        async with locked(self._lock, timeout=60):
            known = await self._db.read(lambda db: {p: tables.source(db, p) for p in paths})
            made = await asyncio.to_thread(self._read_all, paths, known, now_ns)
            if any(source is None for source, _ in made):
                # The vault is missing, not its notes: keep what is indexed.
                await asyncio.to_thread(self._vault.check_present)
            if made == [(known[path], None) for path in paths]:
                return ReconcileResult()  # a write would make searches read the index again

            def change(db: Connection) -> ReconcileResult:
                indexed = removed = 0
                for path, (source, passages) in zip(paths, made, strict=True):
                    old = known[path]
                    if source is None:
                        tables.drop(db, path)
                        removed += old is not None
                    elif passages is None:
                        tables.touch(db, source)
                    else:
                        tables.put(db, source, passages)
                        indexed += 1
                fulltext.correct_totals(db)
                return ReconcileResult(indexed, removed)

            report = await self._db.write(change)
        failpoint("in_rebuild")
        return report

    def _read_all(
        self, paths: Sequence[str], known: Mapping[str, Source | None], now_ns: int
    ) -> list[tuple[Source | None, list[Passage] | None]]:
        sam_dir = self._vault.sam_dir
        has_current = any(is_current(path, sam_dir) for path in paths)
        older = replaced_lines(self._vault) if has_current else {}
        return [
            self._read(path, known[path], now_ns, older if is_current(path, sam_dir) else {})
            for path in paths
        ]

    def _read(
        self, path: str, known: Source | None, now_ns: int, older: Mapping[str, str]
    ) -> tuple[Source | None, list[Passage] | None]:
        """Read a note: (None, …) it is gone, (source, None) it is unchanged, else its passages."""
        if not self._vault.is_indexed(path):
            return None, None
        try:
            note = self._vault.load(path)
            place = self._vault.resolve(path)
            size = place.stat().st_size
        except (NoteMissing, PathRefused, FileNotFoundError):
            return None, None
        except NoteUnreadable:
            # Keep its indexed state, or store it as empty; the next scan retries.
            return (Source(path, "", 0, 0), []) if known is None else (known, None)
        settled = note.mtime_ns if 0 <= note.mtime_ns < now_ns - _SETTLED_NS else 0
        content = hash_with(note.hash, note.text, older) if older else note.hash
        source = Source(path, content, size, settled)
        if known is not None and known.hash == content:
            return source, None
        if note.binary:
            return source, []
        sam_dir = self._vault.sam_dir
        return source, of_note(path, note.text, sam_dir=sam_dir, limit=self._limit, older=older)

    async def messages(self, may_wait: MayWait = none_may_wait) -> AsyncIterator[ReconcileResult]:
        """Index the messages that were logged, edited or forgotten since the last time, page by
        page, until all remaining ones may wait."""
        full = True
        while full:
            at = await self._last_change()
            page = await self._log.changes.since(at, PAGE, may_wait)
            if page.newest == at:
                return  # the usual case before a question
            if at and not page.known and not await self._is_same_log(at):
                yield await self._drop_messages()
                continue
            if not page.rows:
                return
            made = [self._message(page.counts, *row) for row in page.rows]
            put = partial(_put_messages, made=made, at=at, reached=page.reached)
            async with locked(self._lock, timeout=60):
                report = await self._db.write(put)
            if report is None:
                continue  # another process stored this page
            failpoint("in_rebuild")
            yield report
            full = len(page.counts) == PAGE

    async def _last_change(self) -> int:
        """Return the change counter of the newest indexed message."""
        return int((await self._db.read(tables.meta))["changed"])

    def _message(
        self, changed: Mapping[int, int], message: Message, before: str, after: str, continues: bool
    ) -> tuple[Source, list[Passage]]:
        passages = of_message(
            message,
            before=before,
            after=after,
            continues=continues,
            zone=self._zone,
            limit=self._limit,
        )
        content = "\0".join(
            (message.text, before, after, message.privacy, message.author, str(continues))
        )
        path = f"message/{message.id}"
        return Source(path, hash_of(content), changed=changed.get(message.id)), passages

    async def _is_same_log(self, at: int) -> bool:
        """Return whether the log continues the indexed one: all indexed messages are unchanged, or
        changed since. Otherwise the log was replaced or restored."""
        known, now = await self._db.read(tables.messages), await self._log.changes.all()
        return all(now.get(id_) == count or now.get(id_, 0) > at for id_, count in known.items())

    async def _drop_messages(self) -> ReconcileResult:
        """Drop all indexed messages, because they are from another log."""

        def change(db: Connection) -> ReconcileResult:
            known = tables.messages(db)
            for id_ in known:
                tables.drop(db, f"message/{id_}")
            fulltext.correct_totals(db)
            tables.set_meta(db, "changed", "0")
            return ReconcileResult(removed=len(known))

        async with locked(self._lock, timeout=60):
            return await self._db.write(change)


async def sum_of(
    pages: AsyncIterator[ReconcileResult],
    progress: Callable[[ReconcileResult], None],
    between: Between,
) -> ReconcileResult:
    """Return the sum of all pages' results."""
    total = ReconcileResult()
    async for report in pages:
        total += report
        progress(total)
        await between()
    return total


def _put_messages(
    db: Connection, made: Sequence[tuple[Source, list[Passage]]], at: int, reached: int
) -> ReconcileResult | None:
    """Store a page of messages; None if the index is no longer at change `at`, so the page is
    stale."""
    if int(tables.meta(db)["changed"]) != at:
        return None
    indexed = removed = 0
    for source, passages in made:
        known = tables.source(db, source.path)
        if not passages:
            tables.drop(db, source.path)
            removed += known is not None
            continue
        if source.changed is None:  # a neighbour: its text is unchanged, but its context changed
            if known is None:
                continue  # indexed with its own change
            source = replace(source, changed=known.changed)
        if known is None or known.hash != source.hash:
            tables.put(db, source, passages)
            indexed += 1
        else:
            tables.touch(db, source)
    fulltext.correct_totals(db)
    tables.set_meta(db, "changed", str(reached))
    return ReconcileResult(indexed, removed)


def _same(known: Source | None, file: NoteFile) -> bool:
    return known is not None and (known.size, known.mtime_ns) == (file.size, file.mtime_ns)


def _pages(items: Sequence[str]) -> Iterable[Sequence[str]]:
    return (items[at : at + PAGE] for at in range(0, len(items), PAGE))
