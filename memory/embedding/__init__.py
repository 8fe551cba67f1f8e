"""Embedding providers, batching, retries and consent."""

from .embedder import Embedder, Identity, Kind
from .providers import PROVIDERS, make, why_none

__all__ = ["PROVIDERS", "Embedder", "Identity", "Kind", "make", "why_none"]
