"""Replies to voice messages and other messages without text; one to a transcript corrects it.

Of Sam's messages, a transcript and a spoken answer repeat a message of the log."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from difflib import SequenceMatcher
from typing import Any

from memory import Memory, Message
from memory.text import is_no, is_small_talk, is_yes, mark, own_part

from ..inbox import Replies
from .message_content import SHOWN_AGAIN, content

HEARD = mark("Did I mishear that? Reply to this message with the correct words.")
CORRECTED = mark("I have corrected what I heard.")
SHORT = 2  # words that were heard, in place of which "no" or "thanks" may have been said
HEARD_KEY = "heard:"  # of the reply that shows the words, and the message's key in the log
VOICE_KEY = "voice:"  # begins the keys of replies that are spoken
_VOICE = re.compile(r"^\[voice message, [\d:]+(, [^\]\n]*)?\]", re.MULTILINE)


def caption_lines(text: str) -> int:
    """Return the number of lines below the label of a voice message, before its words are added."""
    found = _VOICE.search(text)
    return text.count("\n", found.end()) if found else 0


def without_voice_label(text: str) -> str:
    """Return the text of a logged message without the label of a voice message."""
    return _VOICE.sub("", text, count=1).strip()


def correct_transcript(
    text: str, words: str, lines: int = 0, part: tuple[str, int] | None = None
) -> str | None:
    """Return the text of a voice message with other words, below the `lines` of its caption; None
    for no voice message. `part`: what was selected of the words that were heard, and about where it
    begins."""
    found = _VOICE.search(text)
    if found is None:
        return None
    label = found[0].replace(found[1], "") if found[1] else found[0]
    rows = text[found.end() :].split("\n")[1:]
    if part is not None:
        words = _with_part("\n".join(rows[lines:]), words, *part)
    return "\n".join([text[: found.start()] + label, *rows[:lines], words])


def _with_part(heard: str, words: str, part: str, position: int) -> str:
    """Return what was heard with the words in place of that part; or the words alone, if they are
    more like all of it."""
    places = [each.start() for each in re.finditer(re.escape(part), heard)]
    if not places:
        return words
    at = min(places, key=lambda place: abs(place - position))
    whole = heard[:at] + words + heard[at + len(part) :]
    return max(words, whole, key=lambda each: SequenceMatcher(None, heard, each).ratio())


def answered_words(message: Mapping[str, Any], logged: str) -> str:
    """Return the words that stand for an answered message without text: its own in the log, or its
    content in one line. "" for a file that is shown to the model again."""
    if words := without_voice_label(own_part(logged)):
        return words
    found = content(message)
    if found.file is None:
        return found.words or found.shared
    return "" if found.file.kind in SHOWN_AGAIN else f"[{found.file.label}]"


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


async def repeated_message(
    replies: Replies, memory: Memory, chat_id: int, shown: int
) -> Message | None:
    """Return the logged message that Sam's message `shown` repeats: the voice message of a
    transcript, or the written answer of a spoken one; None for any other message."""
    reply = await replies.by_telegram_id(chat_id, shown)
    if reply is None or reply.profile != memory.profile.name:
        return None
    if reply.key.startswith(HEARD_KEY):
        key = reply.key.removeprefix(HEARD_KEY).partition("#")[0]
        return await memory.log.messages.by_key(key)
    if reply.key.startswith(VOICE_KEY) and reply.answers is not None:
        return await memory.log.messages.by_telegram_id(reply.where.chat, reply.answers)
    return None


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
    answers = is_yes(words) or is_no(words) or is_small_talk(words)
    return answers and len(heard.split()) > SHORT
