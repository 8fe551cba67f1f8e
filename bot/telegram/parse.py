"""Parse an update: chat, sender, text, command. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Literal

from telegram import (
    Chat,
    ChatMember,
    Message,
    MessageOrigin,
    MessageOriginChannel,
    MessageOriginChat,
    MessageOriginHiddenUser,
    MessageOriginUser,
    Update,
    User,
)
from telegram.constants import ChatType

from memory import Said
from memory.log import Origin
from memory.text import clipped, quote

from .. import media
from ..inbox import Where
from ..media import Attachment, Incoming
from .api.connection import RAW, UNREADABLE
from .formatting.received import mention, shown_text, words_of

ALLOWED_UPDATES = (
    *("message", "edited_message", "callback_query", "my_chat_member", "message_reaction"),
)
AT_ONCE = frozenset({"stop", "status"})  # commands that do not wait for an answer in progress
OF_STRANGERS = frozenset({"start", "pair"})  # the commands with a pairing code
BELOW_FILES = frozenset({"keep"})  # the commands that may be a caption
QUOTED = 300  # characters of the message replied to
_PLACE = frozenset({"message_id", "date", "chat", "message_thread_id", "is_topic_message"})


def place_of(message: Message) -> Where:
    """Return the chat, and its topic if there is one."""
    return Where(message.chat_id, message.message_thread_id if message.is_topic_message else None)


def chat_of(update: Update) -> str | None:
    """Return the log's name of an update's chat."""
    message = update.effective_message
    place = place_of(message) if isinstance(message, Message) else unreadable_where(update)
    return place.chat if place else None


def command(message: Message | None, me: str = "") -> tuple[str, str] | None:
    """Parse `/Name@me the rest` into (`name`, `the rest`); None for no command, or another bot's.

    Text that was forwarded, or is from an inline bot, is never a command: it is not the sender's.
    """
    if message is not None and (message.via_bot or message.forward_origin):
        return None
    text = words_of(message) if message is not None else ""
    found = re.fullmatch(r"/([A-Za-z0-9_]{1,32})(?:@(\w+))?(?:\s+(.*))?", text, re.DOTALL)
    if found and message and message.caption and found[1].lower() not in BELOW_FILES:
        return None
    if not found or (found[2] and me and found[2].lower() != me.lower()):
        return None
    return found[1].lower(), (found[3] or "").strip()


def typed_text(message: Message) -> str:
    """Return the text typed by the sender; "" for someone else's text, or a caption."""
    return words_of(message) if message.text and _written_by(message) is None else ""


def lane(update: object) -> str | None:
    """Return the lane of an update: its chat, or None (/stop, /status, edits, buttons). Reactions
    have a separate lane per chat, and wait for no answer.

    Unreadable updates have a lane too: earlier ones decide whether the chat is incognito.
    """
    if not isinstance(update, Update) or at_once(update):
        return None
    if update.message_reaction is not None:
        return f"reactions:{update.message_reaction.chat.id}"
    place = place_of(update.message) if update.message else unreadable_where(update)
    return place.chat if place else None


def at_once(update: object) -> bool:
    """Return whether it is a command that is handled immediately: /stop, /status."""
    asked = command(update.message) if isinstance(update, Update) else None
    return asked is not None and asked[0] in AT_ONCE


def asks_status(update: Update) -> bool:
    """Return whether it is /status in a private chat."""
    asked = command(update.message) if is_private(update) else None
    return asked is not None and asked[0] == "status"


def unreadable_from(update: Update) -> int | None:
    """Return the sender of an unreadable update in a private chat; None otherwise."""
    match update.api_kwargs.get(RAW):
        case {"message": message} | {"edited_message": message}:
            match message:
                case {"from": {"id": int(user)}, "chat": {"id": int(chat)}} if user == chat:
                    return user
    return None


def unreadable_where(update: Update) -> Where | None:
    """Return the place of an unreadable update, if it can be determined."""
    raw = update.api_kwargs.get(RAW)
    for part in raw.values() if isinstance(raw, dict) else ():
        match part:
            case {"chat": {"id": int(chat)}, "message_thread_id": int(t), "is_topic_message": True}:
                return Where(chat, t)
            case {"chat": {"id": int(chat)}} | {"message": {"chat": {"id": int(chat)}}}:
                return Where(chat)
    return None


def is_private(update: Update) -> bool:
    """Return whether it comes from a private chat."""
    chat, user = update.effective_chat, update.effective_user
    return bool(chat and user and chat.type == ChatType.PRIVATE and not user.is_bot)


def is_addressed(message: Message | None, me: str) -> bool:
    """Return whether a group message is for the bot `me`: it mentions or answers it."""
    if message is None or not me:
        return False
    answered = message.reply_to_message
    if answered and answered.from_user and answered.from_user.username == me:
        return True
    text = message.text or message.caption or ""
    return (
        re.search(rf"{mention(me)}|(?<![\w@/])/\w+@{re.escape(me)}(?!\w)", text, re.I) is not None
    )


def joined_chat(update: Update) -> Chat | None:
    """Return the group or channel that the bot was just added to."""
    change = update.my_chat_member
    if change is None or change.chat.type == ChatType.PRIVATE:
        return None
    there = change.new_chat_member.status in (ChatMember.MEMBER, ChatMember.ADMINISTRATOR)
    return change.chat if there else None


def message_key(message: Message) -> str:
    """Return the key that makes logging the message idempotent."""
    return f"telegram:{message.chat_id}:{message.message_id}"


def edited_key(update: Update) -> str | None:
    """Return the key of the message that an edit corrects, readable or not; None for no edit."""
    if update.edited_message is not None:
        return message_key(update.edited_message)
    match update.api_kwargs.get(RAW):
        case {"edited_message": {"message_id": int(number), "chat": {"id": int(chat)}}}:
            return f"telegram:{chat}:{number}"
    return None


def place_and_said(update: Update) -> tuple[str | None, str | None, Said | None]:
    """Return the log's name of an update's chat, the key of the message that it edits, and the
    message, new or edited."""
    message = update.message or update.edited_message
    said = described_message(message) if message is not None else None
    return chat_of(update), edited_key(update), said


def said_message(message: Message) -> Said | None:
    """Convert a message, at Telegram's date; None if it has no text.

    Forwarded text is marked as another's (`origin`, `author`), and so is what an inline bot wrote,
    or a channel. The message that it replies to is quoted before it, with its author unless that
    is Sam or the sender.
    """
    return described_message(message) if shown_text(message) else None


def described_message(
    message: Message, origin: Literal["owner", "other"] = "owner", words: str = ""
) -> Said:
    """Like `said_message`, for a message without text: `words` stand for its content. `origin`: the
    author of the words."""
    own = "\n".join(filter(None, (words, words_of(message))))
    other = _written_by(message)
    quoted = "" if message.forward_origin is not None else _quoted(message)
    name = message.from_user.first_name if message.from_user else ""
    is_theirs = message.forward_origin is not None or (other is not None and origin == "owner")
    of: Origin = "forwarded" if is_theirs else origin
    return Said(
        key=message_key(message),
        chat=place_of(message).chat,
        text="\n\n".join(filter(None, (quoted, own))),
        sent_at=message.date,
        author=name if other is None else other,
        origin=of,
        telegram_ids=(message.message_id,),
    )


def replied_message(message: Message) -> Said | None:
    """Convert the message, or the selected part of it, that a message replies to; None without one.

    `origin` is `owner` for the sender's own words. Telegram may omit the text of Sam's answers.
    """
    to, marked = message.reply_to_message, message.quote
    if to is None and marked is None:
        return None
    text = marked.text if marked else (to and (to.text or to.caption)) or ""
    author = _another(message)
    origin: Origin = "quoted"
    if author is None and to is not None:
        by_bot = to.from_user is not None and _is_sam(to.from_user)
        author, origin = ("Sam", "sam") if by_bot else ("", "owner")
    elif to is not None and _written_by(to) is not None:
        origin = "forwarded"
    known = to or message
    return Said(
        key=message_key(known),
        chat=place_of(message).chat,
        text=text,
        sent_at=known.date,
        author=author or "",
        origin=origin,
        telegram_ids=(known.message_id,),
    )


def turn(
    parts: Sequence[Message],
    origin: Literal["owner", "other"] = "owner",
    may_fetch: Callable[[int], bool] = lambda sender: True,
) -> Incoming | None:
    """Convert the messages of a turn (several for an album), with their attachments.

    None if there is nothing to answer. `may_fetch`: whether files of that sender may be fetched.
    """
    found = [each for part in parts if (each := _incoming(part, origin, may_fetch)) is not None]
    return media.join_album(found)


def document(message: Message) -> Attachment | None:
    """Return the document of a message; None if it has none."""
    file = media.content(message.to_dict()).file if message.document else None
    return file if file is not None and file.kind in ("text", "other") else None


def _incoming(
    message: Message, origin: Literal["owner", "other"], may_fetch: Callable[[int], bool]
) -> Incoming | None:
    holds, to = media.content(message.to_dict()), message.reply_to_message
    if not shown_text(message) and holds == media.Content():
        return None
    known = to is not None and to.from_user is not None and may_fetch(to.from_user.id)
    answered = media.content(to.to_dict(), answered=True) if to is not None and known else None
    found = media.incoming(
        described_message(message, origin, media.own_words(holds)), holds, answered
    )
    return found if message.from_user and may_fetch(message.from_user.id) else found.unread()


def kept_file(message: Message, words: str) -> tuple[Attachment | None, str, datetime]:
    """Return the file that /keep refers to, in the message or in the one that it replies to; its
    caption; and the time of the command."""
    for each in filter(None, (message, message.reply_to_message)):
        if (file := media.content(each.to_dict()).file) is not None:
            own = each is not message and _written_by(each) is None
            return file, words or (own and each.caption) or "", message.date
    return None, words, message.date


def _written_by(message: Message) -> str | None:
    """Return who wrote the words, if not the sender; None for the sender.

    Text from an inline bot is that bot's: the sender only selected it.
    """
    if message.forward_origin is not None:
        return _name(message.forward_origin)
    if message.via_bot is not None:
        return message.via_bot.full_name
    if message.sender_chat is not None:
        return message.sender_chat.effective_name or "a chat"
    return None


def _name(origin: MessageOrigin) -> str:
    match origin:
        case MessageOriginUser(sender_user=user):
            return user.full_name
        case MessageOriginHiddenUser(sender_user_name=name):
            return name
        case MessageOriginChat(sender_chat=chat) | MessageOriginChannel(chat=chat):
            return chat.effective_name or "a chat"
        case _:
            return "somebody"


def _quoted(message: Message) -> str:
    """Return the message that this one replies to, each line marked with `>`; "" without one."""
    if message.quote:
        text = message.quote.text
    elif message.reply_to_message:
        text = shown_text(message.reply_to_message)
    else:
        return ""
    return quote(clipped(text.strip(), QUOTED), _another(message))


def _another(message: Message) -> str | None:
    """Return the author of the message that this one replies to; None for Sam and the sender."""
    answered = message.reply_to_message
    if answered is None:
        return _name(message.external_reply.origin) if message.external_reply else "somebody"
    if (other := _written_by(answered)) is not None:
        return other
    author, sender = answered.from_user, message.from_user
    if author is None:
        return "somebody"
    own = _is_sam(author) or (sender is not None and author.id == sender.id)
    return None if own else author.full_name


def _is_sam(user: User) -> bool:
    """Return whether it is this bot, and no other one."""
    try:
        return user.is_bot and user.id == user.get_bot().id
    except RuntimeError:  # an object without its bot
        return user.is_bot


def payload(update: Update, *, known: bool, elsewhere: bool = False) -> str:
    """Serialize the update for the inbox, without the texts of strangers, of group messages to
    others, and of the messages whose buttons are pressed.

    `known`: the sender's messages are handled. Only a pairing code is kept from strangers.
    `elsewhere`: another process may handle it, which has to know who a stranger is.
    """
    if UNREADABLE in update.api_kwargs:
        kept = {UNREADABLE: update.api_kwargs[UNREADABLE]}
        if known:
            kept[RAW] = update.api_kwargs[RAW]
        return json.dumps({"update_id": update.update_id, **kept})
    if known or joined_chat(update) is not None:
        return json.dumps(_without_pressed_text(update))
    message = update.message
    asked = command(message)
    pairs = asked is not None and asked[1] and asked[0] in OF_STRANGERS
    if not (message and is_private(update) and (pairs or elsewhere)):
        return json.dumps({"update_id": update.update_id})
    return json.dumps(
        {
            "update_id": update.update_id,
            "message": {
                "message_id": message.message_id,
                "date": int(message.date.timestamp()),
                "chat": {"id": message.chat_id, "type": "private"},
                "from": {
                    "id": message.chat_id,
                    "is_bot": False,
                    "first_name": "",
                    **({"language_code": account_language(update)} if elsewhere else {}),
                },
                **({"text": f"/{asked[0]} {asked[1][:32]}".rstrip()} if asked and pairs else {}),
            },
        }
    )


def _without_pressed_text(update: Update) -> dict[str, Any]:
    """Return the update as a JSON document; of the message whose button is pressed, which may list
    what is to be forgotten, only the place."""
    document = update.to_dict()
    pressed = document.get("callback_query", {})
    if "message" in pressed:
        pressed["message"] = {k: v for k, v in pressed["message"].items() if k in _PLACE}
    return document


def account_language(update: Update) -> str:
    """Return the code of the sender's language in Telegram; "" if it is not known."""
    user = update.effective_user
    return ((user and user.language_code) or "").partition("-")[0]
