"""Wrap a remote embedder: mask secrets before texts are sent, and record every call."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from ..errors import StoreError
from ..log.operations.usage import Usage
from ..text.secrets import mask
from .batching import tokens
from .embedder import Embedder, Identity, InputType

if TYPE_CHECKING:
    from .embedder import Vectors

log = logging.getLogger(__name__)

PURPOSES: dict[InputType, str] = {"document": "embed", "query": "search"}


class MeteredEmbedder:
    """Wrap a remote embedder: mask secrets, and record each call."""

    remote = True

    def __init__(self, inner: Embedder, usage: Callable[[Usage], Awaitable[None]]) -> None:
        """`usage` records each call, including failed ones, whose texts may have arrived."""
        self._inner, self._usage = inner, usage
        self.max_batch_texts = inner.max_batch_texts
        self.max_batch_tokens = inner.max_batch_tokens

    @property
    def identity(self) -> Identity:
        """See Embedder."""
        return self._inner.identity

    async def identify(self) -> Identity:
        """See Embedder."""
        return await self._inner.identify()

    async def embed(self, texts: Sequence[str], kind: InputType) -> Vectors:
        """See Embedder. Secrets in the texts are masked first."""
        masked = [mask(text) for text in texts]
        try:
            return await self._inner.embed(masked, kind)
        finally:
            self.max_batch_texts = self._inner.max_batch_texts
            self.max_batch_tokens = self._inner.max_batch_tokens
            await self._record([text for text in masked if text.strip()], kind)

    async def _record(self, texts: list[str], kind: InputType) -> None:
        try:
            await self._usage(
                Usage(
                    self.identity.provider,
                    self.identity.model,
                    PURPOSES[kind],
                    input=sum(map(tokens, texts)),
                    bytes=sum(len(text.encode("utf-8", "replace")) for text in texts),
                    passages=len(texts) if kind == "document" else 0,
                )
            )
        except StoreError as full:
            log.warning(
                "not counted: %s", full
            )  # keep the vectors: they matter more than the count

    async def close(self) -> None:
        """See Embedder."""
        await self._inner.close()
