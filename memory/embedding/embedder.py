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
    """Vectors can be compared when, and only when, their identities are equal.

    `dimension` is 0 while a provider has to be asked for it: `Embedder.identify` does.
    """

    provider: str
    model: str
    dimension: int


class Embedder(Protocol):
    """Embed texts, for storing (`document`) or for asking (`query`).

    `remote`: the texts leave this machine. The two limits apply to one call to the provider;
    `embed` splits automatically, and callers that report progress split with `batches` first. The
    limits may shrink if a provider accepts less.
    """

    remote: bool
    max_batch_texts: int
    max_batch_tokens: int

    @property
    def identity(self) -> Identity:
        """The identity of its vectors, as far as known without asking the provider."""
        ...

    async def identify(self) -> Identity:
        """Return the identity with its dimension; ask the provider when that is not known yet."""
        ...

    async def embed(self, texts: Sequence[str], kind: InputType) -> Vectors:
        """Return one row for each text, in their order.

        Texts longer than the model's window are cut or averaged by the provider, never refused.
        A query gives up after seconds, documents wait for a rate limit to pass.
        Raises EmbedderDown (try later) or EmbedderRefused (a setting must change).
        """
        ...

    async def close(self) -> None:
        """Release threads and connections. May be called twice."""
        ...
