"""Embedding providers by name: a provider is a module of this package.

Its `make(settings)` returns an embedder, or a message that says why there is none and what to do.
`USD_PER_MILLION` is the price of a million tokens; without it, the provider is free. An embedder's
`remote` says whether texts leave this machine. Importing this loads no provider.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..config import MemorySettings
    from .embedder import Embedder

_NONE = "embeddings are turned off: set EMBEDDING_PROVIDER=local, or another one"


def make_embedder(settings: MemorySettings) -> Embedder | None:
    """Return the embedder that the settings ask for; None when `why_no_embedder` has a reason."""
    made = _made(settings)
    return None if isinstance(made, str) else made


def why_no_embedder(settings: MemorySettings) -> str:
    """Return the user-facing reason why `make_embedder` returns None; empty if it does not."""
    made = _made(settings)
    return made if isinstance(made, str) else ""


def price(provider: str) -> float:
    """Return the price of a million tokens with that provider's default model, in US dollars."""
    return float(getattr(_module(provider), "USD_PER_MILLION", 0.0)) if provider != "none" else 0.0


def _made(settings: MemorySettings) -> Embedder | str:
    if settings.provider == "none":
        return _NONE
    made: Embedder | str = _module(settings.provider).make(settings)
    return made


def _module(provider: str) -> Any:
    return import_module(f".{provider}", __package__)
