"""Embedding providers, batching, retries and consent."""

from .embedder import Embedder, Identity, InputType
from .providers import make_embedder, why_no_embedder

__all__ = ["Embedder", "Identity", "InputType", "make_embedder", "why_no_embedder"]
