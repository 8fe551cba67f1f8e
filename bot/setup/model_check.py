"""Try the models of some settings."""

from __future__ import annotations

from memory.infra import Backoff

from ..settings import Settings


async def check_model(settings: Settings, model: str = "") -> None:
    """Ask a model, "" for the chat model, for a few tokens, once, without recording the usage.
    Raises ModelError."""
    from ..claude.account import Uncounted
    from ..claude.client import Claude

    claude = Claude.of(settings, Uncounted(), backoff=Backoff(tries=1))
    try:
        await claude.check(model or settings.chat_model)
    finally:
        await claude.close()
