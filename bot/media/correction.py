"""Correct a transcript: a reply to the text of a voice message, as shown by Sam."""

from __future__ import annotations

from datetime import datetime

from memory import Memory
from memory.text import NO, YES, is_small_talk, mark, own_part

from ..inbox import Replies
from .message_content import caption_lines, correct_transcript, without_voice_label

HEARD = mark("Did I mishear that? Reply to this message with the correct words.")
CORRECTED = mark("I have corrected what I heard.")
SHORT = 2  # words that were heard, in place of which "no" or "thanks" may have been said
HEARD_KEY = "heard:"  # of the reply that shows the words, and the message's key in the log


def transcript_reply(key: str, text: str) -> str:
    """Return the key of the reply that shows what was heard in the message with that key and text,
    before its words were added. It has the number of the lines of its caption, if there is one."""
    lines = caption_lines(text)
    return f"{HEARD_KEY}{key}#{lines}" if lines else f"{HEARD_KEY}{key}"


async def transcript_key(replies: Replies, profile: str, chat_id: int, shown: int) -> str | None:
    """Return the key of the profile's voice message whose transcript is in Telegram's message
    `shown`, with the lines of its caption; None if it shows none."""
    reply = await replies.by_telegram_id(chat_id, shown)
    if reply is None or reply.profile != profile or not reply.key.startswith(HEARD_KEY):
        return None
    return reply.key.removeprefix(HEARD_KEY)


async def correct(
    replies: Replies,
    memory: Memory,
    chat_id: int,
    shown: int,
    words: str,
    at: datetime,
    part: tuple[str, int] | None = None,
) -> bool:
    """Correct the voice message whose transcript is in Telegram's message `shown`; return False if
    it is not one of this profile's, or if the words only answer the question below it.

    `part`: as of `correct_transcript`.
    """
    found = await transcript_key(replies, memory.profile.name, chat_id, shown)
    key, _, lines = (found or "").partition("#")
    logged = await memory.log.messages.by_key(key) if key else None
    if logged is None or _is_answer(words, own_part(without_voice_label(logged.text))):
        return False
    text = correct_transcript(logged.text, words, int(lines or 0), part)
    if text is None:
        return False
    await memory.log.messages.edit(key, text, at)
    return True


def _is_answer(words: str, heard: str) -> bool:
    """Return whether the words answer whether that was misheard, such as "no" or "thanks". Of a
    few words they may be what was said."""
    answers = words.strip(" .!").casefold() in YES | NO or is_small_talk(words)
    return answers and len(heard.split()) > SHORT
