"""Base of the fakes for OpenAI's APIs: a free port, key check, failures and refusals."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web


@dataclass
class OpenAIServer:
    """`fails`: statuses of the next requests; `mistakes`: what was wrong with requests."""

    path = ""
    most_bytes = 1_000_000
    key: str = ""
    url: str = ""
    fails: list[int] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)

    @classmethod
    @asynccontextmanager
    async def running(cls, **given: Any) -> AsyncIterator[Self]:
        """Run a server with these fields on a free port for the block; then assert no mistakes."""
        fake = cls(**given)
        app = web.Application(client_max_size=cls.most_bytes)
        app.router.add_post(cls.path, fake._checked)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        fake.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        try:
            yield fake
        finally:
            await runner.cleanup()
        assert not fake.mistakes

    async def _checked(self, http: web.Request) -> web.Response:
        if self.key and http.headers.get("Authorization") != f"Bearer {self.key}":
            return self.refuse(401, "Incorrect API key provided")
        if self.fails:
            return self.refuse(self.fails.pop(0), "overloaded")
        return await self.answer(http)

    async def answer(self, http: web.Request) -> web.Response:
        """Answer a request that has the right key."""
        return self.refuse(404, "nothing is served here")

    def refuse(self, status: int, why: str) -> web.Response:
        """Return an error as OpenAI sends it; 400 counts as a mistake of the client."""
        self.mistakes += [why] if status == 400 else []
        return web.json_response({"error": {"message": why}}, status=status)
