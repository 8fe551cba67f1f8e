"""Detect Ollama on this machine, and list its models."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException

HOST, PORT = "127.0.0.1", 11434
SECONDS = 0.3  # a local server answers at once


async def models() -> tuple[str, ...] | None:
    """Return the names of its models, biggest first; None when it is not running."""
    return await asyncio.to_thread(_ask, PORT)


def settings(names: tuple[str, ...]) -> Mapping[str, str]:
    """Return the settings that let Sam use it."""
    return {
        "ANTHROPIC_BASE_URL": f"http://{HOST}:{PORT}",
        "CHAT_MODEL": names[0] if names else "qwen3:8b",
    }


def _ask(port: int) -> tuple[str, ...] | None:
    try:
        with closing(HTTPConnection(HOST, port, timeout=SECONDS)) as connection:
            connection.request("GET", "/api/tags")
            found = json.loads(connection.getresponse().read())["models"]
            return tuple(m["name"] for m in sorted(found, key=lambda m: -m["size"]))
    except (OSError, HTTPException, ValueError, LookupError, TypeError):
        return None
