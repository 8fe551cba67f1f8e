"""The startup banner: the configuration, what is sent to whom, and hints for `.env`."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from memory.log import loss_notice

from ..assistant import Assistant
from ..claude.compatibility import is_anthropic
from ..settings import Settings
from ..setup import ollama


async def banner(profile: Assistant) -> list[str]:
    """Return at most ten lines."""
    settings, memory = profile.settings, profile.memory
    inside = f", Sam's own notes in {settings.sam_dir}/" if settings.sam_dir else ""
    lines = [
        f"  model       {_model(settings)}",
        f"  embeddings  {memory.embeddings.describe()}" + _degraded(profile),
        f"  vault       {_from_home(memory.vault.root)}{inside}",
        f"  leaves this machine: {_leaves(profile)}",
    ]
    if memory.new_notes:
        lines.append(f"  The vault is new: {len(memory.new_notes)} notes to begin with.")
    if lost := await loss_notice(memory.log, memory.clock()):
        lines.append(f"  {lost}. `sam restore FILE --only-log` has it back.")
    if memory.leaving is not None:
        lines.append(f"  {memory.leaving}. Until you agree (`sam index`), they stay here.")
    return ["Sam", *lines, *await _more(settings)]


def _from_home(path: Path) -> str:
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def _model(settings: Settings) -> str:
    if not settings.has_model:
        return "none: I answer with what I recall"
    host = urlsplit(settings.anthropic_base_url or "").hostname
    return settings.chat_model + (f" at {host}" if host else "")


def _degraded(profile: Assistant) -> str:
    why = profile.memory.why_no_vectors
    return f": {why}" if why else ""


def _leaves(profile: Assistant) -> str:
    """Describe what is sent to whom."""
    settings, embedder = profile.settings, profile.memory.embedder
    to: list[str] = []
    if settings.has_model and _is_remote(settings.anthropic_base_url):
        where = settings.anthropic_base_url or ""
        name = "Anthropic" if not where or is_anthropic(where) else urlsplit(where).hostname
        to.append(f"your messages and what is recalled for them, to {name}")
    if embedder is not None and embedder.remote:
        to.append(f"notes and messages, to {embedder.identity.provider}")
    if settings.telegram_bot_token is not None:
        to.append("the chat, to Telegram")
    if settings.rclone_remote:
        to.append(f"the vault, to {settings.rclone_remote}")
    return "; ".join(to) or "nothing"


def _is_remote(base_url: str | None) -> bool:
    return urlsplit(base_url or "").hostname not in ("127.0.0.1", "localhost", "::1")


async def _more(settings: Settings) -> list[str]:
    """Return hints for further settings, as lines for `.env`."""
    more: list[str] = []
    if not settings.has_model:
        names = await ollama.models()
        if names is not None:
            more.append("  Ollama listens on this machine. For answers by its model, add to .env:")
            more += [f"    {name}={value}" for name, value in ollama.settings(names).items()]
        else:
            more.append("  For a model add ANTHROPIC_API_KEY to .env (`sam setup`).")
    if settings.telegram_bot_token is None:
        more.append("  For Telegram add TELEGRAM_BOT_TOKEN (`sam setup`).")
    return more
