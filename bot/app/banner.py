"""The startup banner: the configuration, what is sent to whom, and hints for `.env`."""

from __future__ import annotations

from urllib.parse import urlsplit

from memory import OWNER, profile_of
from memory.log import loss_notice
from memory.text import from_home

from ..assistant import Assistant
from ..chat.privacy_report import outbound_summary
from ..settings import Settings
from ..setup import ollama
from ..setup.prompts import command


async def banner(profile: Assistant) -> list[str]:
    """Return at most ten lines."""
    settings, memory = profile.settings, profile.memory
    why = f": {lacking}" if (lacking := memory.why_no_vectors) else ""
    inside = f", Sam's own notes in {settings.sam_dir}/" if settings.sam_dir else ""
    lines = [
        f"  model       {_model(settings)}",
        f"  embeddings  {memory.embeddings.describe()}{why}",
        f"  vault       {from_home(memory.vault.root)}{inside}",
        f"  leaves this machine: {outbound_summary(profile)}",
    ]
    if memory.new_notes:
        lines.append(f"  The vault is new: it starts with {len(memory.new_notes)} notes.")
    is_owners = profile.name == OWNER
    option = "" if is_owners else f" --profile {profile.name}"
    if lost := await loss_notice(memory.log, memory.clock()):
        lines.append(f"  {lost}. `sam restore FILE --only-log{option}` restores it.")
    if memory.awaiting_consent is not None:
        lines.append(
            f"  {memory.awaiting_consent}. They stay here until you agree (`sam index{option}`)."
        )
    title = "Sam" if is_owners else f"Sam, with the memory of {profile.name}"
    return [title, *lines, *await _more(settings)]


def worker_banner(settings: Settings) -> list[str]:
    """Return the lines of one of several workers, which opens profiles as they are needed."""
    tenant = profile_of(settings).tenant
    return [
        "Sam, one of several workers",
        f"  model       {_model(settings)}",
        f"  database    {tenant.server if tenant is not None else 'none'}",
    ]


def _model(settings: Settings) -> str:
    if not settings.has_model:
        return "none, and none is needed: I remember, remind, find and forget"
    url = settings.model_entry(settings.chat_model).url or settings.anthropic_base_url
    host = urlsplit(url or "").hostname
    return settings.chat_model + (f" at {host}" if host else "")


async def _more(settings: Settings) -> list[str]:
    """Return hints for further settings, as lines for `.env`."""
    more: list[str] = []
    setup = f"{command()} setup"
    if not settings.has_model:
        if await ollama.is_running():
            more.append(f"  Ollama is running on this machine: `{setup} --ollama` uses its model.")
        else:
            more.append(f"  For a conversation add ANTHROPIC_API_KEY to .env (`{setup}`).")
    if settings.telegram_bot_token is None:
        more.append(f"  For Telegram add TELEGRAM_BOT_TOKEN (`{setup}`).")
    return more
