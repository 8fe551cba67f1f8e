"""Find and clear texts in the inbox: in updates that are set aside, and in buttons."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from memory import Message, system_clock
from memory.maintenance import ContentWords

from ...inbox import Inbox, SetAside
from ...settings import Settings


async def set_aside(
    settings: Settings, words: str, chats: Iterable[str], *, besides: Sequence[Message]
) -> tuple[SetAside, ...]:
    """Return the updates of these chats with the words, without those of `besides`."""
    asked = ContentWords(words, asked=True)
    known = {(each.chat, id_) for each in besides for id_ in each.telegram_ids}
    places = {_place(chat) for chat in chats}
    found: list[SetAside] = []
    async with Inbox.if_exists(settings, system_clock) as inbox:
        for update in await inbox.updates.aside() if inbox else ():
            loaded = _loaded(update.payload)
            if update.chat is None or _place(update.chat) not in places:
                continue  # another profile's
            if asked.are_in(" ".join(_strings(loaded))) and not _places(loaded) & known:
                found.append(update)
    return tuple(found)


async def clear(
    settings: Settings,
    updates: Sequence[int],
    messages: Sequence[Message],
    profile: str,
    texts: Sequence[str],
) -> int:
    """Clear these updates, and these messages in all others; delete the profile's buttons about the
    texts. Return how many of the updates still had their text."""
    async with Inbox.if_exists(settings, system_clock) as inbox:
        if inbox is None:
            return 0
        there = {each.update_id for each in await inbox.updates.aside() if each.payload is not None}
        for update_id in (gone := there & set(updates)):
            await inbox.updates.clear(update_id)
        for chat, ids in by_chat(messages).items():
            await inbox.updates.forget(chat, ids)
        every = [ContentWords(text) for text in texts]
        await inbox.buttons.forget_about(profile, lambda argument: quotes(argument, every))
        await inbox.scrub()  # cleared texts may still be in the write-ahead log
        return len(gone)


async def clear_chats(settings: Settings, messages: Sequence[Message]) -> None:
    """Clear these messages in updates that are set aside, and delete all buttons of their chats."""
    if not (said := by_chat(messages)):
        return
    async with Inbox.if_exists(settings, system_clock) as inbox:
        if inbox is None:
            return
        for chat, ids in said.items():
            await inbox.updates.forget(chat, ids)
            await inbox.buttons.forget(chat)
        await inbox.scrub()


def by_chat(messages: Sequence[Message]) -> dict[int, list[int]]:
    """Return Telegram's ids of the messages, by chat."""
    said: dict[int, list[int]] = {}
    for message in messages:
        if message.chat.startswith("telegram:"):
            chat = int(message.chat.split(":")[1])
            said.setdefault(chat, []).extend(message.telegram_ids)
    return said


def quotes(argument: str, texts: Sequence[ContentWords]) -> bool:
    """Return whether a button's argument, JSON or text, has words specific to one of the texts."""
    values = [ContentWords(value) for value in _strings(_loaded(argument))]
    return any(value.concerns(text) for value in values for text in texts)


def _loaded(payload: str | None) -> object:
    try:
        return json.loads(payload or "null")
    except ValueError:
        return payload


def _place(chat: str) -> str:
    """Return the chat of a topic: `telegram:7:12` → `telegram:7`."""
    return ":".join(chat.split(":")[:2])


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from _strings(each)
        case list():
            for each in value:
                yield from _strings(each)


def _places(value: object) -> set[tuple[str, int]]:
    """Return chat and message id of every message in an update."""
    match value:
        case {"message_id": int(id_), "chat": {"id": int(chat)}}:
            return {(f"telegram:{chat}", id_)}
        case dict():
            return {place for each in value.values() for place in _places(each)}
    return set()
