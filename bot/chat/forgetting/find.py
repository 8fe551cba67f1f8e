"""Find everything that is kept about some words: in the memory, and in updates set aside."""

from __future__ import annotations

import re

from memory import Memory
from memory.maintenance import forget_words
from memory.text import object_to_forget

from ...settings import Settings
from ...turn.rule_answers import fixed_answers
from . import inbox
from .choice import Listed

_DATED = re.compile(r"\d{4}-\d{2}-\d{2}: ")  # what precedes a line of MEMORY.md


async def find_kept(settings: Settings, memory: Memory, words: str, chat: str = "") -> Listed:
    """Return everything that is kept about the words; if that is nothing, about what they name:
    "everything about Anna" names Anna. The date before a line of MEMORY.md is none of its words:
    tasks and notes of that day have it too.

    Updates set aside are limited to that chat; without one, to the chats in the profile's log."""
    await forget_words.finish(memory)
    if dated := _DATED.match(words):
        words = words[dated.end() :]
    listed = await _find(settings, memory, words, chat)
    named = object_to_forget(words)
    if listed.count or listed.kept.yours or named == words:
        return listed
    return await _find(settings, memory, named, chat)


async def _find(settings: Settings, memory: Memory, words: str, chat: str) -> Listed:
    kept = await forget_words.find_kept(memory, words, fixed_answers())
    said = [each.message for each in kept.items if each.message is not None]
    chats = [chat]
    if not chat:
        chats = [each.session.chat for each in await memory.log.forgetting.sessions()]
    return Listed(kept, await inbox.set_aside(settings, words, chats, besides=said))
