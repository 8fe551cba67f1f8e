"""What people do in their chats with the bot: each method creates an update."""

from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from tests.fakes.telegram_chats import File, Group, Person, Received, Sent
from tests.fakes.telegram_polls import Polls
from tests.fakes.telegram_spec import Spec
from tests.fakes.telegram_store import Store
from tests.fakes.telegram_text import LONGEST_TEXT, found_entities, units

EVE = 6001
NAMES = {"photo": "photo.jpg", "document": "note.txt", "voice": "voice.ogg"}
MIMES = {"photo": "image/jpeg", "document": "text/plain", "voice": "audio/ogg"}


class People:
    """Create messages in the store and updates in the queue, each validated against `spec`."""

    def __init__(
        self,
        user: Person,
        store: Store,
        polls: Polls,
        spec: Spec,
        changed: Callable[[], None],
    ) -> None:
        self.user = user
        self.store = store
        self.received: list[Received] = []
        self._polls = polls
        self._spec = spec
        self._changed = changed

    async def receives(
        self,
        text: str = "",
        *,
        user: Person | int | None = None,
        chat: Group | int | None = None,
        date: datetime | None = None,
        reply_to: Received | Sent | int | None = None,
        forwarded_from: str | Person | Group | None = None,
        photo: File | bytes | None = None,
        document: File | bytes | None = None,
        voice: File | bytes | None = None,
        **fields: Any,
    ) -> Received:
        """Send a message of a person, by default in their private chat; `fields` are those of
        Telegram's Message (`media_group_id`, `quote`, …)."""
        if date is not None and date.tzinfo is None:
            raise ValueError("a naive datetime has no place here")
        person = self._person(user)
        where = self._chat(chat, person)
        media = {"photo": photo, "document": document, "voice": voice}
        parts = {kind: _file(kind, data) for kind, data in media.items() if data is not None}
        if units(text) > LONGEST_TEXT or not (text or parts or fields):
            raise ValueError("nobody can type that: 1 to 4096 UTF-16 units, or a file")
        name, marks = ("caption", "caption_entities") if parts else ("text", "entities")
        fields |= {name: text, marks: fields.get(marks, found_entities(text))}
        for kind, file in parts.items():
            fields |= self.store.attach(kind, file)
        if forwarded_from is not None:
            fields["forward_origin"] = self._origin(forwarded_from, date)
        if reply_to is not None:
            fields["reply_to_message"] = self.store.reply(where.id, _id_of(reply_to))
        message = self.store.message(where, person, date, **fields)
        received = _received(self._tell("message", message), message, text)
        self.received.append(received)
        return received

    async def stranger(self, text: str = "/start", *, id: int = EVE, **how: Any) -> Received:
        """Send a message from somebody who is not allowed to use the bot."""
        return await self.receives(text, user=Person(id, "Eve"), **how)

    async def edits(
        self,
        message: Received | int,
        text: str,
        *,
        chat: Group | int | None = None,
        **files: File | bytes,
    ) -> Received:
        """Edit a person's own message; its date stays, its edit_date is the clock's. `files`: a
        photo or document in place of the one that it had."""
        where = message.chat_id if isinstance(message, Received) else self._chat(chat, self.user).id
        found = self.store.messages[where, _id_of(message)]
        if found["from"]["id"] == self.store.bot.id:
            raise ValueError("people cannot edit what the bot said")
        name = "caption" if "caption" in found else "text"
        marks = "entities" if name == "text" else "caption_entities"
        found |= {
            name: text,
            marks: found_entities(text),
            "edit_date": int(self.store.now.timestamp()),
        }
        for kind, data in files.items():
            found |= self.store.attach(kind, _file(kind, data))
        return _received(self._tell("edited_message", found), found, text)

    async def presses(self, message: Sent | int, data: str, *, user: Person | None = None) -> str:
        """Press the button with that `callback_data`; return the query's id."""
        person = user or self.user
        where = message.chat_id if isinstance(message, Sent) else person.id
        found = self.store.messages[where, _id_of(message)]
        rows = found.get("reply_markup", {}).get("inline_keyboard", [])
        if data not in [button.get("callback_data") for row in rows for button in row]:
            raise ValueError(f"no button with {data!r} on message {found['message_id']}")
        query_id = f"query-{len(self.store.queries) + 1}"
        self.store.queries[query_id] = None
        query = {"id": query_id, "from": person.as_user(), "message": found, "data": data}
        self._tell("callback_query", query | {"chat_instance": str(where)})
        return query_id

    async def adds_bot(self, chat: Group, *, by: Person | int = EVE) -> int:
        """Add the bot to a group."""
        person, now = self._person(by), int(self.store.now.timestamp())
        self.store.groups[chat.id] = chat
        bot = self.store.bot.as_user()
        change = {
            "chat": chat.as_chat(),
            "from": person.as_user(),
            "date": now,
            "old_chat_member": {"user": bot, "status": "left"},
            "new_chat_member": {"user": bot, "status": "member"},
        }
        return self._tell("my_chat_member", change)

    async def upgrades(self, group: Group, to: Group, *, by: Person | None = None) -> None:
        """Make a group a supergroup, which has another id; the bot is told in both."""
        self.store.groups |= {group.id: group, to.id: to}
        self.store.upgraded[group.id] = to.id
        await self.receives(user=by, chat=group, migrate_to_chat_id=to.id)
        await self.adds_bot(to, by=by or self.user)
        await self.receives(user=by, chat=to, migrate_from_chat_id=group.id)

    async def reacts(
        self,
        message: Sent | Received | int,
        emoji: str = "",
        *,
        before: str = "",
        user: Person | None = None,
        chat: Group | None = None,
    ) -> int:
        """Replace a person's reaction `before` by this one, or remove it; only a bot that
        subscribes to reactions gets the update."""
        person = user or self.user

        def listed(emoji: str) -> list[dict[str, str]]:
            return [{"type": "emoji", "emoji": emoji}] if emoji else []

        return self._tell(
            "message_reaction",
            {
                "chat": (chat or person).as_chat(),
                "message_id": _id_of(message),
                "user": person.as_user(),
                "date": int(self.store.now.timestamp()),
                "old_reaction": listed(before),
                "new_reaction": listed(emoji),
            },
        )

    def blocks(self, user: Person | Group | None = None) -> None:
        """Block the bot: it can no longer write to this user."""
        self.store.gone.add((user or self.user).id)

    def _tell(self, kind: str, value: dict[str, Any]) -> int:
        """Queue a copy of the value, so that later changes do not affect the update."""
        self._spec.check({"update_id": 1, kind: value}, ["Update"], "update")
        update_id = self._polls.add(kind, copy.deepcopy(value))
        self._changed()
        return update_id

    def _person(self, user: Person | int | None) -> Person:
        if isinstance(user, int):
            user = self.store.people.get(user) or Person(user, f"User {user}")
        person = user or self.user
        self.store.people[person.id] = person
        return person

    def _chat(self, chat: Group | int | None, person: Person) -> Person | Group:
        if chat is None:
            self.store.writers.add(person.id)
            self.store.gone.discard(person.id)  # writing to the bot unblocks it
            return person
        if isinstance(chat, int):
            return self.store.chat(chat)
        self.store.groups[chat.id] = chat
        return chat

    def _origin(self, who: str | Person | Group, date: datetime | None) -> dict[str, Any]:
        origin: dict[str, Any] = {"date": int((date or self.store.now).timestamp())}
        match who:
            case Person():
                return origin | {"type": "user", "sender_user": who.as_user()}
            case Group(type="channel"):
                return origin | {"type": "channel", "chat": who.as_chat(), "message_id": 1}
            case Group():
                return origin | {"type": "chat", "sender_chat": who.as_chat()}
        return origin | {"type": "hidden_user", "sender_user_name": who}


def _received(update_id: int, message: dict[str, Any], text: str) -> Received:
    return Received(
        update_id,
        message["chat"]["id"],
        message["message_id"],
        message["from"]["id"],
        text,
        datetime.fromtimestamp(message["date"], UTC),
    )


def _file(kind: str, data: File | bytes) -> File:
    return data if isinstance(data, File) else File(data, NAMES[kind], MIMES[kind])


def _id_of(message: Received | Sent | int) -> int:
    return message if isinstance(message, int) else message.message_id
