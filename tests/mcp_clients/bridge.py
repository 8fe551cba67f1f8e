"""Pass HTTP requests on to a `sam mcp` over stdio: the conformance suite only speaks HTTP."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from tests.support.homes import Home


@asynccontextmanager
async def over_stdio(home: Home) -> AsyncIterator[str]:
    """Yield a URL; each session there has its own `sam mcp`, whose answers are not changed."""
    sessions: dict[str, asyncio.subprocess.Process] = {}

    async def passed_on(request: web.Request) -> web.Response:
        if request.method == "DELETE":
            return web.Response(status=200)
        if request.method != "POST":
            return web.Response(status=405)  # no stream of messages from the server
        message = json.loads(await request.read())
        name = request.headers.get("Mcp-Session-Id", "")
        if message.get("method") == "initialize":
            name = str(len(sessions) + 1)
            sessions[name] = await _started(home)
        if name not in sessions:
            return web.Response(status=404)
        answer = await asyncio.wait_for(_answered(sessions[name], message), 60)
        headers = {"Mcp-Session-Id": name}
        if answer is None:
            return web.Response(status=202, headers=headers)
        return web.Response(text=answer, content_type="application/json", headers=headers)

    app = web.Application()
    app.router.add_route("*", "/mcp", passed_on)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "localhost", 0).start()
    try:
        yield f"http://localhost:{runner.addresses[0][1]}/mcp"
    finally:
        for process in sessions.values():
            if process.stdin:
                process.stdin.close()  # it ends with its client
            await asyncio.wait_for(process.wait(), 30)
        await runner.cleanup()


async def _started(home: Home) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    words = (sys.executable, "-m", "bot", "mcp")
    return await asyncio.create_subprocess_exec(
        *words, env=dict(home.env), stdin=pipe, stdout=pipe, limit=1 << 24
    )


async def _answered(process: asyncio.subprocess.Process, message: dict[str, object]) -> str | None:
    """Send a message; return the line that answers it, or None for a notification."""
    assert process.stdin and process.stdout
    process.stdin.write(json.dumps(message).encode() + b"\n")
    await process.stdin.drain()
    while "id" in message:
        line = await process.stdout.readline()
        assert line, "sam mcp ended without an answer"
        if json.loads(line).get("id") == message["id"]:
            return line.decode().strip()
    return None
