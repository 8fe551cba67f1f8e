"""The conversation: sessions, turns and their messages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta, tzinfo
from datetime import date as Date
from functools import partial
from operator import itemgetter
from typing import Any

from ..infra.clock import parse_utc, utc_text
from ..infra.store import Connection, Records, insert
from .changefeed import KEPT, next_change
from .models import MESSAGE_COLUMNS, Message, Origin, Said, Turn, message_of
from .neighbours import Neighbours, neighbours, next_of_owner
from .sessions import current_session
from .turns import turn_of

# A new bot uses the numbers of earlier messages again. A row for the file of a message that was
# replied to has the number of that message, too.
_NEWEST = "coalesce(key, '') LIKE '%:answered', turn_id DESC, id"
_BY_KEY = f"SELECT {MESSAGE_COLUMNS} FROM message WHERE key = ?"


def _insert(db: Connection, **values: object) -> int:
    return insert(db, "message", changed=next_change(db), **values)


def _in_own_turn(row: dict[str, Any], state: str, db: Connection) -> Message:
    """Insert a message into a closed turn of its own; return the one with its `key`, if any."""
    known = db.execute(_BY_KEY, (row["key"],)).fetchone()
    if known is None:
        chat, at = row["chat"], row["sent_at"]
        session = current_session(db, chat, parse_utc(at))
        place = {"session_id": session, "chat": chat}
        turn = insert(db, "turn", **place, state=state, opened_at=at, closed_at=at)
        added = _insert(db, turn_id=turn, session_id=session, **row)
        known = db.execute(
            f"SELECT {MESSAGE_COLUMNS} FROM message WHERE id = ?", (added,)
        ).fetchone()
    return message_of(known)


def insert_user_message(db: Connection, said: Said, turn: int, session: int) -> int:
    """Insert a user's message into that turn and session; return its id."""
    return _insert(db, turn_id=turn, session_id=session, **_heard(said))


def edit_user_message(db: Connection, said: Said) -> bool:
    """Update a message that was edited since it was imported, and its time; return whether it was.
    An older edit changes nothing, and forgotten text stays deleted."""
    if said.edited_at is None:
        return False
    values = {"text": said.text, "at": utc_text(said.edited_at), "sent_at": utc_text(said.sent_at)}
    is_newer = "(text != :text OR sent_at != :sent_at) AND coalesce(edited_at, '') < :at"
    return _edit(db, {"key": said.key, "meaning_changed": True, **values}, is_newer)


def _edit(db: Connection, values: dict[str, Any], where: str) -> bool:
    """Update the message with that `key`, `where` it is true; return whether it was."""
    done = db.execute(
        "UPDATE message SET text = :text, sent_at = coalesce(:sent_at, sent_at), edited_at = :at,"
        " changed = :changed,"
        " outdated = CASE WHEN :meaning_changed = 1 AND (state IN ('claimed', 'written', 'closed')"
        " OR EXISTS (SELECT 1 FROM fact, json_each(fact.sources) AS source"
        " WHERE source.value = message.id)) THEN 1 ELSE outdated END,"
        " state = CASE WHEN reason = 'no text' THEN 'pending'"
        " WHEN :empty = 1 AND state = 'pending' THEN 'excluded' ELSE state END,"
        " reason = CASE WHEN reason = 'no text' THEN NULL"
        " WHEN :empty = 1 AND state = 'pending' THEN 'no text' ELSE reason END"
        f" WHERE key = :key AND state != 'forgotten' AND reason IS NOT 'incognito' AND {where}",
        {"changed": next_change(db), "empty": not values["text"], **values},
    )
    return bool(done.rowcount)


def _heard(said: Said) -> dict[str, Any]:
    """Return the columns of a user's message, without its turn and session."""
    return {
        "key": said.key,
        "role": "user",
        "origin": said.origin,
        "author": said.author,
        "privacy": said.privacy,
        "lang": said.lang,
        "sent_at": utc_text(said.sent_at),
        "edited_at": utc_text(said.edited_at) if said.edited_at else None,
        "chat": said.chat,
        "telegram_ids": json.dumps(said.telegram_ids),
        "text": said.text,
        "state": "pending" if said.text.strip() else "excluded",
        "reason": None if said.text.strip() else said.unlogged or "no text",
    }


class Messages(Records):
    """Sessions, turns and messages of one profile."""

    async def begin(self, said: Said, more: Sequence[Said] = ()) -> Turn:
        """Log a user's message and open its turn. The same `key` again returns the first turn.

        `more`: the other messages of the same turn, such as the files that came with it, in order.
        A new bot counts the messages of a private chat from 1 again: a message of Telegram's with
        the key of an earlier one, but another time, takes its key and number.
        """

        def change(db: Connection) -> Turn:
            if said.key.startswith("telegram:"):
                for each in (said, *more):
                    db.execute(
                        "UPDATE message SET key = key || ' ' || sent_at, telegram_ids = '[]'"
                        " WHERE key = ? AND sent_at != ?",
                        (each.key, utc_text(each.sent_at)),
                    )
            known = db.execute("SELECT turn_id FROM message WHERE key = ?", (said.key,)).fetchone()
            if known:
                return turn_of(db, known["turn_id"])
            session = current_session(db, said.chat, said.sent_at)
            place = {"session_id": session, "chat": said.chat}
            turn = insert(db, "turn", **place, state="open", opened_at=utc_text(said.sent_at))
            for each in (said, *more):
                insert_user_message(db, each, turn, session)
            return turn_of(db, turn)

        return await self._db.write(change)

    async def command(self, said: Said) -> Message:
        """Log a command as the source of what it saves: a closed turn, excluded from batches."""
        row = _heard(said) | {"state": "excluded", "reason": "command"}
        return await self._db.write(partial(_in_own_turn, row, "stopped"))

    async def answer(
        self,
        turn_id: int,
        text: str,
        *,
        origin: Origin = "sam",
        sent_at: datetime,
        telegram_ids: Sequence[int] = (),
    ) -> Message:
        """Log the answer and close the turn as answered; a second time returns the first answer.

        An answer of origin `recall` is excluded from batches, history and index.
        """

        def change(db: Connection) -> Message:
            key = f"answer:{turn_id}"
            known = db.execute(_BY_KEY, (key,)).fetchone()
            if known is None:
                turn = turn_of(db, turn_id)
                pending = bool(text.strip()) and origin != "recall"
                _insert(
                    db,
                    key=key,
                    turn_id=turn_id,
                    session_id=turn.session_id,
                    role="assistant",
                    origin=origin,
                    author="",
                    privacy=turn.message.privacy,
                    lang=turn.message.lang,
                    sent_at=utc_text(sent_at),
                    chat=turn.chat,
                    telegram_ids=json.dumps(list(telegram_ids)),
                    text=text,
                    state="pending" if pending else "excluded",
                    reason=None if pending else "recalled" if text.strip() else "no text",
                )
                known = db.execute(_BY_KEY, (key,)).fetchone()
            self._close_turn(db, turn_id, "answered", None, sent_at)
            return message_of(known)

        return await self._db.write(change)

    async def log_unprompted(
        self,
        chat: str,
        text: str,
        *,
        sent_at: datetime,
        telegram_ids: Sequence[int] = (),
        key: str | None = None,
    ) -> Message:
        """Log a message that Sam sent unasked (heartbeat, notice): a turn of its own, answered.

        The same `key` again returns the first one.
        """

        said = Said(key or "", chat, text, sent_at, telegram_ids=tuple(telegram_ids))
        row = _heard(said) | {"key": key, "role": "assistant", "origin": "sam", "state": "pending"}
        return await self._db.write(partial(_in_own_turn, row, "answered"))

    async def fail(self, turn_id: int, reason: str) -> None:
        """Close the turn without an answer; its message stays pending, to be summarised."""
        await self._db.write(
            lambda db: self._close_turn(db, turn_id, "failed", reason, self._clock())
        )

    async def stop(self, turn_id: int) -> None:
        """Close the turn as stopped by the user."""
        await self._db.write(
            lambda db: self._close_turn(db, turn_id, "stopped", None, self._clock())
        )

    @staticmethod
    def _close_turn(
        db: Connection, turn_id: int, state: str, reason: str | None, at: datetime
    ) -> None:
        db.execute(
            "UPDATE turn SET state = ?, reason = ?, closed_at = ? WHERE id = ? AND state = 'open'",
            (state, reason, utc_text(at), turn_id),
        )

    async def edit(
        self, key: str, text: str, edited_at: datetime, *, meaning_changed: bool = True
    ) -> Message | None:
        """Update a message that the user edited; None if it was never logged. Forgotten text stays
        deleted. A message without text that gets one (the caption of a photo) is pending; one that
        loses it is excluded.
        `meaning_changed`: the meaning has changed, so whatever was derived from the old words is
        outdated."""
        values = {"key": key, "text": text, "at": utc_text(edited_at), "sent_at": None}

        def change(db: Connection) -> Message | None:
            _edit(db, {"meaning_changed": meaning_changed, **values}, "text != :text")
            row = db.execute(_BY_KEY, (key,)).fetchone()
            return message_of(row) if row else None

        return await self._db.write(change)

    async def complete(self, turn_id: int, texts: Mapping[str, str]) -> Turn:
        """Store what was read from the files of a turn that is open, by the keys of their messages.

        Forgotten and unlogged messages stay without text. Repeating it changes nothing.
        """

        def change(db: Connection) -> Turn:
            for key, text in texts.items():
                db.execute(
                    "UPDATE message SET text = ?, changed = ?,"
                    " reason = CASE WHEN state != 'excluded' THEN reason END,"
                    " state = CASE WHEN state = 'excluded' THEN 'pending' ELSE state END"
                    " WHERE key = ? AND turn_id = ? AND text != ? AND state != 'forgotten'"
                    " AND reason IS NOT 'incognito'"
                    " AND EXISTS (SELECT 1 FROM turn WHERE id = turn_id AND state = 'open')",
                    (text, next_change(db), key, turn_id, text),
                )
            return turn_of(db, turn_id)

        return await self._db.write(change)

    async def by_key(self, key: str, sent_at: datetime | None = None) -> Message | None:
        """Return the message with that key, and of that time if one is given; None if it is not
        logged."""
        found = await self._select("key = ?", key)
        return next((row for row in found if sent_at in (None, row.sent_at)), None)

    async def outdated(self) -> list[Message]:
        """Return the messages that were edited since they were summarised, or since a fact was
        saved at once from them."""
        return await self._select(
            "outdated = 1 AND state NOT IN ('claimed', 'written', 'forgotten') ORDER BY id"
        )

    async def mark_current(self, ids: Iterable[int]) -> None:
        """Record that nothing is left of the old texts of these messages, unless they are in a
        batch."""
        await self._db.execute(
            "UPDATE message SET outdated = 0 WHERE batch IS NULL"
            " AND id IN (SELECT value FROM json_each(?))",
            json.dumps(list(ids)),
        )

    async def was_incognito(self, key: str) -> bool:
        """Return whether that message was incognito."""
        return bool(await self._select("key = ? AND reason = 'incognito'", key))

    async def history(self, session_id: int, before: int) -> list[Message]:
        """Return the session's messages below the id `before` that are still in the context, in
        order; commands are no part of the conversation."""
        return await self._select(
            "session_id = ? AND id < ? AND state != 'forgotten' AND origin != 'recall'"
            " AND text != '' AND reason IS NOT 'command'"
            " AND id >= (SELECT history_from FROM session WHERE session.id = message.session_id)"
            " ORDER BY id",
            session_id,
            before,
        )

    async def recent(self, count: int, now: datetime | None = None) -> list[Message]:
        """Return the last messages of all chats by their dates, oldest first. `now`: leave out
        those dated more than a day after it, as an imported one may be by mistake."""
        found = await self._select(
            "state != 'forgotten' AND text != '' AND sent_at <= ?"
            " ORDER BY sent_at DESC, id DESC LIMIT ?",
            utc_text(now + timedelta(days=1) if now else datetime.max.replace(tzinfo=UTC)),
            count,
        )
        return found[::-1]

    async def last_of_user(self, chat: str, count: int = 1) -> list[Message]:
        """Return the user's last messages of a chat, also those that gave a command, the last one
        first."""
        return await self._select(
            "chat = ? AND role = 'user' AND text != '' AND state != 'forgotten'"
            " ORDER BY id DESC LIMIT ?",
            chat,
            count,
        )

    async def of_day(self, day: Date, zone: tzinfo) -> list[Message]:
        """Return all messages of one local day, in order."""
        start = datetime.combine(day, time(), zone).astimezone(UTC)
        end = datetime.combine(day + timedelta(days=1), time(), zone).astimezone(UTC)
        where = "sent_at >= ? AND sent_at < ? AND text != '' ORDER BY sent_at, id"
        return await self._select(where, utc_text(start), utc_text(end))

    async def sent_times(self, start: datetime, end: datetime) -> list[datetime]:
        """Return the times of the messages that memory keeps, sent from `start` until before
        `end`."""
        return await self._db.all(
            lambda row: parse_utc(row["sent_at"]),
            f"SELECT sent_at FROM message WHERE sent_at >= ? AND sent_at < ? AND {KEPT}",
            utc_text(start),
            utc_text(end),
        )

    async def count_kept(self) -> int:
        """Count the messages that memory keeps, and can find once they are indexed."""
        return (
            await self._db.first(itemgetter(0), f"SELECT count(*) FROM message WHERE {KEPT}") or 0
        )

    async def of_session(
        self, session_id: int, *, before: int = 2**62, most: int = 2**62
    ) -> list[Message]:
        """Return the messages of one session, in order; the last `most` with an id below `before`.
        All by default."""
        where = "session_id = ? AND id < ? AND text != '' ORDER BY id DESC LIMIT ?"
        return (await self._select(where, session_id, before, most))[::-1]

    async def with_next_of_owner(
        self, ids: Iterable[int], most: int
    ) -> dict[int, tuple[Message, list[Message]]]:
        """Return for each of those messages that exist: the message, and the owner's next ones in
        its session, except private ones, in order."""
        wanted = list(ids)
        return await self._db.read(lambda db: next_of_owner(db, wanted, most))

    async def by_telegram_id(self, chat: str, telegram_id: int) -> Message | None:
        """Return the chat's message with that Telegram id, which may be the id of one of its parts.
        For a chat without a topic, all topics are searched."""
        return await self._with_telegram_id("TRUE", chat, telegram_id)

    async def with_file(self, chat: str, telegram_id: int) -> Message | None:
        """Return the message with the contents of the file that came with that Telegram id, in any
        topic."""
        return await self._with_telegram_id("origin = 'file'", chat, telegram_id)

    async def _with_telegram_id(self, where: str, chat: str, telegram_id: int) -> Message | None:
        found = await self._select(
            f"{where} AND (chat = ?1 OR chat LIKE ?1 || ':%') AND EXISTS"
            f" (SELECT 1 FROM json_each(telegram_ids) WHERE value = ?2) ORDER BY {_NEWEST} LIMIT 1",
            chat,
            telegram_id,
        )
        return found[0] if found else None

    async def by_ids(self, ids: Iterable[int]) -> list[Message]:
        """Return those of the messages that exist, in order."""
        if not (wanted := list(ids)):
            return []
        where = "id IN (SELECT value FROM json_each(?)) ORDER BY id"
        return await self._select(where, json.dumps(wanted))

    async def around(self, ids: Iterable[int]) -> dict[int, Neighbours]:
        """Return for each of those messages the previous and the next one in its session.

        Only messages that a model may see; forgotten and recalled ones are skipped.
        """
        wanted = list(ids)
        return await self._db.read(lambda db: neighbours(db, wanted))

    async def _select(self, where: str, *given: object) -> list[Message]:
        return await self._db.all(
            message_of, f"SELECT {MESSAGE_COLUMNS} FROM message WHERE {where}", *given
        )
