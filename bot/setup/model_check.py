"""Try the chat model of some settings."""

from __future__ import annotations

from memory.infra import Backoff

from ..settings import Settings


async def check_model(settings: Settings) -> None:
    """Ask the chat model for a few tokens, once, without recording the usage. Raises ModelError."""
    from ..claude.account import Uncounted
    from ..claude.client import Claude

    claude = Claude(
        settings.anthropic_base_url,
        settings.anthropic_api_key,
        Uncounted(),
        backoff=Backoff(tries=1),
    )
    try:
        await claude.check(settings.chat_model)
    finally:
        await claude.close()
