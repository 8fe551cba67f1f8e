"""A strict server of OpenAI's speech API, which sends a voice message for each text."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

LONGEST = 4096  # characters
FIELDS = {"model", "voice", "input", "response_format", "speed", "instructions", "stream_format"}


@dataclass
class FakeSpeech:
    """`spoken`: the texts so far; `fails`: statuses before that; `sends`: the bytes."""

    key: str = ""
    url: str = ""
    sends: bytes = b"OggS" + b"\0" * 60
    fails: list[int] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)
    voices: list[tuple[str, str]] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)

    @classmethod
    @asynccontextmanager
    async def running(cls, key: str = "") -> AsyncIterator[FakeSpeech]:
        """On a free port, until the block ends."""
        fake = cls(key=key)
        app = web.Application()
        app.router.add_post("/v1/audio/speech", fake._answer)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        fake.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        try:
            yield fake
        finally:
            await runner.cleanup()
        assert not fake.mistakes

    def _refuse(self, status: int, why: str) -> web.Response:
        self.mistakes += [why] if status == 400 else []
        return web.json_response({"error": {"message": why}}, status=status)

    async def _answer(self, http: web.Request) -> web.Response:
        if self.key and http.headers.get("Authorization") != f"Bearer {self.key}":
            return self._refuse(401, "Incorrect API key provided")
        if self.fails:
            return self._refuse(self.fails.pop(0), "overloaded")
        wish = await http.json()
        if unknown := set(wish) - FIELDS:
            return self._refuse(400, f"unknown fields: {sorted(unknown)}")
        if not all(isinstance(wish.get(n), str) and wish[n] for n in ("model", "voice", "input")):
            return self._refuse(400, "model, voice and input are required")
        if len(wish["input"]) > LONGEST:
            return self._refuse(400, "input is too long")
        if wish.get("response_format") != "opus":
            return self._refuse(400, "Telegram shows no other format as a voice message")
        self.spoken.append(wish["input"])
        self.voices.append((wish["model"], wish["voice"]))
        return web.Response(body=self.sends, content_type="audio/ogg")
