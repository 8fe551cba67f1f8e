"""A strict server of OpenAI's transcription API, which hears what a test tells it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

ENDINGS = ("flac", "mp3", "mp4", "mpeg", "mpga", "m4a", "ogg", "oga", "wav", "webm")


@dataclass
class FakeTranscription:
    """`says`: the words of the next recordings, in order; `fails`: statuses before that."""

    key: str = ""
    url: str = ""
    says: list[str] = field(default_factory=list)
    fails: list[int] = field(default_factory=list)
    heard: list[bytes] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)

    @classmethod
    @asynccontextmanager
    async def running(cls, *says: str, key: str = "") -> AsyncIterator[FakeTranscription]:
        """On a free port, until the block ends."""
        fake = cls(key=key, says=[*says])
        app = web.Application(client_max_size=30_000_000)
        app.router.add_post("/v1/audio/transcriptions", fake._answer)
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
        form = await http.post()
        if unknown := set(form) - {"file", "model", "response_format", "language", "prompt"}:
            return self._refuse(400, f"unknown fields: {sorted(unknown)}")
        file, model = form.get("file"), form.get("model")
        if not isinstance(file, web.FileField) or not isinstance(model, str) or not model:
            return self._refuse(400, "file and model are required")
        if file.filename.rpartition(".")[2].lower() not in ENDINGS:
            return self._refuse(400, f"Invalid file format: {file.filename}")
        self.heard.append(file.file.read())
        self.models.append(model)
        if not self.says:
            return self._refuse(400, "the test has told no words")
        return web.json_response({"text": self.says.pop(0)})
