"""Set up a local model that Ollama runs: choose it, test it, and return the settings."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import ModelError
from ..settings import Settings
from . import ollama
from .model_check import check_model
from .ollama import OllamaModel
from .prompts import Changes, SetupPrompts, command, with_changes

NOT_RUNNING = f"""\
   Ollama does not answer at {ollama.HOST}:{ollama.PORT}. Install it from ollama.com, start it with
   `ollama serve`, and fetch a model, for example `ollama pull {ollama.PULL}`."""
OLD = """\
   Sam needs a model that Ollama serves in the form of the Messages API: Ollama 0.14 or newer
   (`ollama --version`)."""


async def offer(talk: SetupPrompts, settings: Settings) -> Changes:
    """Offer a model of Ollama, if it is running."""
    found = await ollama.models()
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
    found = await ollama.models()
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
    changes = dict(ollama.settings(model.name))
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
    length = await ollama.context_length(model.name)
    if length is not None and length < ollama.CONTEXT:
        talk.say(f"   Its context is {length} tokens, and what does not fit is cut off silently.")
        talk.say(f"   Start Ollama with a longer one: OLLAMA_CONTEXT_LENGTH={ollama.CONTEXT}.")
    return changes


def _named(found: Sequence[OllamaModel], name: str) -> OllamaModel | None:
    """Return the model of that name; `qwen3` finds `qwen3:latest` as Ollama itself does."""
    names = (name, f"{name}:latest")
    return next((model for model in found if model.name in names), None)


def _no_model(talk: SetupPrompts) -> None:
    talk.say(
        f"   Ollama is running, but has no chat model. Fetch one: `ollama pull {ollama.PULL}`,"
    )
    talk.say(f"   then run `{command()} setup --ollama`.")
