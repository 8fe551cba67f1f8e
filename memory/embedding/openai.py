"""Embeddings from any endpoint with OpenAI's API: OpenAI, DashScope, Ollama, llama.cpp, others."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError

from ..config import is_loopback
from ..errors import EmbedderDown, EmbedderRefused
from ..infra.clock import system_clock
from ..infra.retry import retry_after
from .batching import batches, clean, expand_rows, truncate, unit_rows
from .embedder import Identity, InputType
from .retry import RateLimited, RetryLimits, with_retries

if TYPE_CHECKING:
    import httpx

    from ..config import MemorySettings
    from .embedder import Vectors

DEFAULT = "text-embedding-3-small"
USD_PER_MILLION = 0.02  # November 2026
DIMENSIONS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
    "text-embedding-v4": 1024,
    "text-embedding-v3": 1024,
}
"""Default dimensions that are known without a request: OpenAI's and DashScope's."""
WINDOW = 8_000
"""Maximum tokens of one text: OpenAI refuses more than 8,191; others truncate."""
FEW = 10
"""Maximum texts per request: DashScope's, the smallest known limit; others allow 32 to 2,048."""

_NO_ADDRESS = "EMBEDDING_BASE_URL is not an address such as http://localhost:11434/v1"


class _Item(BaseModel):
    index: int
    embedding: list[float]


class _Answer(BaseModel):
    data: list[_Item]


class OpenAIEmbedder:
    """One model behind one endpoint."""

    max_batch_texts = 128
    max_batch_tokens = 60_000

    def __init__(
        self,
        base_url: str,
        key: str | None = None,
        model: str = DEFAULT,
        dimension: int | None = None,
        patience: RetryLimits | None = None,
    ) -> None:
        self._url = base_url.rstrip("/") + "/embeddings"
        self._host = urlsplit(base_url).hostname or base_url
        self.remote = not is_loopback(self._host)
        self._key = key
        self._model = model
        self._asked = dimension
        self._dimension = dimension or DIMENSIONS.get(model, 0)
        self._patience = patience or RetryLimits()
        self._client: httpx.AsyncClient | None = None

    @property
    def identity(self) -> Identity:
        """See Embedder."""
        return Identity("openai", self._model, self._dimension)

    async def identify(self) -> Identity:
        """See Embedder. Makes one request if the model's dimension is not known."""
        if not self._dimension:
            await self.embed(["dimension"], "query")
        return self.identity

    async def embed(self, texts: Sequence[str], kind: InputType) -> Vectors:
        """See Embedder. OpenAI's API has no input types: both are embedded alike."""
        import numpy as np

        waiting = [truncate(clean(text), WINDOW) for text in texts if text.strip()]
        done = []
        while waiting:
            batch = next(batches(waiting, self.max_batch_texts, self.max_batch_tokens))
            try:
                rows = await with_retries(partial(self._ask, batch, kind), kind, self._patience)
            except EmbedderRefused:
                if len(batch) <= FEW:
                    raise
                # Endpoints differ in their limit of texts, and in how they report it.
                self.max_batch_texts = FEW
                continue
            vectors = unit_rows(rows, len(batch), self._dimension, f"{self._model} at {self._host}")
            self._dimension = self._dimension or vectors.shape[1]
            done.append(vectors)
            del waiting[: len(batch)]
        dimension = (await self.identify()).dimension
        done.append(np.zeros((0, dimension), dtype=np.float32))
        return expand_rows(np.concatenate(done), texts, dimension)

    async def _ask(self, batch: list[str], kind: InputType) -> list[list[float]]:
        import httpx

        if self._client is None:
            self._client = httpx.AsyncClient()
        body: dict[str, Any] = {"model": self._model, "input": batch, "encoding_format": "float"}
        if self._asked:
            body["dimensions"] = self._asked
        with self._mapped():
            answer = await self._client.post(
                self._url,
                json=body,
                headers={"Authorization": f"Bearer {self._key}"} if self._key else {},
                timeout=self._patience.timeout(kind),
            )
            answer.raise_for_status()
            items = _Answer.model_validate_json(answer.content).data
            return [item.embedding for item in sorted(items, key=lambda item: item.index)]

    @contextlib.contextmanager
    def _mapped(self) -> Iterator[None]:
        """Translate httpx's errors and HTTP statuses into EmbedError."""
        import httpx

        try:
            yield
        except httpx.HTTPStatusError as wrong:
            raise self._refusal(wrong.response) from wrong
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as wrong:
            raise EmbedderRefused(f"{_NO_ADDRESS}.") from wrong
        except httpx.HTTPError as wrong:
            raise EmbedderDown(f"{self._host} cannot be reached. Sam will try again.") from wrong
        except ValidationError as wrong:
            raise EmbedderRefused(
                f"{self._host} answers, but not with embeddings: check EMBEDDING_BASE_URL "
                "(it usually ends in /v1)."
            ) from wrong

    def _refusal(self, answer: httpx.Response) -> EmbedderDown | EmbedderRefused:
        status = answer.status_code
        if status == 429 and _code(answer) != "insufficient_quota":
            return RateLimited(
                f"{self._host}'s limit of requests or tokens a minute is reached. Sam will go on "
                "when it allows more.",
                retry_after(answer.headers.get("retry-after"), system_clock()),
            )
        if status in (402, 429):
            return EmbedderRefused(f"There is no credit left at {self._host}: add some there.")
        if status in (401, 403):
            return EmbedderRefused(
                f"{self._host} does not accept the key: set EMBEDDING_API_KEY again."
            )
        if status == 404:
            return EmbedderRefused(
                f"{self._host} has no model {self._model}, or no embeddings at that address: check "
                "EMBEDDING_MODEL_NAME (for Ollama: `ollama pull` it) and EMBEDDING_BASE_URL."
            )
        if status == 408 or status >= 500:
            return EmbedderDown(f"{self._host} had an error (HTTP {status}). Sam will try again.")
        return EmbedderRefused(
            f"{self._host} refuses the request (HTTP {status}): check EMBEDDING_MODEL_NAME "
            f"({self._model}) and EMBEDDING_DIMENSIONS."
        )

    async def close(self) -> None:
        """See Embedder."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None


def _code(answer: httpx.Response) -> str:
    """Return the error's code in OpenAI's format, or ''."""
    try:
        return str(answer.json()["error"]["code"])
    except (ValueError, KeyError, TypeError):
        return ""


def _host(base_url: str) -> str:
    """Return the host of an address over HTTP; "" if it is none."""
    try:
        parts = urlsplit(base_url)
    except ValueError:  # a bracket is missing
        return ""
    return parts.hostname or "" if parts.scheme in ("http", "https") else ""


def make(settings: MemorySettings) -> OpenAIEmbedder | str:
    """Return the embedder for these settings, or why there is none."""
    base_url = settings.embedding_base_url
    key = settings.embedding_api_key
    host = _host(base_url)
    if not host:
        return _NO_ADDRESS
    if key is None and not is_loopback(host):
        return (
            f"{base_url} needs a key: set EMBEDDING_API_KEY (any word, if that server takes none)"
        )
    return OpenAIEmbedder(
        base_url,
        key.get_secret_value() if key else None,
        settings.embedding_model_name or DEFAULT,
        settings.embedding_dimensions,
    )
