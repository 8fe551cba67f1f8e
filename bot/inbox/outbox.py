"""Outgoing replies: stored before they are sent, and kept until the log has recorded them.

    to_send → sent(telegram ids) | given_up(reason); then settled: recorded in the log, the text is
    cleared

Before a part is sent, the attempt is recorded. If Telegram's response never arrived, because of a
crash or the network, the part is sent again with a remark, because a bot cannot look up what it has
sent.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from memory.infra import Connection, Records, Row, parse_utc, utc_text

from . import buttons
from .buttons import Keyboard

Purpose = Literal["answer", "failure", "spoke", "notice"]
ReplyState = Literal["to_send", "sent", "given_up"]


def turn_key(profile: str, turn: int, opened_at: str) -> str:
    """Return the key of a turn's reply; with its time, since a restored log reuses numbers."""
    return f"{_turns(profile)}{turn}:{opened_at}"


def _turns(profile: str) -> str:
    """Return how the keys of the profile's turns begin."""
    return f"turn:{profile}:"


@dataclass(frozen=True, slots=True)
class Where:
    """A destination: a chat, and optionally a topic in it."""

    chat_id: int
    topic: int | None = None

    @property
    def chat(self) -> str:
        """The name of the chat in the log: `telegram:<chat>` or `telegram:<chat>:<topic>`."""
        return f"telegram:{self.chat_id}" + (f":{self.topic}" if self.topic else "")


@dataclass(frozen=True, slots=True)
class Reply:
    """One outgoing reply. `logged` is what the log records once it is sent.

    `keyboard`: the buttons below its last part. `answers`: the message that it is shown to answer.
    `silent`: it comes without a sound. `sending`: the next part may have been sent already.
    """

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
    keyboard: Keyboard = ()
    answers: int | None = None
    silent: bool = False
    sending: bool = False


def _reply(db: Connection, row: Row) -> Reply:
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
        keyboard=buttons.stored_keyboard(db, row["id"]),
        answers=row["answers"],
        silent=bool(row["silent"]),
        sending=bool(row["sending"]),
    )


def _found(db: Connection, query: str, *given: str | int) -> Reply | None:
    row = db.execute(query, given).fetchone()
    return _reply(db, row) if row else None


def _get(db: Connection, key: str) -> Reply | None:
    return _found(db, "SELECT * FROM reply WHERE key = ?", key)


class Replies(Records):
    """The table `reply`."""

    async def store(self, reply: Reply) -> Reply:
        """Store a reply to be sent; where its key exists, return the stored one."""
        now = self._clock()

        def change(db: Connection) -> Reply:
            added = db.execute(
                "INSERT INTO reply (key, profile, chat_id, topic, purpose, turn, state,"
                " text, logged, answers, silent, created_at)"
                " VALUES (?, ?, ?, ?, ?, ?, 'to_send', ?, ?, ?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                (
                    reply.key,
                    reply.profile,
                    reply.where.chat_id,
                    reply.where.topic,
                    reply.purpose,
                    reply.turn,
                    reply.text,
                    reply.logged,
                    reply.answers,
                    reply.silent,
                    utc_text(now),
                ),
            )
            if added.rowcount and added.lastrowid is not None:
                if not reply.keyboard:  # as nearly always: what is stored need not be read
                    return reply
                buttons.insert(db, added.lastrowid, reply.keyboard, now)
            return _get(db, reply.key) or reply

        return await self._db.write(change)

    async def get(self, key: str) -> Reply | None:
        """Return the reply of that key in its present state."""
        return await self._db.read(lambda db: _get(db, key))

    async def by_telegram_id(self, chat_id: int, telegram_id: int) -> Reply | None:
        """Return the reply that Telegram knows by that number, as a whole or as a part."""
        return await self._db.read(
            lambda db: _found(
                db,
                "SELECT * FROM reply WHERE chat_id = ? AND EXISTS"
                " (SELECT 1 FROM json_each(telegram_ids) WHERE value = ?)"
                " ORDER BY id DESC LIMIT 1",  # a new bot uses the numbers again
                *(chat_id, telegram_id),
            )
        )

    async def get_and_newest(self, key: str, where: Where) -> tuple[Reply | None, Reply | None]:
        """Return the reply of that key, and the last reply there."""
        query = (
            "SELECT * FROM reply WHERE chat_id = ? AND coalesce(topic, 0) = ?"
            " ORDER BY id DESC LIMIT 1"
        )
        given = (where.chat_id, where.topic or 0)
        return await self._db.read(lambda db: (_get(db, key), _found(db, query, *given)))

    async def sending(self, key: str, *, may_arrive: bool) -> None:
        """Record that the next part is being sent, or that it certainly has not arrived."""
        await self._db.write(
            lambda db: db.execute("UPDATE reply SET sending = ? WHERE key = ?", (may_arrive, key))
        )

    async def part_sent(self, key: str, telegram_id: int, at: datetime, *, last: bool) -> Reply:
        """Record that one more part was sent, at Telegram's `date`; with the last one the reply is
        sent."""

        def change(db: Connection) -> Reply:
            reply = _get(db, key)
            assert reply is not None, "it was stored before it was sent"
            ids, sent_at = (*reply.telegram_ids, telegram_id), reply.sent_at or at
            state: ReplyState = "sent" if last else "to_send"
            db.execute(
                "UPDATE reply SET telegram_ids = ?, sent_at = ?, state = ?, sending = 0"
                " WHERE key = ?",
                (json.dumps(ids), utc_text(sent_at), state, key),
            )
            return replace(reply, telegram_ids=ids, sent_at=sent_at, state=state, sending=False)

        return await self._db.write(change)

    async def give_up(self, key: str, reason: str) -> Reply:
        """Mark the reply as given up: Telegram will never accept it."""

        def change(db: Connection) -> Reply:
            db.execute(
                "UPDATE reply SET state = 'given_up', reason = ? WHERE key = ?", (reason, key)
            )
            row = db.execute("SELECT * FROM reply WHERE key = ?", (key,)).fetchone()
            return _reply(db, row)

        return await self._db.write(change)

    async def settle(self, key: str) -> None:
        """Mark the reply as recorded in the log, and clear its text."""

        def change(db: Connection) -> None:
            db.execute(
                "UPDATE reply SET settled = 1, text = NULL, logged = NULL WHERE key = ?", (key,)
            )
            db.execute("DELETE FROM streamed WHERE key = ?", (key,))

        await self._db.write(change)

    async def begin_stream(self, key: str, telegram_id: int, at: datetime) -> None:
        """Record the message that shows a reply while it is being made, and becomes it."""
        await self._db.write(
            lambda db: db.execute(
                "INSERT INTO streamed VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET"
                " telegram_id = excluded.telegram_id, sent_at = excluded.sent_at",
                (key, telegram_id, utc_text(at)),
            )
        )

    async def stream_message(self, key: str) -> tuple[int, datetime] | None:
        """Return the number and date of that message, None where there is none."""
        row = await self._db.read(
            lambda db: db.execute("SELECT * FROM streamed WHERE key = ?", (key,)).fetchone()
        )
        return (row["telegram_id"], parse_utc(row["sent_at"])) if row else None

    async def drop_stream(self, key: str) -> None:
        """Forget that message: it becomes no reply."""
        await self._db.write(lambda db: db.execute("DELETE FROM streamed WHERE key = ?", (key,)))

    async def answers(self, profile: str) -> dict[str, int]:
        """Map the keys of answers that were sent and recorded in the log to their turns."""
        rows = await self._db.read(
            lambda db: db.execute(
                "SELECT key, turn FROM reply WHERE profile = ? AND purpose = 'answer'"
                " AND state = 'sent' AND settled = 1",
                (profile,),
            ).fetchall()
        )
        return {row["key"]: row["turn"] for row in rows}

    async def rename(self, profile: str, new: str) -> None:
        """Give the replies of a profile to one of another name."""
        old = _turns(profile)
        given = (_turns(new), len(old) + 1, len(old), old)

        def change(db: Connection) -> None:
            db.execute(
                "UPDATE reply SET key = ? || substr(key, ?) WHERE substr(key, 1, ?) = ?", given
            )
            db.execute(
                "UPDATE streamed SET key = ? || substr(key, ?) WHERE substr(key, 1, ?) = ?", given
            )
            db.execute("UPDATE reply SET profile = ? WHERE profile = ?", (new, profile))

        await self._db.write(change)

    async def move(self, old: int, new: int) -> None:
        """Send what waits for a chat to its new id, whose messages have other numbers."""

        def change(db: Connection) -> None:
            db.execute(
                "DELETE FROM streamed WHERE key IN"
                " (SELECT key FROM reply WHERE chat_id = ? AND settled = 0)",
                (old,),
            )
            db.execute(
                "UPDATE reply SET chat_id = ?, answers = NULL WHERE chat_id = ? AND settled = 0",
                (new, old),
            )

        await self._db.write(change)

    async def drop(self, profile: str) -> None:
        """Delete the replies of a profile, with their buttons."""

        def change(db: Connection) -> None:
            db.execute(
                "DELETE FROM button WHERE reply IN (SELECT id FROM reply WHERE profile = ?)",
                (profile,),
            )
            db.execute(
                "DELETE FROM streamed WHERE key IN (SELECT key FROM reply WHERE profile = ?)",
                (profile,),
            )
            db.execute("DELETE FROM reply WHERE profile = ?", (profile,))

        await self._db.write(change)

    async def given_up(self, since: datetime) -> list[str]:
        """Return why replies made since then could not be delivered, the latest reason last."""
        rows = await self._db.read(
            lambda db: db.execute(
                "SELECT reason FROM reply WHERE state = 'given_up' AND created_at >= ? ORDER BY id",
                (utc_text(since),),
            ).fetchall()
        )
        return [row["reason"] or "" for row in rows]

    async def unsettled(self, profile: str = "") -> list[Reply]:
        """Return the replies that are not sent, or not recorded in the log, oldest first: those of
        a profile, or all."""

        def look(db: Connection) -> list[Reply]:
            rows = db.execute(
                "SELECT * FROM reply WHERE settled = 0 AND (? = '' OR profile = ?) ORDER BY id",
                (profile, profile),
            ).fetchall()
            return [_reply(db, row) for row in rows]

        return await self._db.read(look)
