"""Turn an answer into speech, by any endpoint with OpenAI's speech API or a local voice."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from memory import Usage
from memory.text import clipped, split_sentences, tr

from ...errors import SpeakerDown
from ...settings import LOCAL, Settings
from . import local

log = logging.getLogger(__name__)

SECONDS = 120.0  # a local model takes about as long as the speech
TIMES = 2  # attempts: the endpoint may be starting
OGG = b"OggS"  # Telegram shows Opus in Ogg as a voice message


class Speaker:
    """The endpoint of SPEECH_BASE_URL, or the local voice."""

    def __init__(self, settings: Settings) -> None:
        self._url = settings.speech_base_url.rstrip("/")
        self._key = settings.speech_api_key
        self._model, self._voice = settings.speech_model, settings.speech_voice
        self._most, self._price = settings.speech_max_chars, settings.speech_usd

    def spoken_part(self, text: str) -> str:
        """Return the spoken part of a plain text: whole sentences, at most SPEECH_MAX_CHARS."""
        text = text.strip()
        if len(text) <= self._most:
            return text
        end = 0
        for sentence in split_sentences(text):
            start = text.find(sentence, end)
            if start < 0 or start + len(sentence) > self._most:
                break
            end = start + len(sentence)
        return text[:end] or clipped(text, self._most)

    def price(self, text: str) -> float:
        """Return the cost of speaking this text, in US dollars."""
        return len(text) * self._price / 1_000_000

    async def audio(self, text: str, usage: Callable[[Usage], Awaitable[None]]) -> bytes:
        """Return the text as speech, Opus in Ogg. Raises SpeakerDown.

        `usage` records the cost, even if the response was lost.
        """
        if self._url == LOCAL:
            try:
                return await local.synthesize(text)
            except local.LocalSpeechError as failed:
                raise SpeakerDown(str(failed)) from None
        import httpx

        key = self._key.get_secret_value() if self._key else ""
        wish = {
            "model": self._model,
            "voice": self._voice,
            "input": text,
            "response_format": "opus",
        }
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        for number in range(1, TIMES + 1):
            try:
                async with httpx.AsyncClient(timeout=SECONDS) as client:
                    answer = await client.post(
                        f"{self._url}/audio/speech", headers=headers, json=wish
                    )
                answer.raise_for_status()
            except (httpx.HTTPError, httpx.InvalidURL) as wrong:
                log.warning("speech failed: %s", type(wrong).__name__)
                if isinstance(wrong, httpx.ReadError | httpx.ReadTimeout):
                    await usage(self._used(text))
                is_final = isinstance(wrong, httpx.HTTPStatusError) and (
                    wrong.response.status_code < 500 and wrong.response.status_code != 429
                )
                if is_final or number == TIMES:
                    raise SpeakerDown(_reason(wrong)) from None
                continue
            await usage(self._used(text))
            if not answer.content.startswith(OGG):
                raise SpeakerDown(tr("SPEECH_BASE_URL does not return Opus in Ogg"))
            return answer.content
        raise AssertionError("the last try returns or raises")

    def _used(self, text: str) -> Usage:
        return Usage(
            "speech",
            self._model,
            tr("spoken answers"),
            input=0,
            bytes=len(text.encode()),
            usd=self.price(text),
        )


def _reason(wrong: Exception) -> str:
    import httpx

    if isinstance(wrong, httpx.HTTPStatusError):
        return tr(
            "SPEECH_BASE_URL answers with error {status_code}",
            status_code=wrong.response.status_code,
        )
    return tr("SPEECH_BASE_URL does not answer as expected")
