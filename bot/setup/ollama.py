"""Whether Ollama listens on this machine, and with which models. Asks it, and nobody else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException

HOST, PORT = "127.0.0.1", 11434
SECONDS = 0.3  # it is on this machine: it answers at once, or is not there


async def models() -> tuple[str, ...] | None:
    """The names of its models, biggest first; None when nobody listens there."""
    return await asyncio.to_thread(_ask, PORT)


def settings(names: tuple[str, ...]) -> Mapping[str, str]:
    """The two lines for `.env` that let Sam use it."""
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
