"""The text of received messages, with the addresses of its links. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from telegram import Message, MessageEntity
from telegram.constants import ChatType


def shown_text(message: Message) -> str:
    """Return the text or caption of a message, or the words of a rich one; "" without any."""
    return message.text or message.caption or _rich_text(message.api_kwargs.get("rich_message"))


def words_of(message: Message) -> str:
    """Like `shown_text`, with the addresses of the links in it, and without the bot's name with
    which a message in a group begins or ends."""
    entities = message.entities if message.text else message.caption_entities
    text = with_addresses(shown_text(message), entities)
    if message.chat.type == ChatType.PRIVATE or not (name := _own_name(message)):
        return text
    return (
        re.sub(rf"^\s*{mention(name)}[\s,:]*|[\s,]*{mention(name)}(?=[\s.!?]*$)", "", text) or text
    )


def mention(name: str) -> str:
    """Return the pattern of `@name` in a text."""
    return rf"(?<![\w@/])(?i:@{re.escape(name)})(?!\w)"


def _own_name(message: Message) -> str:
    """Return the username of the bot that received a message; "" if it is not known yet."""
    try:
        return message.get_bot().username
    except RuntimeError:
        return ""


def with_addresses(text: str, entities: Sequence[MessageEntity]) -> str:
    """Return a message's text with the address behind each link whose words do not show it."""
    units = text.encode("utf-16-le", "surrogatepass")  # as Telegram counts them
    for each in sorted(entities, key=lambda entity: entity.offset, reverse=True):
        url, start, end = each.url or "", 2 * each.offset, 2 * (each.offset + each.length)
        words = units[start:end].decode("utf-16-le", "surrogatepass").rstrip()
        scheme, _, address = url.partition("://")
        shown = words.rpartition("://")[2]
        if scheme in ("http", "https") and shown and shown.rstrip("/") != address.rstrip("/"):
            end = start + len(words.encode("utf-16-le", "surrogatepass"))
            units = units[:end] + f" ({url})".encode("utf-16-le", "surrogatepass") + units[end:]
    return units.decode("utf-16-le", "surrogatepass")


def _rich_text(part: object) -> str:
    """Return the words of a part of a rich message: blocks and rows on lines of their own."""
    match part:
        case str():
            return part
        case list():
            return "".join(map(_rich_text, part))
        case {"cells": [*rows]}:
            return "\n".join(" | ".join(map(_rich_text, row)) for row in rows)
        case dict():
            blocks = [*part.get("blocks", ()), *part.get("items", ())]
            lines = [part.get("summary"), part.get("text"), *blocks]
            return "\n".join(filter(None, map(_rich_text, lines)))
    return ""
