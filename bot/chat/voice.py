"""/voice: turn spoken answers in a chat on or off."""

from __future__ import annotations

from memory import OWNER, Memory
from memory.text import mark, tr

from ..markdown_escape import escape
from .protocol import Call

ON = mark("From now on my answers here come as a voice message too. /voice off ends it.")
OFF = mark("From now on I answer here only in writing.")
NO_SERVER = mark(
    "I have no voice yet: I need text-to-speech. Set SPEECH_BASE_URL in my .env to an "
    "OpenAI-compatible server, or to local for an English voice on my machine (see docs/media.md), "
    "and restart me."
)
NO_VOICE = mark("I have no voice yet.")
ONLY_TELEGRAM = mark("I can only speak on Telegram.")
IS_ON = mark("My answers here come as a voice message too. /voice off ends it.")
IS_OFF = mark("I answer here in writing. /voice on adds a voice message.")


async def voice(call: Call) -> str:
    """Speak my answers too, or only write: /voice on, /voice off"""
    if not call.on_telegram:
        return tr(ONLY_TELEGRAM)
    settings, memory = call.profile.settings, call.profile.memory
    wish = call.words.strip().casefold()
    if wish == "off":
        await memory.log.settings.set(_name(call.chat), "off")
        return tr(OFF)
    if not settings.speech_base_url:
        return escape(tr(NO_SERVER if call.profile.name == OWNER else NO_VOICE))
    if wish == "on":
        await memory.log.settings.set(_name(call.chat), "on")
        return tr(ON)
    return tr(IS_ON) if await is_voice_on(memory, call.chat) else tr(IS_OFF)


async def is_voice_on(memory: Memory, chat: str) -> bool:
    """Return whether answers in that chat are spoken too."""
    return await memory.log.settings.get(_name(chat)) == "on"


def _name(chat: str) -> str:
    return f"voice:{chat}"
