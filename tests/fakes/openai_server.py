"""What the strict servers of OpenAI's APIs share: a free port, a key, failures and refusals."""

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
        """One with these fields on a free port, until the block ends; no request may have been
        wrong by then."""
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
        """What a request with the right key gets."""
        return self.refuse(404, "nothing is served here")

    def refuse(self, status: int, why: str) -> web.Response:
        """An error as OpenAI sends it; 400 is a mistake of the client's."""
        self.mistakes += [why] if status == 400 else []
        return web.json_response({"error": {"message": why}}, status=status)
