"""Erase messages and lines from the log, and keep tombstones of what must not be written again.

A forgotten message keeps its row, so that the ledger still counts it; its text is deleted for good.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from pathlib import Path

from ..infra import atomic_files
from ..infra.clock import Clock, parse_utc, utc_text
from ..infra.store import Connection, Store
from .batches import line_hash
from .changefeed import next_change
from .imports.bulk import drop_items_of
from .knowledge import candidates, facts, saved
from .models import Session, session_of
from .operations.edits import KEPT

_KEY_BYTES = 32
_KEY_MARK = "tombstone key"  # the setting with a hash of the key
_LAST = "forgotten last"  # the setting with its time


@dataclass(frozen=True, slots=True)
class SessionOverview:
    """A session with its number of messages and its first words. `title`: of an imported chat."""

    session: Session
    messages: int
    begins: str
    title: str


@dataclass(frozen=True, slots=True)
class Derived:
    """What one batch wrote from some messages, and which of its lines were named explicitly.

    `lines`: the batch's bullets as written, and whether they came from those messages alone or are
    named. `touched`: the batch has or cites one of the messages, and its summary came from it;
    `whole`: it has no other one.
    `text_hash`: of the section as last written; `ended_at`: when its last message was sent.
    """

    batch: str
    path: str
    text_hash: str | None
    ended_at: datetime
    touched: bool
    whole: bool
    lines: tuple[tuple[str, bool], ...]

    @property
    def deleted_bullets(self) -> tuple[str, ...]:
        """The bullets to delete."""
        return tuple(text for text, alone in self.lines if alone)

    @property
    def kept_bullets(self) -> tuple[str, ...]:
        """The bullets to keep."""
        return tuple(text for text, alone in self.lines if not alone)


class Forgetting:
    """Forget messages and lines of one profile; a line is named by its `line_hash`. Callers own
    `batch.lock`, so that no summary is written meanwhile."""

    def __init__(self, db: Store, clock: Clock, key: Path) -> None:
        """`key`: the file with the key of the tombstones' hashes; made with the first of them."""
        self._db, self._clock, self._key = db, clock, key

    async def sessions(self) -> list[SessionOverview]:
        """Return the sessions that still have messages or a transcript, oldest first."""
        return await self._db.all(
            lambda row: SessionOverview(
                session_of(row), row["messages"], row["begins"] or "", row["title"] or ""
            ),
            "SELECT * FROM (SELECT session.*, title, (SELECT count(*) FROM message"
            " WHERE session_id = session.id AND state != 'forgotten') AS messages,"
            " (SELECT text FROM message WHERE session_id = session.id"
            " AND state != 'forgotten' AND text != '' ORDER BY id LIMIT 1) AS begins"
            " FROM session LEFT JOIN import_chat ON import_chat.session_id = session.id) AS found"
            " WHERE messages > 0 OR coalesce(path, '') != '' ORDER BY id",
        )

    async def of_session(self, session_id: int) -> list[int]:
        """Return the ids of the session's messages, including forgotten ones."""
        query = "SELECT id FROM message WHERE session_id = ? ORDER BY id"
        return await self._db.all(itemgetter("id"), query, session_id)

    async def has_open_turn(self, messages: Collection[int]) -> bool:
        """Return whether a turn of these messages is open."""
        found = await self._db.first(
            tuple,
            "SELECT 1 FROM message JOIN turn ON turn.id = turn_id WHERE turn.state = 'open'"
            " AND message.id IN (SELECT value FROM json_each(?))",
            json.dumps(list(messages)),
        )
        return found is not None

    async def derived(
        self, messages: Collection[int], named: Collection[str] = ()
    ) -> list[Derived]:
        """Return what was written into the days' files from these messages, plus the named
        lines."""
        return (await self.derived_each([(messages, named)]))[0]

    async def derived_each(
        self, groups: Sequence[tuple[Collection[int], Collection[str]]]
    ) -> list[list[Derived]]:
        """Return what `derived` does, for each of these groups of messages and named lines."""
        return await self._db.read(lambda db: [_derived(db, *group) for group in groups])

    async def written(self) -> list[tuple[str, str]]:
        """Return path and text of each bullet in the log, then of the facts that are not written
        yet, with the path ""."""
        query = "SELECT path, text FROM bullet UNION ALL SELECT '', text FROM candidate"
        return await self._db.all(lambda row: (row[0], row[1]), query)

    async def add_tombstones(self, lines: Iterable[str], cause: str) -> None:
        """Store tombstones: these lines must not be written again.

        The hashes are keyed, so that with the log alone nobody can guess what was forgotten.
        """
        if not (given := list(lines)):
            return
        at, key = utc_text(self._clock()), await asyncio.to_thread(self._made_key)
        rows = [(at, _keyed(line, key), cause) for line in given]

        def change(db: Connection) -> None:
            db.execute(
                "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
                (_KEY_MARK, _mark(key)),
            )
            db.executemany(
                "INSERT INTO tombstone (at, text_hash, cause) VALUES (?, ?, ?)"
                " ON CONFLICT (text_hash) DO NOTHING",
                rows,
            )

        await self._db.write(change)

    async def key_is_lost(self) -> bool:
        """Return whether there are tombstones whose key is gone, or was replaced by another."""
        query = "SELECT value FROM setting WHERE name = ?"
        if (mark := await self._db.first(itemgetter("value"), query, _KEY_MARK)) is None:
            return False
        key = await asyncio.to_thread(self._read_key)
        return key is None or _mark(key) != mark

    async def accept_lost_key(self) -> None:
        """Stop reporting the loss: what was forgotten under that key may be written again."""
        await self._db.execute("DELETE FROM setting WHERE name = ?", _KEY_MARK)

    async def remove_tombstones(self, lines: Iterable[str]) -> None:
        """Remove the tombstones of these lines, which the owner wants back; those of forgotten
        lines stay."""
        await self._db.execute(
            "DELETE FROM tombstone WHERE cause NOT LIKE 'forget %'"
            " AND text_hash IN (SELECT value FROM json_each(?, '$'))",
            json.dumps(list(await self._by_hash(lines))),
        )

    async def with_tombstone(self, lines: Collection[str]) -> set[str]:
        """Return those of these lines that have a tombstone."""
        by_hash = await self._by_hash(lines)
        found = await self._db.all(
            itemgetter("text_hash"),
            "SELECT text_hash FROM tombstone"
            " WHERE text_hash IN (SELECT value FROM json_each(?, '$'))",
            json.dumps(list(by_hash)),
        )
        same = {line_hash(by_hash[each]) for each in found}
        return {line for line in lines if line_hash(line) in same}

    async def _by_hash(self, lines: Iterable[str]) -> dict[str, str]:
        """Map the hashes that tombstones of these lines may have to the lines, including the
        unkeyed hashes of earlier versions."""
        given = list(lines)
        by_hash = {line_hash(line): line for line in given}
        if (key := await asyncio.to_thread(self._read_key)) is not None:
            by_hash |= {_keyed(line, key): line for line in given}
        return by_hash

    def _read_key(self) -> bytes | None:
        try:
            return self._key.read_bytes()
        except FileNotFoundError:
            return None

    def _made_key(self) -> bytes:
        """Return the key; create it if there is none. Callers own `batch.lock`."""
        if (key := self._read_key()) is None:
            key = secrets.token_bytes(_KEY_BYTES)
            atomic_files.write(self._key, key)
        return key

    async def summarise_again(self, batch_id: str) -> None:
        """Release the messages of a closed batch, to be summarised as they are now; drop its
        bullets, and its facts that wait to be written."""

        def change(db: Connection) -> None:
            closed = "batch = ? AND state = 'closed'"
            db.execute("DELETE FROM bullet WHERE batch = ?", (batch_id,))
            candidates.drop(db, batch_id)
            db.execute(
                "UPDATE batch SET state = 'released', path = NULL, text_hash = NULL"
                " WHERE id = ? AND state = 'closed'",
                (batch_id,),
            )
            # A message without text lost it by an edit.
            for found, state in (
                ("text = ''", "'excluded', reason = 'no text'"),
                ("text != ''", "'pending'"),
            ):
                db.execute(
                    f"UPDATE message SET state = {state}, batch = NULL, outdated = 0"
                    f" WHERE {closed} AND {found}",
                    (batch_id,),
                )

        await self._db.write(change)

    async def forget(
        self,
        messages: Collection[int],
        sections: Sequence[tuple[str, str | None]],
        named: Collection[str] = (),
    ) -> int:
        """Delete the texts of these messages, and of bullets made from them alone or named.

        `sections`: batches with the hash of the rest of their section. Returns the number of
        messages.
        """

        def change(db: Connection) -> int:
            _delete_bullets(db, messages, named)
            facts.forget(db, messages, lambda text: line_hash(text) in named)
            saved.forget(db, messages, named)
            drop_items_of(db, messages)
            for batch, text_hash in sections:
                db.execute("UPDATE batch SET text_hash = ? WHERE id = ?", (text_hash, batch))
            count = _delete_texts(db, messages)
            _delete_chat_names(db, messages)
            return count

        return await self._db.write(change)

    async def note_time(self) -> None:
        """Record that the owner has something forgotten now."""
        await self._db.execute(
            "INSERT INTO setting VALUES (?, ?)"
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            _LAST,
            utc_text(self._clock()),
        )

    async def last(self) -> datetime | None:
        """Return when the owner had something forgotten last; None if nothing was as long as
        changes can be undone."""
        query = "SELECT value FROM setting WHERE name = ?"
        at = await self._db.first(lambda row: parse_utc(row["value"]), query, _LAST)
        return at if at and at > self._clock() - KEPT else None


def _mark(key: bytes) -> str:
    return hmac.new(key, b"the key of the tombstones", "sha256").hexdigest()[:16]


def _keyed(line: str, key: bytes) -> str:
    return hmac.new(key, line_hash(line).encode(), "sha256").hexdigest()[:32]


@dataclass(slots=True)
class _Bullets:
    """A batch's bullets as rows: their ids, and the texts of all in order."""

    touched: bool
    whole: bool
    gone: list[int]
    lines: list[tuple[str, bool]]


def _bullets(
    db: Connection, messages: Collection[int], named: Collection[str]
) -> dict[str, _Bullets]:
    """Return the bullets of each batch that has one of the messages or named lines, or that cites
    one of an earlier batch. A bullet that names no message came from all of its batch; one that
    cites such an earlier message goes, since that says what it is about."""
    batches = db.execute(
        "SELECT batch FROM message WHERE batch IS NOT NULL"
        " AND id IN (SELECT value FROM json_each(?))"
        " UNION SELECT batch FROM bullet"
        " WHERE text_hash IN (SELECT value FROM json_each(?, '$')) OR EXISTS"
        " (SELECT 1 FROM json_each(sources) AS cited WHERE cited.value IN"
        " (SELECT value FROM json_each(?)))",
        (json.dumps(list(messages)), json.dumps(list(named)), json.dumps(list(messages))),
    ).fetchall()
    found, ids = dict[str, _Bullets](), set(messages)
    for (batch,) in batches:
        members = db.execute("SELECT id, state FROM message WHERE batch = ?", (batch,)).fetchall()
        own = {row["id"] for row in members} & ids
        # Messages forgotten earlier protect no line: only remembered ones do.
        others = {row["id"] for row in members if row["state"] != "forgotten"} - own
        mine = found[batch] = _Bullets(bool(own), bool(own) and not others, [], [])
        rows = db.execute("SELECT * FROM bullet WHERE batch = ? ORDER BY id", (batch,)).fetchall()
        for row in rows:
            sources = set(json.loads(row["sources"]))
            alone = not sources & others and bool(sources & own) if sources else mine.whole
            is_of_earlier = not sources.isdisjoint(ids - own)
            mine.touched |= is_of_earlier
            goes = alone or is_of_earlier or row["text_hash"] in named
            mine.lines.append((row["text"], goes))
            if goes:
                mine.gone.append(row["id"])
    return found


def _delete_bullets(db: Connection, messages: Collection[int], named: Collection[str]) -> None:
    """Delete the bullets made from these messages alone, and the named ones."""
    ids = [id_ for found in _bullets(db, messages, named).values() for id_ in found.gone]
    db.execute(
        "DELETE FROM bullet WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(ids),)
    )


def _delete_texts(db: Connection, messages: Collection[int]) -> int:
    """Delete the texts of these messages; return how many were not forgotten before."""
    rows = db.execute(
        "SELECT id FROM message WHERE id IN (SELECT value FROM json_each(?))"
        " AND state != 'forgotten' ORDER BY id",
        (json.dumps(list(messages)),),
    ).fetchall()
    for row in rows:
        db.execute(
            "UPDATE message SET text = '', author = '', state = 'forgotten',"
            " reason = 'forgotten', changed = ? WHERE id = ?",
            (next_change(db), row["id"]),
        )
    # The keys of earlier versions have the words of commands in the terminal.
    db.execute(
        "UPDATE message SET key = 'command:' || id WHERE state = 'forgotten'"
        " AND key LIKE 'command:%' AND key NOT LIKE 'command:update:%'"
    )
    return len(rows)


def _delete_chat_names(db: Connection, messages: Collection[int]) -> None:
    """Delete the names of the imported chats, and of their files, whose last message was one of
    these."""
    given = (json.dumps(list(messages)),)
    sessions = (
        "session_id IN (SELECT session_id FROM message"
        " WHERE id IN (SELECT value FROM json_each(?)))"
    )
    db.execute(
        f"UPDATE import_chat SET title = '' WHERE {sessions} AND NOT EXISTS (SELECT 1 FROM message"
        " WHERE session_id = import_chat.session_id AND state != 'forgotten')",
        given,
    )
    # WhatsApp's files have the name of the other person.
    db.execute(
        "UPDATE import SET name = source"
        f" WHERE id IN (SELECT import FROM import_chat WHERE {sessions})"
        " AND NOT EXISTS (SELECT 1 FROM import_chat JOIN message"
        " ON message.session_id = import_chat.session_id"
        " WHERE import_chat.import = import.id AND message.state != 'forgotten')",
        given,
    )


def _derived(db: Connection, messages: Collection[int], named: Collection[str]) -> list[Derived]:
    made = []
    for batch, bullets in _bullets(db, messages, named).items():
        path, text_hash, ended_at = db.execute(
            "SELECT path, text_hash, (SELECT sent_at FROM message WHERE message.batch = batch.id"
            " ORDER BY message.id DESC LIMIT 1) FROM batch WHERE id = ?",
            (batch,),
        ).fetchone()
        if path is not None:
            of_batch = bullets.touched, bullets.whole, tuple(bullets.lines)
            made.append(Derived(batch, path, text_hash, parse_utc(ended_at), *of_batch))
    return made
