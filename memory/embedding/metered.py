"""An embedder whose texts leave this machine: masked first, and counted."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from ..errors import StoreError
from ..log.records import Usage
from ..text.secrets import mask
from .batching import tokens
from .embedder import Embedder, Identity, Kind

if TYPE_CHECKING:
    from .embedder import Vectors

log = logging.getLogger(__name__)

PURPOSES: dict[Kind, str] = {"document": "embed", "query": "search"}


class Outgoing:
    """A remote embedder, which sees no secret and does nothing unseen."""

    remote = True

    def __init__(self, inner: Embedder, usage: Callable[[Usage], Awaitable[None]]) -> None:
        """`usage` is told of each call, also of one that failed: its texts may have arrived."""
        self._inner, self._usage = inner, usage
        self.max_batch_texts = inner.max_batch_texts
        self.max_batch_tokens = inner.max_batch_tokens

    @property
    def identity(self) -> Identity:
        """As the protocol says."""
        return self._inner.identity

    async def identify(self) -> Identity:
        """As the protocol says."""
        return await self._inner.identify()

    async def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """As the protocol says, of the texts without what looks like a secret."""
        masked = [mask(text) for text in texts]
        try:
            return await self._inner.embed(masked, kind)
        finally:
            self.max_batch_texts = self._inner.max_batch_texts
            self.max_batch_tokens = self._inner.max_batch_tokens
            await self._tell([text for text in masked if text.strip()], kind)

    async def _tell(self, texts: list[str], kind: Kind) -> None:
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
            log.warning("not counted: %s", full)  # the vectors are there, and are worth more

    async def close(self) -> None:
        """As the protocol says."""
        await self._inner.close()
