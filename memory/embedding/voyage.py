"""Embeddings by Voyage: the limits of its models, and the translation of its errors.

The only file that imports voyageai, and only when it is used.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ..errors import EmbedderDown, EmbedderRefused
from ..infra.clock import system_clock
from ..infra.retry import retry_after
from .batching import batches, clean, expand_rows, tokens, unit_rows
from .embedder import Identity, InputType
from .retry import RateLimited, RetryLimits, with_retries

if TYPE_CHECKING:
    from ..config import MemorySettings
    from .embedder import Vectors

DEFAULT = "voyage-4-lite"
USD_PER_MILLION = 0.02  # November 2026
DIMENSIONS = {"voyage-3-lite": 512, "voyage-code-2": 1536, "voyage-large-2": 1536}
"""Default dimensions, where they are not 1024."""
FIXED = frozenset({"voyage-3", "voyage-3-lite", "voyage-multilingual-2", "voyage-finance-2"})
"""Models that refuse an output_dimension, even their own."""
LITE, MIDDLE, LARGE = 1_000_000, 320_000, 120_000
LIMITS = {
    "voyage-4-lite": LITE,
    "voyage-3.5-lite": LITE,
    "voyage-4": MIDDLE,
    "voyage-3.5": MIDDLE,
}
"""Maximum tokens per request, if not 120,000."""
FREE_TIER = 8_000
"""Below the limit of 10,000 tokens a minute without a payment method, because the estimate may be
too low."""
FAIR = 60_000
"""Maximum tokens per request, by our choice: answers come within seconds, and retries are cheap."""


class VoyageEmbedder:
    """One model of Voyage, through its SDK."""

    remote = True
    max_batch_texts = 128

    def __init__(
        self,
        key: str,
        model: str = DEFAULT,
        dimension: int | None = None,
        base_url: str | None = None,
        patience: RetryLimits | None = None,
    ) -> None:
        self.max_batch_tokens = min(FAIR, LIMITS.get(model, LARGE))
        self._key = key
        self._model = model
        self._asked = dimension if model not in FIXED else None
        self._dimension = dimension or DIMENSIONS.get(model, 1024)
        self._base_url = base_url
        self._patience = patience or RetryLimits()
        self._session: Any = None

    @property
    def identity(self) -> Identity:
        """See Embedder."""
        return Identity("voyage", self._model, self._dimension)

    async def identify(self) -> Identity:
        """See Embedder. The dimension is known without a request."""
        return self.identity

    async def embed(self, texts: Sequence[str], kind: InputType) -> Vectors:
        """See Embedder. The server truncates texts beyond the model's window."""
        import numpy as np

        waiting = [clean(text) for text in texts if text.strip()]
        done = [np.zeros((0, self._dimension), dtype=np.float32)]
        while waiting:
            batch = next(batches(waiting, self.max_batch_texts, self.max_batch_tokens))
            try:
                rows = await with_retries(partial(self._ask, batch, kind), kind, self._patience)
            except _TooMuch:
                continue
            done.append(unit_rows(rows, len(batch), self._dimension, f"Voyage's {self._model}"))
            del waiting[: len(batch)]
        return expand_rows(np.concatenate(done), texts, self._dimension)

    async def _ask(self, batch: list[str], kind: InputType) -> list[list[float]]:
        async with self._mapped(batch) as voyageai:
            client = voyageai.AsyncClient(
                api_key=self._key,
                base_url=self._base_url,
                max_retries=0,  # our own retry handles more kinds of failure
                timeout=self._patience.timeout(kind),
            )
            answer = await client.embed(
                batch,
                model=self._model,
                input_type=kind,
                truncation=True,
                output_dimension=self._asked,
            )
            return [list(row) for row in answer.embeddings]

    @contextlib.asynccontextmanager
    async def _mapped(self, batch: list[str]) -> AsyncIterator[Any]:
        """Yield Voyage's SDK with a persistent connection; translate its errors into EmbedError."""
        voyageai = await asyncio.to_thread(_sdk)
        import aiohttp

        error = voyageai.error
        if self._session is None or self._session.closed:
            self._session = aiohttp.ClientSession()
        # Without a session in its context variable, the SDK opens one for each request.
        token = voyageai.aiosession.set(self._session)
        try:
            yield voyageai
        except error.AuthenticationError as wrong:
            raise EmbedderRefused(
                "Voyage does not accept the key: set VOYAGE_API_KEY again (dash.voyageai.com)."
            ) from wrong
        except error.RateLimitError as wrong:
            if sum(map(tokens, batch)) > FREE_TIER and len(batch) > 1:
                # The batch alone may exceed the tokens per minute, and would never pass.
                self.max_batch_tokens = FREE_TIER
                raise _TooMuch from wrong
            raise RateLimited(
                "Voyage's limit of requests or tokens a minute is reached. Sam will go on when it "
                "allows more (a payment method at Voyage raises the limit).",
                retry_after(wrong.headers.get("retry-after"), system_clock()),
            ) from wrong
        except (error.InvalidRequestError, error.MalformedRequestError) as wrong:
            raise EmbedderRefused(
                f"Voyage refuses the request{_detail(wrong)}: check EMBEDDING_MODEL_NAME "
                f"({self._model}) and EMBEDDING_DIMENSIONS ({self._dimension})."
            ) from wrong
        except error.APIError as wrong:
            if wrong.http_status in (402, 403, 404, 405):
                raise EmbedderRefused(
                    f"Voyage refuses (HTTP {wrong.http_status}): check VOYAGE_API_KEY, "
                    "VOYAGE_BASE_URL and your account at Voyage."
                ) from wrong
            raise EmbedderDown("Voyage's answer has no embeddings. Sam will try again.") from wrong
        except (error.VoyageError, aiohttp.ClientError, OSError) as wrong:
            raise EmbedderDown("Voyage cannot be reached. Sam will try again.") from wrong
        except (AttributeError, KeyError, TypeError, ValueError) as wrong:
            # The SDK's errors for an answer with a good status and no embeddings.
            raise EmbedderDown("Voyage's answer has no embeddings. Sam will try again.") from wrong
        finally:
            voyageai.aiosession.reset(token)

    async def close(self) -> None:
        """See Embedder."""
        if self._session is not None:
            await self._session.close()
            self._session = None


class _TooMuch(Exception):
    """The batch is too large for the account's limits; it is split."""


def _sdk() -> Any:
    """Import the SDK; the first time takes seconds, since it imports langchain."""
    import voyageai

    return voyageai


def _detail(wrong: Any) -> str:
    """Return Voyage's reason, if it is short and cannot contain any of the texts sent."""
    said = wrong.user_message
    return f" ({said.rstrip('.')})" if isinstance(said, str) and len(said) <= 300 else ""


def make(settings: MemorySettings) -> VoyageEmbedder | str:
    """Return the embedder for these settings, or why there is none."""
    if settings.voyage_api_key is None:
        return "Voyage needs a key: set VOYAGE_API_KEY, or EMBEDDING_PROVIDER=local"
    return VoyageEmbedder(
        settings.voyage_api_key.get_secret_value(),
        settings.embedding_model_name or DEFAULT,
        settings.embedding_dimensions,
        settings.voyage_base_url,
    )
