"""Turn speech into text, by any endpoint with OpenAI's transcription API or a local model."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from memory import Usage
from memory.text import storable, tr

from ...errors import TranscriberDown
from ...settings import LOCAL, Settings
from . import local

log = logging.getLogger(__name__)

SECONDS = 180.0  # a local model takes about as long as the speech
TIMES = 2  # attempts: the endpoint may be starting
# OpenAI refuses a file by the ending of its name, whatever is in it.
ACCEPTED = ("flac", "m4a", "mp3", "mp4", "mpeg", "mpga", "oga", "ogg", "wav", "webm")


class Transcriber:
    """The endpoint of TRANSCRIBE_BASE_URL, or the local model."""

    def __init__(self, settings: Settings) -> None:
        self._url = settings.transcribe_base_url.rstrip("/")
        self._key, self._model = settings.transcribe_api_key, settings.transcribe_model

    @property
    def is_set_up(self) -> bool:
        """Whether speech can be transcribed: there is an endpoint or a local model."""
        return bool(self._url)

    async def text(self, data: bytes, name: str, usage: Callable[[Usage], Awaitable[None]]) -> str:
        """Return the transcript of a recording; "" if nobody speaks. Raises TranscriberDown.

        `usage` records the amount of audio sent.
        """
        if self._url == LOCAL:
            try:
                return await local.transcribe(data)
            except local.LocalSpeechError as failed:
                raise TranscriberDown(str(failed)) from None
        import httpx

        key = self._key.get_secret_value() if self._key else ""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        for number in range(1, TIMES + 1):
            try:
                async with httpx.AsyncClient(timeout=SECONDS) as client:
                    answer = await client.post(
                        f"{self._url}/audio/transcriptions",
                        headers=headers,
                        data={"model": self._model, "response_format": "json"},
                        files={"file": (_accepted(name, data), data)},
                    )
                await usage(Usage("transcription", self._model, "voice", input=0, bytes=len(data)))
                answer.raise_for_status()
                words = answer.json()["text"]
                if not isinstance(words, str):
                    raise TypeError
                return storable(words).strip()
            except (httpx.HTTPError, httpx.InvalidURL, KeyError, ValueError, TypeError) as wrong:
                log.warning("transcription failed: %s", type(wrong).__name__)
                is_final = isinstance(wrong, httpx.HTTPStatusError) and (
                    wrong.response.status_code < 500 and wrong.response.status_code != 429
                )
                if is_final or number == TIMES:
                    raise TranscriberDown(_reason(wrong)) from None
        raise AssertionError("the last try returns or raises")


def _accepted(name: str, data: bytes) -> str:
    """Return the name with an ending that is accepted, where the content has one: voice messages
    of WhatsApp end in `.opus`, and are Ogg."""
    if name.lower().rpartition(".")[2] in ACCEPTED:
        return name
    return f"{name}.ogg" if data.startswith(b"OggS") else name


def _reason(wrong: Exception) -> str:
    import httpx

    if isinstance(wrong, httpx.HTTPStatusError):
        return tr(
            "TRANSCRIBE_BASE_URL answers with error {status_code}",
            status_code=wrong.response.status_code,
        )
    return tr("TRANSCRIBE_BASE_URL does not answer as expected")
