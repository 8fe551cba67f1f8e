"""Send one message: rich, else text with entities, else plain text."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from telegram import (
    CopyTextButton,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputFile,
    LinkPreviewOptions,
    Message,
    MessageEntity,
    ReplyParameters,
)
from telegram.ext import ExtBot

from memory.text import clipped

from ...errors import ChatError, MessageRefused, TokenRefused
from ...inbox import Button, Keyboard, Where
from ..formatting import Entity, Part
from .connection import ONCE, telegram_errors

log = logging.getLogger(__name__)

REFUSALS = 3  # rich messages rejected in a row: then the server counts as not supporting them
TOAST = 200  # characters of the text that answers a button press
NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
# A dot before a letter, as before a top-level domain; the first one of an IPv4 address.
_DOT_IN_ADDRESS = re.compile(r"(?<=\S)[.。．｡](?=[^\W\d_])|(?<=\d)\.(?=\d{1,3}\.\d{1,3}\.\d)")
_OTHER_DOT = "\u2024"  # one dot leader: looks the same and is as long, but is in no address


@dataclass(frozen=True, slots=True)
class Beside:
    """What accompanies a message: the buttons below it, the message that it answers, its sound."""

    keyboard: Keyboard = ()
    answers: int | None = None
    silent: bool = False


ALONE = Beside()


@dataclass(frozen=True, slots=True)
class SentMessage:
    """A message that Telegram accepted, with its date."""

    id: int
    at: datetime


class Sender:
    """Send messages of one bot; remember until the next start what its server does not support."""

    def __init__(self, bot: ExtBot[None]) -> None:
        self._bot = bot
        self._rich, self._drafts = True, True
        self._refusals = 0

    async def send(self, place: Where, part: Part, beside: Beside = ALONE) -> SentMessage:
        """Send one message, in the best form that is accepted.

        Raises MessageRefused if none is; ChatClosed, TelegramDown, TokenRefused.
        """
        if self._rich and part.rich is not None and not part.plain:
            sent = await self._try(self._send_rich(place, part, beside))
            if sent is not None:
                return sent
        forms = [(part.entities, beside), ((), beside), ((), ALONE)]
        for number, form in enumerate(forms):
            if form not in forms[:number]:
                sent = await self._try(self._send_text(place, part, *form))
                if sent is not None:
                    return sent
        return await self._send_bare(place, part)

    async def _send_bare(self, place: Where, part: Part) -> SentMessage:
        """Send only chat and text: a server may support none of the other fields.

        Without link_preview_options Telegram would fetch an address in the text for its preview,
        so none is left that it would recognise.
        """
        text = _DOT_IN_ADDRESS.sub(_OTHER_DOT, part.text)
        with telegram_errors():
            message: Message = await self._bot.send_message(place.chat_id, text)
        return SentMessage(message.message_id, message.date)

    async def _try(self, sending: Awaitable[SentMessage]) -> SentMessage | None:
        """Return None if this form is rejected but another one may be accepted."""
        try:
            return await sending
        except MessageRefused as refused:
            log.info("a form of a message is refused: %s", refused)
            return None

    async def _send_rich(self, place: Where, part: Part, beside: Beside) -> SentMessage:
        request = {**_rich(place, part), **_beside(beside)}
        try:
            with telegram_errors():
                message = await self._bot.do_api_request("sendRichMessage", api_kwargs=request)
        except MessageRefused as refused:
            self._refusals += 1
            self._rich = not refused.unknown and self._refusals < REFUSALS
            raise
        self._refusals = 0
        return SentMessage(message["message_id"], datetime.fromtimestamp(message["date"], UTC))

    async def _send_text(
        self, place: Where, part: Part, entities: tuple[Entity, ...], beside: Beside
    ) -> SentMessage:
        with telegram_errors():
            message: Message = await self._bot.send_message(
                place.chat_id,
                part.text,
                message_thread_id=place.topic,
                entities=_entities(entities),
                link_preview_options=NO_PREVIEW,
                **_beside(beside),
            )
        return SentMessage(message.message_id, message.date)

    async def send_voice(
        self, place: Where, audio: bytes, caption: str, answers: int | None
    ) -> SentMessage:
        """Send Opus in Ogg as a silent voice message. Raises the same errors as `send`."""
        with telegram_errors():
            message: Message = await self._bot.send_voice(
                place.chat_id,
                audio,
                caption=caption or None,
                message_thread_id=place.topic,
                filename="answer.ogg",
                **_beside(Beside(answers=answers, silent=True)),
            )
        return SentMessage(message.message_id, message.date)

    async def send_photo(
        self, place: Where, picture: bytes, caption: Part, beside: Beside = ALONE
    ) -> SentMessage:
        """Send a picture with a text below it. Raises as `send` does."""
        with telegram_errors():
            message: Message = await self._bot.send_photo(
                place.chat_id,
                picture,
                caption=caption.text,
                caption_entities=_entities(caption.entities),
                message_thread_id=place.topic,
                filename="picture.png",
                **_beside(beside),
            )
        return SentMessage(message.message_id, message.date)

    async def send_document(self, place: Where, file: Path, name: str, caption: str) -> SentMessage:
        """Send a file of that name. Raises as `send` does."""
        with file.open("rb") as stream, telegram_errors():
            message: Message = await self._bot.send_document(
                place.chat_id,
                InputFile(stream, filename=name, read_file_handle=False),
                caption=caption or None,
                message_thread_id=place.topic,
                disable_content_type_detection=True,
            )
        return SentMessage(message.message_id, message.date)

    async def edit(
        self,
        place: Where,
        message_id: int,
        part: Part,
        keyboard: Keyboard = (),
        *,
        fleeting: bool = False,
    ) -> None:
        """Replace the text and the buttons of a message; `fleeting`: best effort, without retries.
        Raises the same errors as `send`."""
        target: dict[str, Any] = {
            "chat_id": place.chat_id,
            "message_id": message_id,
            "reply_markup": _markup(keyboard),
            "rate_limit_args": ONCE if fleeting else None,
        }
        forms: list[dict[str, Any]] = [
            {"text": part.text, "entities": _entities(part.entities)},
            {"text": part.text},
        ]
        if self._rich and part.rich is not None and not part.plain:
            # The library does not support rich messages here; it omits a text of None.
            rich = {"rich_message": {"markdown": part.rich}}
            forms.insert(0, {"text": None, "api_kwargs": rich})
        for number, form in enumerate(forms, 1):
            if "api_kwargs" not in form:
                form |= {"link_preview_options": NO_PREVIEW}
            try:
                with telegram_errors():
                    await self._bot.edit_message_text(**(form | target))
                return
            except MessageRefused as refused:
                if "not modified" in str(refused):
                    return
                if number == len(forms):
                    raise
                log.info("a form of an edit is refused: %s", refused)

    async def delete(self, place: Where, message_id: int) -> None:
        """Delete a message of Sam's. Raises as `send` does."""
        with telegram_errors():
            await self._bot.delete_message(place.chat_id, message_id)

    async def answer(self, query_id: str, text: str = "") -> None:
        """Answer the press of a button, with a short text shown above the chat. Telegram accepts
        this only for some seconds; after that nobody waits for it."""
        try:
            with telegram_errors():
                await self._bot.answer_callback_query(query_id, clipped(text, TOAST) or None)
        except ChatError as late:
            log.debug("a press of a button is not answered: %s", late)

    async def draft(self, place: Where, draft_id: int, part: Part) -> bool:
        """Show a streaming text; False if the server has no drafts. Raises as `send` does."""
        if self._rich and part.rich is not None and not part.plain:
            request = {**_rich(place, part), "draft_id": draft_id}
            try:
                with telegram_errors():
                    await self._bot.do_api_request("sendRichMessageDraft", api_kwargs=request)
                return True
            except MessageRefused as refused:
                self._rich = not refused.unknown
        for entities in (part.entities, ()):
            if not self._drafts:
                break
            try:
                with telegram_errors():
                    await self._bot.send_message_draft(
                        place.chat_id,
                        draft_id,
                        part.text,
                        message_thread_id=place.topic,
                        entities=_entities(entities),
                    )
                return True
            except TokenRefused:  # the library raises this for any 404 of a known method
                self._drafts = False
            except MessageRefused as refused:
                log.info("a form of a draft is refused: %s", refused)
        return self._drafts

    async def react(self, place: Where, message_id: int, emoji: str) -> None:
        """React to a message, "" for taking the reaction away. Raises as `send` does."""
        with telegram_errors():
            await self._bot.set_message_reaction(place.chat_id, message_id, emoji or None)

    async def typing(self, place: Where) -> None:
        """Show "typing" for five seconds."""
        with telegram_errors():
            await self._bot.send_chat_action(place.chat_id, "typing", message_thread_id=place.topic)


def _rich(place: Where, part: Part) -> dict[str, object]:
    topic = {} if place.topic is None else {"message_thread_id": place.topic}
    return {"chat_id": place.chat_id, "rich_message": {"markdown": part.rich}, **topic}


def _beside(beside: Beside) -> dict[str, Any]:
    more: dict[str, Any] = {}
    if beside.answers is not None:
        more["reply_parameters"] = ReplyParameters(beside.answers, allow_sending_without_reply=True)
    if beside.silent:
        more["disable_notification"] = True
    if (markup := _markup(beside.keyboard)) is not None:
        more["reply_markup"] = markup
    return more


def _markup(keyboard: Keyboard) -> InlineKeyboardMarkup | None:
    return InlineKeyboardMarkup([[*map(_button, row)] for row in keyboard]) if keyboard else None


def _button(button: Button) -> InlineKeyboardButton:
    if button.copies:
        return InlineKeyboardButton(button.label, copy_text=CopyTextButton(button.copies))
    return InlineKeyboardButton(button.label, callback_data=button.id)


def _entities(entities: tuple[Entity, ...]) -> list[MessageEntity]:
    return [
        MessageEntity(e.type, e.offset, e.length, url=e.url, language=e.language) for e in entities
    ]
