"""Detect Ollama on this machine, and list its chat models."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from typing import Any

HOST, PORT = "127.0.0.1", 11434
SECONDS = 1.0  # a local server answers at once
PULL = "qwen3:8b"  # proposed if there is no model: calls tools, 5 GB
CONTEXT = 16_384  # tokens; the default instructions, tools and recalled passages need about half


@dataclass(frozen=True, slots=True)
class OllamaModel:
    """`size`: of its file, bytes. `tools`: whether it can call tools; None if that is unknown."""

    name: str
    size: int
    tools: bool | None


async def is_running() -> bool:
    """Return whether Ollama answers."""
    return await asyncio.to_thread(_ask, "/api/tags") is not None


async def models() -> tuple[OllamaModel, ...] | None:
    """Return its chat models: those that call tools first, then by size, biggest first; None if it
    is not running. Embedding models are left out."""
    return await asyncio.to_thread(_models)


async def context_length(name: str) -> int | None:
    """Return the context in tokens with which Ollama has loaded a model; None if it has not."""
    return await asyncio.to_thread(_context_length, name)


def settings(name: str) -> Mapping[str, str]:
    """Return the settings that let Sam use a model."""
    return {"ANTHROPIC_BASE_URL": f"http://{HOST}:{PORT}", "CHAT_MODEL": name}


def _models() -> tuple[OllamaModel, ...] | None:
    listed = _ask("/api/tags")
    if listed is None:
        return None
    found = []
    for row in _rows(listed):
        known = (_ask("/api/show", {"model": row["name"]}) or {}).get("capabilities")
        if known is None:
            found.append(OllamaModel(row["name"], row["size"], None))
        elif "completion" in known:
            found.append(OllamaModel(row["name"], row["size"], "tools" in known))
    return tuple(sorted(found, key=lambda model: (model.tools is False, -model.size)))


def _context_length(name: str) -> int | None:
    loaded = [row for row in _rows(_ask("/api/ps") or {}) if row["name"] == name]
    length = loaded[0].get("context_length") if loaded else None
    return length if isinstance(length, int) else None


def _rows(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the models in an answer that have a name; a missing size counts as 0."""
    rows = answer.get("models")
    named = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return [{"size": 0, **row} for row in named if isinstance(row.get("name"), str)]


def _ask(path: str, body: Mapping[str, str] | None = None) -> dict[str, Any] | None:
    """Return the JSON object that Ollama answers; None for anything else."""
    try:
        with closing(HTTPConnection(HOST, PORT, timeout=SECONDS)) as connection:
            connection.request("POST" if body else "GET", path, json.dumps(body) if body else None)
            answer = connection.getresponse()
            found = json.loads(answer.read()) if answer.status == 200 else None
            return found if isinstance(found, dict) else None
    except (OSError, HTTPException, ValueError):
        return None
