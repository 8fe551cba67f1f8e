"""Fake of OpenAI's transcription API: answers with the texts that the test gives."""

from __future__ import annotations

from dataclasses import dataclass, field

from aiohttp import web

from tests.fakes.openai_server import OpenAIServer

ENDINGS = ("flac", "mp3", "mp4", "mpeg", "mpga", "m4a", "ogg", "oga", "wav", "webm")


@dataclass
class FakeTranscription(OpenAIServer):
    """`texts`: those of the next recordings, in order; None: the server answers without one."""

    path = "/v1/audio/transcriptions"
    most_bytes = 30_000_000
    texts: list[str | None] = field(default_factory=list)
    heard: list[bytes] = field(default_factory=list)
    models: list[str] = field(default_factory=list)

    async def answer(self, http: web.Request) -> web.Response:
        """Return the text of a recording."""
        form = await http.post()
        if unknown := set(form) - {"file", "model", "response_format", "language", "prompt"}:
            return self.refuse(400, f"unknown fields: {sorted(unknown)}")
        file, model = form.get("file"), form.get("model")
        if not isinstance(file, web.FileField) or not isinstance(model, str) or not model:
            return self.refuse(400, "file and model are required")
        if file.filename.rpartition(".")[2].lower() not in ENDINGS:
            return self.refuse(400, f"Invalid file format: {file.filename}")
        self.heard.append(file.file.read())
        self.models.append(model)
        if not self.texts:
            return self.refuse(400, "the test has told no words")
        return web.json_response({"text": self.texts.pop(0)})
