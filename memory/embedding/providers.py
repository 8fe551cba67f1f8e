"""The table of embedding providers.

Importing it loads no provider; making one does not ask it anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..config import MemorySettings
    from .embedder import Embedder


def _voyage(settings: MemorySettings) -> Embedder | str:
    from . import voyage

    return voyage.make(settings)


def _openai(settings: MemorySettings) -> Embedder | str:
    from . import openai

    return openai.make(settings)


def _local(settings: MemorySettings) -> Embedder | str:
    from . import local

    return local.make(settings)


def _none(settings: MemorySettings) -> Embedder | str:
    return "embeddings are turned off: set EMBEDDING_PROVIDER=local, or another one"


PROVIDERS: dict[str, Callable[[MemorySettings], Embedder | str]] = {
    "voyage": _voyage,
    "openai": _openai,
    "local": _local,
    "none": _none,
}
"""Settings → an embedder, or the sentence that says why there is none and what to do."""


def make(settings: MemorySettings) -> Embedder | None:
    """The embedder that the settings ask for; None when it cannot be, and `why_none` says why."""
    made = PROVIDERS[settings.provider](settings)
    return None if isinstance(made, str) else made


def why_none(settings: MemorySettings) -> str:
    """Why `make` gives None, in a sentence for status and doctor; empty when it does not."""
    made = PROVIDERS[settings.provider](settings)
    return made if isinstance(made, str) else ""
