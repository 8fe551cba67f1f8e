"""Correct a transcript: a reply to the text of a voice message, as shown by Sam."""

from __future__ import annotations

from datetime import datetime

from memory import Memory
from memory.text import mark

from ..inbox import Replies
from .message_content import correct_transcript

HEARD = mark("Did I mishear that? Reply to this message with the correct words.")
CORRECTED = mark("I have corrected what I heard.")
HEARD_KEY = "heard:"  # of the reply that shows the words, and the message's key in the log


async def transcript_key(replies: Replies, profile: str, chat_id: int, shown: int) -> str | None:
    """Return the key of the profile's voice message whose transcript is in Telegram's message
    `shown`; None if it shows none."""
    reply = await replies.by_telegram_id(chat_id, shown)
    if reply is None or reply.profile != profile or not reply.key.startswith(HEARD_KEY):
        return None
    return reply.key.removeprefix(HEARD_KEY)


async def correct(
    replies: Replies, memory: Memory, chat_id: int, shown: int, words: str, at: datetime
) -> bool:
    """Correct the voice message whose transcript is in Telegram's message `shown`; return False if
    it is not one of this profile's."""
    key = await transcript_key(replies, memory.profile.name, chat_id, shown)
    if key is None:
        return False
    turn = await memory.log.turns.of(key)
    text = correct_transcript(turn.message.text, words) if turn is not None else None
    if text is None:
        return False
    await memory.log.messages.edit(key, text, at)
    return True
