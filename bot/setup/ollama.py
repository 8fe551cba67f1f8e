"""Detect Ollama on this machine, and set up one of its chat models: choose it, and test it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from typing import Any

from ..errors import ModelError
from ..settings import Settings
from .model_check import check_model
from .prompts import Changes, SetupPrompts, command, with_changes

HOST, PORT = "127.0.0.1", 11434
SECONDS = 1.0  # a local server answers at once
PULL = "qwen3:8b"  # proposed if there is no model: calls tools, 5 GB
CONTEXT = 16_384  # tokens; the default instructions, tools and recalled passages need about half
NOT_RUNNING = f"""\
   Ollama does not answer at {HOST}:{PORT}. Install it from ollama.com, start it with
   `ollama serve`, and fetch a model, for example `ollama pull {PULL}`."""
OLD = """\
   Sam needs a model that Ollama serves in the form of the Messages API: Ollama 0.14 or newer
   (`ollama --version`)."""


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


def settings_for(name: str) -> Mapping[str, str]:
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


async def offer(talk: SetupPrompts, settings: Settings) -> Changes:
    """Offer a model of Ollama, if it is running."""
    found = await models()
    if found is None:
        talk.say("   Then Sam follows simple rules: it remembers, reminds, finds and forgets.")
        talk.say(f"   For a local model, start Ollama, then run `{command()} setup --ollama`.")
        return {}
    if not found:
        _no_model(talk)
        return {}
    if talk.yes(f"   Ollama is running on this machine. Use its {found[0].name}?"):
        return await _tested(talk, settings, found[0])
    others = ", ".join(model.name for model in found[1:])
    answer = talk.ask(f"   Another one ({others})? Empty for none: ").strip() if others else ""
    chosen = _named(found, answer)
    if answer and chosen is None:
        talk.say(f"   Ollama has no model of the name {answer}: `ollama list` shows them.")
    return await _tested(talk, settings, chosen) if chosen else {}


async def choose(talk: SetupPrompts, settings: Settings, name: str) -> Changes:
    """Set up the named model, or the best one for "", without questions; {} if that failed."""
    found = await models()
    if found is None:
        talk.say(NOT_RUNNING)
        return {}
    if not found:
        _no_model(talk)
        return {}
    chosen = _named(found, name) if name else found[0]
    if chosen is None:
        there = ", ".join(model.name for model in found)
        talk.say(f"   Ollama has no model of the name {name}. It has: {there}.")
        return {}
    return await _tested(talk, settings, chosen)


async def _tested(talk: SetupPrompts, settings: Settings, model: OllamaModel) -> Changes:
    """Ask the model for a word; {} if it does not answer."""
    changes = dict(settings_for(model.name))
    talk.say(f"   Testing {model.name}. Loading it may take a minute …")
    try:
        await check_model(with_changes(settings, changes))
    except ModelError as wrong:
        talk.say(f"   {wrong}")
        talk.say(OLD)
        return {}
    talk.say(f"   {model.name} answers.")
    if model.tools is False:
        talk.say("   It cannot call tools: it answers, but saves nothing when you ask it to.")
    length = await context_length(model.name)
    if length is not None and length < CONTEXT:
        talk.say(f"   Its context is {length} tokens, and what does not fit is cut off silently.")
        talk.say(f"   Start Ollama with a longer one: OLLAMA_CONTEXT_LENGTH={CONTEXT}.")
    return changes


def _named(found: Sequence[OllamaModel], name: str) -> OllamaModel | None:
    """Return the model of that name; `qwen3` finds `qwen3:latest` as Ollama itself does."""
    names = (name, f"{name}:latest")
    return next((model for model in found if model.name in names), None)


def _no_model(talk: SetupPrompts) -> None:
    talk.say(f"   Ollama is running, but has no chat model. Fetch one: `ollama pull {PULL}`,")
    talk.say(f"   then run `{command()} setup --ollama`.")
