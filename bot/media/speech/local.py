"""Local speech recognition and synthesis with the extra `voice`: no server, no network.

Each call runs a separate process, which loads the model, and frees its memory at the end.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re

from memory.text import STOP_WORDS, mark, tr

from .. import programs

log = logging.getLogger(__name__)

TRANSCRIBE_SECONDS, SYNTHESIZE_SECONDS = 1200.0, 180.0
MISSING, SANDBOX = 3, 4  # exit codes of the programs
_REASONS = {
    MISSING: mark("the extra “voice” is not installed (docs/media.md says how)"),
    SANDBOX: mark("the service's sandbox forbids it (docs/media.md says which line to change)"),
}
_LETTERS = re.compile(r"[^\W\d_]+")
ENGLISH = 0.2  # minimum share of STOP_WORDS among the words of an English text
ABROAD = 0.1  # maximum share of its words with letters other than a to z

_one_at_a_time = asyncio.Lock()  # each process takes 600 MB, and all cores


class LocalSpeechError(Exception):
    """The speech model failed. The message completes "I could not hear that: "."""


async def transcribe(data: bytes) -> str:
    """Transcribe a recording in any common format; "" if nobody speaks. Raises LocalSpeechError."""
    found: str = json.loads(await _run("transcribe.py", data, TRANSCRIBE_SECONDS))["text"]
    return found


async def synthesize(text: str) -> bytes:
    """Return an English text as speech, Opus in Ogg. Raises LocalSpeechError."""
    if not is_english(text):
        raise LocalSpeechError(tr("the voice on this machine speaks only English"))
    return await _run("synthesize.py", text.encode(), SYNTHESIZE_SECONDS)


async def _run(program: str, data: bytes, seconds: float) -> bytes:
    async with _one_at_a_time:
        try:
            ended = await programs.run(program, data, seconds)
        except TimeoutError:
            raise LocalSpeechError(tr("it takes too long on this machine")) from None
    if ended.code == 0:
        return ended.out
    log.warning("%s ended with %d: %s", program, ended.code, ended.wrong)
    reason = tr("the recording is damaged, or the model failed: my log says more")
    raise LocalSpeechError(_REASONS.get(ended.code, reason))


def is_english(text: str) -> bool:
    """Return whether a text is probably English, judging by its stop words and its letters."""
    words = _LETTERS.findall(text.lower())
    if not words:
        return True
    abroad = sum(not word.isascii() for word in words) / len(words)
    small = sum(word in STOP_WORDS for word in words) / len(words)
    return abroad <= ABROAD and (small >= ENGLISH or len(words) <= 3)
