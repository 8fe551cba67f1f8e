"""Embedding providers, batching, retries and consent."""

from .embedder import Embedder, Identity, Kind
from .providers import make_embedder, why_no_embedder

__all__ = ["Embedder", "Identity", "Kind", "make_embedder", "why_no_embedder"]
