"""Fake of OpenAI's text-to-speech API: answers each text with the given voice message."""

from __future__ import annotations

from dataclasses import dataclass, field

from aiohttp import web

from tests.fakes.openai_server import OpenAIServer

LONGEST = 4096  # characters
FIELDS = {"model", "voice", "input", "response_format", "speed", "instructions", "stream_format"}


@dataclass
class FakeSpeech(OpenAIServer):
    """`spoken`: the texts so far; `sends`: the bytes of the answers."""

    path = "/v1/audio/speech"
    sends: bytes = b"OggS" + b"\0" * 60
    spoken: list[str] = field(default_factory=list)
    voices: list[tuple[str, str]] = field(default_factory=list)

    async def answer(self, http: web.Request) -> web.Response:
        """Return the audio for a text."""
        wish = await http.json()
        if unknown := set(wish) - FIELDS:
            return self.refuse(400, f"unknown fields: {sorted(unknown)}")
        if not all(isinstance(wish.get(n), str) and wish[n] for n in ("model", "voice", "input")):
            return self.refuse(400, "model, voice and input are required")
        if len(wish["input"]) > LONGEST:
            return self.refuse(400, "input is too long")
        if wish.get("response_format") != "opus":
            return self.refuse(400, "Telegram shows no other format as a voice message")
        self.spoken.append(wish["input"])
        self.voices.append((wish["model"], wish["voice"]))
        return web.Response(body=self.sends, content_type="audio/ogg")
