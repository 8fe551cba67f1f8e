"""What Sam has to say, stored before it is sent, and kept until the log knows that it was.

    to_send → sent(telegram ids) | given_up(reason); then settled: the log was told, the text goes

A crash between a part's sending and `part_sent` sends that part again: one double at most.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from memory import Clock
from memory.infra import Connection, Database, Row, parse_utc, utc_text

Purpose = Literal["answer", "failure", "spoke", "notice"]
ReplyState = Literal["to_send", "sent", "given_up"]


def turn_key(profile: str, turn: int, opened_at: str) -> str:
    """The key of the reply to a turn, with its time: a restored log counts from a lower number."""
    return f"turn:{profile}:{turn}:{opened_at}"


@dataclass(frozen=True, slots=True)
class Where:
    """A place to send to: a chat, and in it a topic."""

    chat_id: int
    topic: int | None = None

    @property
    def chat(self) -> str:
        """The name of the chat in the log: `telegram:<chat>` or `telegram:<chat>:<topic>`."""
        return f"telegram:{self.chat_id}" + (f":{self.topic}" if self.topic else "")


@dataclass(frozen=True, slots=True)
class Reply:
    """One thing to say. `logged` is for the log, once it is said."""

    key: str
    profile: str
    where: Where
    purpose: Purpose
    text: str
    turn: int | None = None
    logged: str = ""
    state: ReplyState = "to_send"
    telegram_ids: tuple[int, ...] = ()
    sent_at: datetime | None = None
    settled: bool = False


def _reply(row: Row) -> Reply:
    return Reply(
        key=row["key"],
        profile=row["profile"],
        where=Where(row["chat_id"], row["topic"]),
        purpose=row["purpose"],
        text=row["text"] or "",
        turn=row["turn"],
        logged=row["logged"] or "",
        state=row["state"],
        telegram_ids=tuple(json.loads(row["telegram_ids"])),
        sent_at=parse_utc(row["sent_at"]) if row["sent_at"] else None,
        settled=bool(row["settled"]),
    )


def _get(db: Connection, key: str) -> Reply | None:
    row = db.execute("SELECT * FROM reply WHERE key = ?", (key,)).fetchone()
    return _reply(row) if row else None


class Replies:
    """The table `reply`."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db, self._clock = db, clock

    async def store(self, reply: Reply) -> Reply:
        """Store it as to be sent; where its key is known, what stands there is returned."""
        at = utc_text(self._clock())

        def change(db: Connection) -> Reply:
            db.execute(
                "INSERT OR IGNORE INTO reply (key, profile, chat_id, topic, purpose, turn, state,"
                " text, logged, created_at) VALUES (?, ?, ?, ?, ?, ?, 'to_send', ?, ?, ?)",
                (
                    reply.key,
                    reply.profile,
                    reply.where.chat_id,
                    reply.where.topic,
                    reply.purpose,
                    reply.turn,
                    reply.text,
                    reply.logged,
                    at,
                ),
            )
            return _get(db, reply.key) or reply

        return await self._db.write(change)

    async def get(self, key: str) -> Reply | None:
        """The reply of that key, as it stands now."""
        return await self._db.read(lambda db: _get(db, key))

    async def part_sent(self, key: str, telegram_id: int, at: datetime, *, last: bool) -> Reply:
        """Telegram took one more part, at its `date`; with the last one the reply is sent."""

        def change(db: Connection) -> Reply:
            db.execute(
                "UPDATE reply SET telegram_ids = json_insert(telegram_ids, '$[#]', ?),"
                " sent_at = coalesce(sent_at, ?), state = ? WHERE key = ?",
                (telegram_id, utc_text(at), "sent" if last else "to_send", key),
            )
            row = db.execute("SELECT * FROM reply WHERE key = ?", (key,)).fetchone()
            return _reply(row)

        return await self._db.write(change)

    async def give_up(self, key: str, reason: str) -> Reply:
        """Telegram will never take it."""

        def change(db: Connection) -> Reply:
            db.execute(
                "UPDATE reply SET state = 'given_up', reason = ? WHERE key = ?", (reason, key)
            )
            row = db.execute("SELECT * FROM reply WHERE key = ?", (key,)).fetchone()
            return _reply(row)

        return await self._db.write(change)

    async def settle(self, key: str) -> None:
        """The log knows what became of it: the text goes."""
        await self._db.write(
            lambda db: db.execute(
                "UPDATE reply SET settled = 1, text = NULL, logged = NULL WHERE key = ?", (key,)
            )
        )

    async def answers(self, profile: str) -> dict[str, int]:
        """Of the answers that were sent, and that the log was told of: key → turn."""

        def look(db: Connection) -> dict[str, int]:
            rows = db.execute(
                "SELECT key, turn FROM reply WHERE profile = ? AND purpose = 'answer'"
                " AND state = 'sent' AND settled = 1",
                (profile,),
            ).fetchall()
            return {row["key"]: row["turn"] for row in rows}

        return await self._db.read(look)

    async def unsettled(self) -> list[Reply]:
        """What a crash left to be sent, or to be told to the log, oldest first."""

        def look(db: Connection) -> list[Reply]:
            rows = db.execute("SELECT * FROM reply WHERE settled = 0 ORDER BY id").fetchall()
            return [_reply(row) for row in rows]

        return await self._db.read(look)
