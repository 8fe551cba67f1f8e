"""The embedder protocol: the identity of its vectors, and texts → vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    """(n, dimension), each row of length one; a blank text's row is all zeros."""

InputType = Literal["document", "query"]


@dataclass(frozen=True, slots=True)
class Identity:
    """What produced a vector. Vectors are comparable only if their identities are equal.

    `dimension` is 0 until `Embedder.identify` has asked the provider for it.
    """

    provider: str
    model: str
    dimension: int


class Embedder(Protocol):
    """Embed texts for storage (`document`) or for search (`query`).

    `remote`: the texts leave this machine. The two limits apply to one call to the provider.
    `embed` splits longer lists itself; callers that report progress split with `batches` first.
    The limits may shrink if a provider accepts less.
    """

    remote: bool
    max_batch_texts: int
    max_batch_tokens: int

    @property
    def identity(self) -> Identity:
        """The identity of the vectors, as far as it is known without asking the provider."""
        ...

    async def identify(self) -> Identity:
        """Return the identity with its dimension; ask the provider if it is not known yet."""
        ...

    async def embed(self, texts: Sequence[str], kind: InputType) -> Vectors:
        """Return one row per text, in order.

        Texts longer than the model's window are truncated or averaged by the provider, never
        refused. Queries give up after seconds; documents wait until a rate limit has passed.
        Raises EmbedderDown (try later) or EmbedderRefused (a setting must change).
        """
        ...

    async def close(self) -> None:
        """Release threads and connections. May be called twice."""
        ...
