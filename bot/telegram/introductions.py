"""Put the questions to a new owner into his chat, and take the answers that he types."""

from __future__ import annotations

import contextlib
from datetime import timedelta
from typing import TYPE_CHECKING

from telegram import Message

from ..chat import introduction
from ..chat.introduction import ACTION, ASKED, DONE
from ..errors import ChatError
from ..inbox import Inbox, Reply
from . import parse
from .api.sender import Sender
from .conversation import ConversationRunner
from .formatting import parts

if TYPE_CHECKING:
    from ..assistant import Assistant

WAITS = timedelta(days=1)  # for an answer that is no reply to the question
ANSWERED = "Thank you. It goes on below."


class Introductions:
    """The questions of all chats. The caller owns the chat's lane."""

    def __init__(self, inbox: Inbox, talk: ConversationRunner, sender: Sender) -> None:
        self._inbox, self._talk, self._sender = inbox, talk, sender

    async def begin(self, profile: Assistant, message: Message) -> None:
        """Ask the first question in the chat of that message, unless they were asked before."""
        user, place = message.from_user, parse.where(message)
        if user is None or message.chat_id != user.id:
            return
        shown = await introduction.begin(
            profile, place.chat, user.first_name, user.language_code or ""
        )
        if shown is not None:
            key = f"introduction:{profile.name}"
            await self._talk.say(key, profile.name, place, shown)
            await profile.memory.log.settings.set(ASKED, key)

    async def answered(self, profile: Assistant, update_id: int, message: Message) -> bool:
        """Take a typed answer to the open question, and go on; return False for an ordinary
        message."""
        asked = await profile.memory.log.settings.get(ASKED)
        if asked is None or asked == DONE:
            return False
        place, key = parse.where(message), f"introduction:{update_id}"
        if asked in (key, f"{DONE}:{update_id}"):  # it was taken before a crash
            return True
        question = await self._inbox.replies.get(asked)
        if question is None or question.where != place or not question.telegram_ids:
            return False
        if await profile.turns.incognito.on(place.chat):
            return False
        to, sent = message.reply_to_message, question.sent_at
        is_reply = to is not None and to.message_id in question.telegram_ids
        late = sent is None or message.date - sent > WAITS
        if not is_reply and (to is not None or late):
            return False
        last = question.telegram_ids[-1]
        arguments = await self._inbox.buttons.below(place.chat_id, last, ACTION)
        if not arguments:
            return False
        text, at = parse.typed(message), message.date
        taken = await introduction.typed(profile, arguments[0], text, at, is_reply=is_reply)
        if taken is None:
            return False
        shown, is_last = taken
        await self._talk.say(key, profile.name, place, shown)
        await profile.memory.log.settings.set(ASKED, f"{DONE}:{update_id}" if is_last else key)
        await self._end(question)
        return True

    async def _end(self, question: Reply) -> None:
        """Take the buttons of a question away that was answered in words."""
        [thanks] = parts(ANSWERED)
        with contextlib.suppress(ChatError):  # they stay, and do no harm
            await self._sender.edit(question.where, question.telegram_ids[-1], thanks, ())
