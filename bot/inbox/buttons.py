"""The stored buttons below replies: their actions and arguments.

Telegram only gets a random id; action and argument are stored here. They are deleted after KEPT,
and with forgotten content: pressing the button then does nothing.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from memory.infra import Connection, Records, utc_text

KEPT = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Button:
    """One button: an action with its argument, or, with `copies`, a text for the clipboard, of
    at most 256 characters.

    `id` is set once it is stored.
    """

    label: str
    action: str = ""
    argument: Mapping[str, Any] = field(default_factory=dict)
    copies: str = ""
    id: str = ""


Keyboard = tuple[tuple[Button, ...], ...]
"""The buttons below one message, row by row."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button that was pressed. `again`: by another update before."""

    button: Button
    profile: str
    chat_id: int
    again: bool


def insert(db: Connection, reply: int, keyboard: Keyboard, at: datetime) -> None:
    """Store the buttons of a reply, in the caller's transaction."""
    if not keyboard:
        return
    version = 1 + _version(db, reply)
    db.executemany(
        "INSERT INTO button VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
        [
            (
                secrets.token_urlsafe(12),
                reply,
                version,
                number,
                place,
                button.label,
                button.action,
                json.dumps(button.argument),
                button.copies,
                utc_text(at),
            )
            for number, row in enumerate(keyboard)
            for place, button in enumerate(row)
        ],
    )


def stored_keyboard(db: Connection, reply: int) -> Keyboard:
    """Return the newest buttons of a reply, with their ids."""
    rows: dict[int, list[Button]] = {}
    for found in db.execute(
        "SELECT * FROM button WHERE reply = ? AND version ="
        " (SELECT max(version) FROM button WHERE reply = ?) ORDER BY row, place",
        (reply, reply),
    ).fetchall():
        rows.setdefault(found["row"], []).append(_button(found))
    return tuple(tuple(row) for row in rows.values())


def _version(db: Connection, reply: int) -> int:
    """Return the number of keyboards that the reply has had."""
    row = db.execute("SELECT max(version) FROM button WHERE reply = ?", (reply,)).fetchone()
    return int(row[0] or 0)


def _button(row: Any) -> Button:
    argument = json.loads(row["argument"])
    return Button(row["label"], row["action"], argument, row["copies"], row["id"])


class Buttons(Records):
    """The table `button`."""

    async def press(self, id: str, update_id: int) -> Pressed | None:
        """Record who pressed it first; return its action, or None if it is no longer stored.

        A press that is handled again after a crash still counts as the first one.
        """

        def change(db: Connection) -> Pressed | None:
            db.execute(
                "UPDATE button SET pressed_by = ? WHERE id = ? AND pressed_by IS NULL",
                (update_id, id),
            )
            row = db.execute(
                "SELECT button.*, reply.profile, reply.chat_id FROM button"
                " JOIN reply ON reply.id = button.reply WHERE button.id = ?",
                (id,),
            ).fetchone()
            if row is None:
                return None
            again = row["pressed_by"] != update_id
            return Pressed(_button(row), row["profile"], row["chat_id"], again)

        return await self._db.write(change)

    async def arguments_below(
        self, chat_id: int, telegram_id: int, action: str
    ) -> list[Mapping[str, Any]]:
        """Return the arguments of the buttons with that action below a message of a chat."""

        def look(db: Connection) -> list[Mapping[str, Any]]:
            row = db.execute(
                "SELECT id FROM reply WHERE chat_id = ? AND EXISTS"
                " (SELECT 1 FROM json_each(telegram_ids) WHERE value = ?)"
                " ORDER BY id DESC LIMIT 1",  # a new bot uses the numbers again
                (chat_id, telegram_id),
            ).fetchone()
            keyboard = stored_keyboard(db, row["id"]) if row else ()
            return [each.argument for line in keyboard for each in line if each.action == action]

        return await self._db.read(look)

    async def release(self, id: str, update_id: int) -> None:
        """Release a press whose action failed, so that it can be retried."""
        await self._db.write(
            lambda db: db.execute(
                "UPDATE button SET pressed_by = NULL WHERE id = ? AND pressed_by = ?",
                (id, update_id),
            )
        )

    async def replace(self, id: str, keyboard: Keyboard) -> Keyboard:
        """Store other buttons for the message of that one; return them with their ids.

        The old ones are kept for a press that is handled once more.
        """

        def change(db: Connection) -> Keyboard:
            row = db.execute("SELECT reply FROM button WHERE id = ?", (id,)).fetchone()
            if row is None or not keyboard:
                return ()
            insert(db, row["reply"], keyboard, self._clock())
            return stored_keyboard(db, row["reply"])

        return await self._db.write(change)

    async def expire(self) -> int:
        """Delete the buttons made over KEPT ago; return their number."""
        before = utc_text(self._clock() - KEPT)
        return await self._db.write(
            lambda db: db.execute("DELETE FROM button WHERE created_at < ?", (before,)).rowcount
        )

    async def forget_about(self, profile: str, is_about: Callable[[str], bool]) -> None:
        """Delete a profile's buttons whose label, argument or copied text is about something."""

        def change(db: Connection) -> None:
            rows = db.execute(
                "SELECT button.id, label, argument, copies FROM button"
                " JOIN reply ON reply.id = button.reply WHERE reply.profile = ?",
                (profile,),
            ).fetchall()
            gone = [
                (row["id"],)
                for row in rows
                if any(is_about(row[name]) for name in ("label", "argument", "copies"))
            ]
            db.executemany("DELETE FROM button WHERE id = ?", gone)

        await self._db.write(change)

    async def forget(self, chat_id: int) -> int:
        """Delete the buttons of a chat, whose arguments may quote it; return their number."""
        gone = "DELETE FROM button WHERE reply IN (SELECT id FROM reply WHERE chat_id = ?)"
        return await self._db.write(lambda db: db.execute(gone, (chat_id,)).rowcount)
