"""Fake embeddings server for Voyage and OpenAI-compatible APIs, with strict validation.

    with FakeEmbeddings.running() as embeddings:         # or `async with`
        ...                                              # VOYAGE_BASE_URL = embeddings.url
        assert embeddings.requests[-1].texts == ("my dog is Rex",)
        embeddings.fails(429, times=2)

The model's name decides which of the two APIs is used. The vectors are those of
`embeddings.vector`.
"""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from aiohttp import web

from tests.fakes.embedding_rules import (
    MODELS,
    Dialect,
    EmbedRequest,
    Model,
    Refused,
    dialect_of,
    parse,
)
from tests.fakes.embedding_vectors import similarity, vector
from tests.fakes.wire import Counted, Running, hang_up

__all__ = ["MODELS", "EmbedRequest", "FakeEmbeddings", "Model", "similarity", "vector"]

WORDS = {
    429: "You have exceeded the rate limit: 3 requests and 10K tokens a minute.",
    500: "The server had an error while processing your request.",
    503: "The server is overloaded or not ready yet.",
}


class Trouble(Counted):
    """Return a status instead of vectors, for `times` requests."""

    def __init__(self, status: int, times: int | None, retry_after: float | None) -> None:
        super().__init__(times)
        self.status, self.retry_after = status, retry_after


@dataclass(frozen=True, slots=True)
class Refusal:
    """A request that was refused."""

    status: int
    message: str
    body: Any


class FakeEmbeddings:
    """The server and its scripting methods.

    May be set at any time: `models`, `keys` (None: any), `delay` (seconds before each answer),
    `wrong_dimension` (of the vectors, whatever was requested), `lost` (number of vectors dropped at
    the end), `reversed` (the vectors in reverse order, with correct indexes).
    """

    def __init__(self, *, port: int = 0) -> None:
        self.port = port
        self.models: dict[str, Model] = dict(MODELS)
        self.keys: set[str] | None = None
        self.delay = 0.0
        self.wrong_dimension: int | None = None
        self.lost = 0
        self.reversed = False
        self.is_down = False
        self.requests: list[EmbedRequest] = []
        self.refused: list[Refusal] = []
        self._troubles: list[Trouble] = []
        self._limits: tuple[int, int] | None = None
        self._spent: deque[tuple[float, int]] = deque()
        self._ahead = 0.0

    @classmethod
    def running(cls, **options: Any) -> Running[FakeEmbeddings]:
        """Return a context manager: `with` (in its own thread) or `async with` (in this loop)."""
        return Running(cls(**options))

    @property
    def url(self) -> str:
        """Return the value for VOYAGE_BASE_URL and EMBEDDING_BASE_URL, with /v1."""
        return f"http://127.0.0.1:{self.port}/v1"

    def app(self) -> web.Application:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/v1/embeddings", self._embeddings)
        return app

    def check(self) -> None:
        """Do nothing: there is no script that could be wrong."""

    # -- scripting and inspecting ------------------------------------------------------------

    @property
    def answered(self) -> list[EmbedRequest]:
        """Return the requests that got their vectors."""
        return [request for request in self.requests if request.status == 200]

    @property
    def texts(self) -> list[str]:
        """Return every text that got its vector, in request order."""
        return [text for request in self.answered for text in request.texts]

    def vector(
        self,
        text: str,
        *,
        model: str = "voyage-4-lite",
        dimension: int | None = None,
        input_type: str | None = None,
    ) -> np.ndarray:
        """Return the vector that the server sends: float32, length 1."""
        known = self.models[model]
        size = dimension or known.dimensions[0]
        return vector(text, space=known.space, dimension=size, kind=input_type)

    def fails(
        self, status: int, *, times: int | None = 1, retry_after: float | None = None
    ) -> None:
        """Fail with that status for so many requests (None: until `recovers`)."""
        self._troubles.append(Trouble(status, times, retry_after))

    def limits(self, requests: int = 3, tokens: int = 10_000) -> None:
        """Allow that much per minute, then answer 429; the defaults are Voyage's free tier."""
        self._limits = (requests, tokens)

    def passes(self, seconds: float) -> None:
        """Advance the clock of the rate limits."""
        self._ahead += seconds

    def goes_down(self) -> None:
        """Drop every connection without an answer."""
        self.is_down = True

    def recovers(self) -> None:
        """Remove all faults."""
        self._troubles.clear()
        self._limits, self.wrong_dimension = None, None
        self.is_down, self.reversed, self.lost = False, False, 0

    def has_batches_of(
        self, model: str, *, inputs: int | None = None, tokens: int | None = None
    ) -> None:
        """Replace the model's own limits of a request."""
        known = self.models[model]
        self.models[model] = replace(
            known, max_inputs=inputs or known.max_inputs, max_tokens=tokens or known.max_tokens
        )

    def wait_until(self, true: Callable[[FakeEmbeddings], object], timeout: float = 60.0) -> None:
        """Wait (in a thread) until `true(embeddings)` is true. Raises TimeoutError."""
        end = time.monotonic() + timeout
        while not true(self):
            if time.monotonic() > end:
                raise TimeoutError(f"after {timeout} s, {len(self.requests)} requests")
            time.sleep(0.01)

    # -- serving -----------------------------------------------------------------------------

    async def _embeddings(self, http: web.Request) -> web.StreamResponse:
        if self.is_down:
            return hang_up(http)
        began = time.monotonic()
        try:
            body = json.loads(await http.read())
        except ValueError:
            body = None
        dialect = dialect_of(body)
        try:
            self._admit(http, body)
            request = parse(body, len(self.requests) + 1, self.models)
        except Refused as refused:
            self.refused.append(Refusal(refused.status, str(refused), body))
            return _error(dialect, refused.status, str(refused), refused.code)
        request.at = began
        self.requests.append(request)
        trouble = next((t for t in self._troubles if not t.over), None)
        if trouble is not None or self._over_limits(request):
            request.status = trouble.take().status if trouble else 429
            return _error(
                dialect, request.status, retry_after=trouble.retry_after if trouble else None
            )
        if self.delay:
            await asyncio.sleep(self.delay)
        request.status = 200
        answer = web.json_response(self._answer(request))
        request.took = time.monotonic() - began
        return answer

    def _admit(self, http: web.Request, body: object) -> None:
        key = http.headers.get("Authorization", "").removeprefix("Bearer ").strip()
        name = body.get("model") if isinstance(body, dict) else None
        model = self.models.get(name) if isinstance(name, str) else None
        if (self.keys is not None and key not in self.keys) or (
            not key and (model is None or model.needs_key)
        ):
            raise Refused(401, "Provided API key is invalid.", "invalid_api_key")

    def _over_limits(self, request: EmbedRequest) -> bool:
        if self._limits is None:
            return False
        now = time.monotonic() + self._ahead
        while self._spent and self._spent[0][0] <= now - 60:
            self._spent.popleft()
        spent = sum(tokens for _, tokens in self._spent)
        if len(self._spent) >= self._limits[0] or spent + request.tokens > self._limits[1]:
            return True
        self._spent.append((now, request.tokens))
        return False

    def _answer(self, request: EmbedRequest) -> dict[str, Any]:
        size = self.wrong_dimension or request.dimension
        data = []
        for index, text in enumerate(request.texts[: len(request.texts) - self.lost]):
            made = self.vector(
                text, model=request.model, dimension=size, input_type=request.input_type
            )
            data.append(
                {
                    "object": "embedding",
                    "embedding": base64.b64encode(made.astype("<f4").tobytes()).decode()
                    if request.base64
                    else made.tolist(),
                    "index": index,
                }
            )
        if self.reversed:
            data.reverse()
        usage = {"total_tokens": request.tokens}
        if request.dialect == "openai":
            usage["prompt_tokens"] = request.tokens
        return {"object": "list", "data": data, "model": request.model, "usage": usage}


def _error(
    dialect: Dialect,
    status: int,
    message: str = "",
    code: str | None = None,
    *,
    retry_after: float | None = None,
) -> web.Response:
    message = message or WORDS.get(status, "Error")
    kind = "invalid_request_error" if status < 429 else "server_error"
    body: dict[str, Any] = {"detail": message}
    if dialect == "openai":
        body = {"error": {"message": message, "type": kind, "param": None, "code": code}}
    headers = {} if retry_after is None else {"retry-after": str(retry_after)}
    return web.json_response(body, status=status, headers=headers)
