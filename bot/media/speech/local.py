"""Hear and speak on this machine, with the models of the extra `voice`: no server, no network.

Each call is a process of its own, which loads the model and gives its memory back.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re

from memory.text import STOP_WORDS

from .. import programs

log = logging.getLogger(__name__)

HEAR_SECONDS, SAY_SECONDS = 1200.0, 180.0
MISSING, SANDBOX = 3, 4  # exit codes of the programs
_REASONS = {
    MISSING: "the extra “voice” is not installed (docs/media.md says how)",
    SANDBOX: "the service's sandbox forbids it (docs/media.md says which line to change)",
}
_LETTERS = re.compile(r"[^\W\d_]+")
ENGLISH = 0.2  # of the words of an English text are among STOP_WORDS, at least
ABROAD = 0.1  # of its words have other letters than a to z, at most

_one_at_a_time = asyncio.Lock()  # each takes 600 MB, and all cores


class LocalSpeechError(Exception):
    """It did not work; the message completes "I could not hear that: "."""


async def hear(data: bytes) -> str:
    """Return the words of a recording in any usual format; "" where nobody speaks. Raises
    LocalSpeechError."""
    found: str = json.loads(await _run("hear.py", data, HEAR_SECONDS))["text"]
    return found


async def say(text: str) -> bytes:
    """Return an English text as speech, Opus in Ogg. Raises LocalSpeechError."""
    if not is_english(text):
        raise LocalSpeechError("the voice on this machine speaks English alone")
    return await _run("say.py", text.encode(), SAY_SECONDS)


async def _run(program: str, data: bytes, seconds: float) -> bytes:
    async with _one_at_a_time:
        try:
            ended = await programs.run(program, data, seconds)
        except TimeoutError:
            raise LocalSpeechError("it takes too long on this machine") from None
    if ended.code == 0:
        return ended.out
    log.warning("%s ended with %d: %s", program, ended.code, ended.wrong)
    reason = "the recording is damaged, or the model failed: my log says more"
    raise LocalSpeechError(_REASONS.get(ended.code, reason))


def is_english(text: str) -> bool:
    """Whether a text is probably English: by its small words, and its letters."""
    words = _LETTERS.findall(text.lower())
    if not words:
        return True
    abroad = sum(not word.isascii() for word in words) / len(words)
    small = sum(word in STOP_WORDS for word in words) / len(words)
    return abroad <= ABROAD and (small >= ENGLISH or len(words) <= 3)
