"""Run the real `sam mcp` on a home, and connect the SDK's client over either transport."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp_types import CallToolResult, Implementation

from tests.support.homes import Home

NAME = "claude-code"
URL = re.compile(r"http://\S+/mcp")
TOKEN = re.compile(r"  (\S{43})\n")


@dataclass(frozen=True, slots=True)
class Served:
    """A running `sam mcp --http`: its address, and the token that it printed at start."""

    url: str
    token: str
    said: str


@contextmanager
def served(home: Home, *words: str, http: str = "127.0.0.1:0") -> Iterator[Served]:
    """Run `sam mcp --http` until the end of the block; end it with Ctrl-C."""
    process = home.start("mcp", "--http", http, *words)
    assert process.stdout and process.stderr
    said = ""
    try:
        while "Ctrl-C" not in said:
            line = process.stdout.readline()
            assert line, process.stderr.read()
            said += line
        url, token = URL.search(said), TOKEN.search(said)
        assert url, said
        assert httpx.get(url[0], timeout=60).status_code == 401  # from here on it handles signals
        yield Served(url[0], token[1] if token else "", said)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert "Traceback" not in process.stderr.read()
    finally:
        process.kill()
        process.wait()


@asynccontextmanager
async def over_stdio(home: Home, *words: str, **options: Any) -> AsyncIterator[Client]:
    """Connect a client to a `sam mcp` that it starts itself."""
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "bot", "mcp", *words], env=home.env, cwd=home.folder
    )
    async with Client(command, client_info=Implementation(name=NAME, version="1"), **options) as it:
        yield it


@asynccontextmanager
async def over_http(url: str, token: str, **options: Any) -> AsyncIterator[Client]:
    """Connect a client to a running `sam mcp --http`."""
    async with create_mcp_http_client({"Authorization": f"Bearer {token}"}) as http:
        transport = streamable_http_client(url, http_client=http)
        info = Implementation(name=NAME, version="1")
        async with Client(transport, client_info=info, **options) as it:
            yield it


async def called(client: Client, tool: str, /, **given: Any) -> tuple[str, dict[str, Any]]:
    """Call a tool and return its text and data (None if the tool failed)."""
    found = await client.call_tool(tool, given)
    assert isinstance(found, CallToolResult)
    text = "".join(part.text for part in found.content if part.type == "text")
    return text, found.structured_content or {}
