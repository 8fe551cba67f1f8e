"""Ask the owner's consent before existing notes are sent to a provider of embeddings.

The question is asked once per provider, and only if the vault already has more than fifty notes of
the owner's own. Until consent is given, the local embedder is used.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..config import MemorySettings
from ..infra.clock import Clock, utc_text
from ..log import Log
from ..notes.kinds import is_sams
from ..text.humanize import plural
from ..vault import Vault
from .embedder import Embedder
from .metered import MeteredEmbedder
from .providers import make_embedder, price

ASK_ABOVE = 50  # notes of the owner
_BYTES_PER_TOKEN = 4
_TOKENS_PER_SECOND = 20_000  # of a paid account, as measured by others; the free tier: 170


@dataclass(frozen=True, slots=True)
class EmbeddingEstimate:
    """An estimate of what would be sent, and to whom: notes, tokens, US dollars, seconds."""

    provider: str
    notes: int
    tokens: int
    usd: float
    seconds: float

    def __str__(self) -> str:
        return (
            f"{plural(self.notes, 'note')} of yours (about {plural(self.tokens, 'token')}, "
            f"${self.usd:.2f}, {max(1, round(self.seconds / 60))} min) would be sent to"
            f" {self.provider}"
        )


async def consent_question(
    settings: MemorySettings, log: Log, vault: Vault, clock: Clock
) -> EmbeddingEstimate | None:
    """Return what to ask the owner before notes are sent; None if consent is granted or not needed.

    For a small vault consent is granted permanently, so that it can grow without a later question.
    """
    provider = settings.provider
    if settings.embedding_consent == provider or await log.settings.get(_name(provider)):
        return None
    notes = await asyncio.to_thread(own_notes, vault)
    if len(notes) <= ASK_ABOVE:
        await grant(log, provider, clock)
        return None
    return replace(embedding_cost(provider, notes), provider=settings.embedding_receiver)


def embedding_cost(provider: str, sizes: Sequence[int]) -> EmbeddingEstimate:
    """Estimate the cost and time of embedding notes of these sizes, in bytes."""
    tokens = sum(sizes) // _BYTES_PER_TOKEN
    usd = tokens / 1e6 * price(provider)
    return EmbeddingEstimate(provider, len(sizes), tokens, usd, tokens / _TOKENS_PER_SECOND)


async def grant(log: Log, provider: str, clock: Clock) -> None:
    """Record the owner's consent."""
    await log.settings.set(_name(provider), utc_text(clock()))


def own_notes(vault: Vault) -> list[int]:
    """Return the sizes in bytes of the owner's own notes; runs in a thread."""
    return [file.size for file in vault.notes() if not is_sams(file.path, vault.sam_dir)]


def _name(provider: str) -> str:
    return f"embedding consent {provider}"


async def embedder(
    settings: MemorySettings, source: Log, vault: Vault, clock: Clock
) -> tuple[EmbeddingEstimate | None, Embedder | None]:
    """Return the embedder to use: the local one until the owner has agreed to a remote one.

    Also returns what to ask the owner, as `consent_question` does.
    """
    wanted = make_embedder(settings)
    if wanted is None or not wanted.remote:
        return None, wanted
    leaving = await consent_question(settings, source, vault, clock)
    if leaving is None:
        return None, MeteredEmbedder(wanted, source.usage.add)
    await wanted.close()
    local = settings.model_copy(
        update={
            "embedding_provider": "local",
            "embedding_model_name": "",
            "embedding_dimensions": None,
        }
    )
    return leaving, make_embedder(local)
