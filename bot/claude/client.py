"""Anthropic Messages API client: streaming, usage accounting, retries. The only file that imports
anthropic.

The SDK is imported at the first request, in a thread, because that takes seconds.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from pydantic import BaseModel, SecretStr, ValidationError

from memory import Clock, system_clock
from memory.infra import Backoff
from memory.text import plural

from ..errors import AnswerUnusable, ModelDown, ModelRefused
from ..settings import Settings, keys_by_host
from .account import LEAST_OUTPUT, Account
from .compatibility import Endpoint, Marks, citations, is_anthropic, json_in, without
from .errors import translate
from .pricing import PriceList
from .request import (
    Block,
    Request,
    Restarted,
    StreamEvent,
    TextDelta,
    message,
    text_block,
    whole_text,
)
from .stream import StreamReader, arguments, expected_usage, maximum_usage

if TYPE_CHECKING:
    from ssl import SSLContext

    from anthropic import AsyncAnthropic

log = logging.getLogger(__name__)

M = TypeVar("M", bound=BaseModel)

BASE_URL = "https://api.anthropic.com"
ANY_KEY = "local"  # the SDK requires a key, a local endpoint does not
CONNECT_SECONDS = 10.0
# Between two pieces of a stream. Anthropic sends pings; a local model may read the prompt for
# minutes before its first word.
READ_SECONDS = 60.0
OWN_READ_SECONDS = 600.0
# After all tries have failed, requests are tried only once for so long, to fail fast.
DOWN_FOR = timedelta(minutes=1)
BACKOFF = Backoff(first=1.0, factor=3.0, tries=4)
LONG_AGO = datetime.min.replace(tzinfo=UTC)
# Function → name → its schema, as JSON. The SDK takes a hundredth of a second for each, and every
# profile has the same tools.
_SCHEMAS: WeakKeyDictionary[Callable[..., Awaitable[str]], dict[str, str]] = WeakKeyDictionary()


@cache
def _trusted() -> SSLContext:
    """Return the certificates that the connections of all profiles trust: reading them takes 20
    milliseconds, and 0.8 MB each time."""
    import httpx2

    return httpx2.create_ssl_context()


def _import() -> None:
    import anthropic  # noqa: F401

    _trusted()


class ModelServer:
    """The connection to one endpoint. `provider`: its name in the usage log."""

    def __init__(
        self,
        base_url: str | None,
        key: SecretStr | None,
        *,
        other: str = "",
        provider: str = "",
        read_seconds: float | None = None,
    ) -> None:
        """`base_url` None: Anthropic's. An endpoint of one's own may want no key. `other`: the
        label of the model, for the errors, where the server is the one of an entry of MODELS."""
        # The SDK adds /v1 itself; many servers document their address with it.
        base_url = (base_url or BASE_URL).rstrip("/").removesuffix("/v1")
        self.endpoint = Endpoint(base_url)
        self.other = other
        self.provider = provider or ("anthropic" if is_anthropic(base_url) else "own")
        self.down_until = LONG_AGO
        self.refusal: ModelRefused | None = None
        self._key = key.get_secret_value() if key else ANY_KEY
        own = READ_SECONDS if is_anthropic(base_url) else OWN_READ_SECONDS
        self._read_seconds = read_seconds or own
        self._made: AsyncAnthropic | None = None

    async def client(self) -> AsyncAnthropic:
        if self._made is None:
            made = await asyncio.to_thread(self._make)
            self._made = self._made or made
        return self._made

    def _make(self) -> AsyncAnthropic:
        import httpx2
        from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient

        return AsyncAnthropic(
            api_key=self._key,
            base_url=self.endpoint.base_url,
            http_client=DefaultAsyncHttpxClient(verify=_trusted()),
            timeout=httpx2.Timeout(self._read_seconds, connect=CONNECT_SECONDS),
            # Retries are done here: the SDK gives up on 529 within two seconds, and never retries a
            # stream that has begun.
            max_retries=0,
        )

    async def close(self) -> None:
        if self._made is not None:
            await self._made.close()
            self._made = None

    @contextmanager
    def faults(self, clock: Clock) -> Iterator[None]:
        """Turn what the SDK raises into a ModelError."""
        import anthropic
        import httpx2

        try:
            yield
        except (
            anthropic.AnthropicError,
            httpx2.HTTPError,
            httpx2.StreamError,
            httpx2.InvalidURL,
            json.JSONDecodeError,
            # The SDK does not validate responses; malformed ones raise these errors.
            ValueError,
            TypeError,
            LookupError,
            AttributeError,
            OSError,
        ) as error:
            log.debug("the model's fault", exc_info=True)
            raise translate(error, clock(), self.other) from error


class Claude:
    """The models of an installation, each on its server of the Messages API."""

    def __init__(
        self,
        main: ModelServer,
        account: Account,
        *,
        others: Mapping[str, ModelServer] | None = None,
        prices: PriceList | None = None,
        clock: Clock = system_clock,
        backoff: Backoff | None = None,
    ) -> None:
        """`others`: the servers of the models that are not on `main`, by the model's name.

        `account` is asked before each call, and may raise BudgetSpent.
        """
        self._main, self._others = main, dict(others or {})
        self._account, self._clock = account, clock
        self._prices = prices or PriceList()
        self._backoff = backoff or BACKOFF

    @classmethod
    def of(
        cls,
        settings: Settings,
        account: Account,
        *,
        clock: Clock = system_clock,
        backoff: Backoff | None = None,
    ) -> Claude:
        keys = keys_by_host(settings.model_keys)
        others = {
            each.name: ModelServer(
                each.url, keys.get(each.host), other=each.label, provider=each.host
            )
            for each in settings.models
            if each.url
        }
        return cls(
            ModelServer(settings.anthropic_base_url, settings.anthropic_api_key),
            account,
            others=others,
            prices=PriceList.of(settings.models),
            clock=clock,
            backoff=backoff,
        )

    def server(self, model: str) -> ModelServer:
        return self._others.get(model, self._main)

    def refusal(self, model: str) -> ModelRefused | None:
        """Return why that model's server refuses the settings; None since it last answered."""
        return self.server(model).refusal

    async def stream(self, request: Request) -> AsyncGenerator[StreamEvent, None]:
        """Yield the answer as it streams; the last event is one Finished.

        A truncated, overloaded or silent call is retried with back-off; if part of the answer was
        yielded already, Restarted invalidates it. Raises ModelDown when all tries are used up,
        ModelRefused, ModelDeclined, BudgetSpent.
        """
        server = self.server(request.model)
        is_down = self._clock() < server.down_until
        waits = iter(()) if is_down or not request.patient else self._backoff.waits()
        while True:
            said = False
            try:
                async with aclosing(self._stream_supported(server, request)) as events:
                    async for event in events:
                        said = True
                        yield event
                server.down_until, server.refusal = LONG_AGO, None
                return
            except ModelRefused as refused:
                server.refusal = refused if refused.to_others else server.refusal
                raise
            except ModelDown as down:
                wait, wanted = next(waits, None), down.retry_after or 0.0
                if wait is None or wanted > self._backoff.longest:
                    if request.patient and self._clock() >= server.down_until:
                        server.down_until = self._clock() + DOWN_FOR
                    raise
                wait = max(wait, wanted)
                log.info("model=%s is asked again in %.1f s: %s", request.model, wait, down)
            if said:
                yield Restarted()
            await asyncio.sleep(wait)

    async def _stream_supported(
        self, server: ModelServer, request: Request
    ) -> AsyncGenerator[StreamEvent, None]:
        """Make one try without the features that the endpoint refuses; remember new refusals."""
        doubted: frozenset[str] = frozenset()
        first: ModelRefused | None = None
        while True:
            asked = without(request, server.endpoint.refused | doubted)
            try:
                async with aclosing(self._once(server, request, asked)) as events:
                    async for event in events:
                        yield event
            except ModelRefused as refused:
                if not refused.of_request:
                    raise
                more = server.endpoint.suspects(asked, refused.said)
                if not more:
                    # No feature is left to drop: the first refusal had another reason.
                    raise (first or refused) from None
                first, doubted = first or refused, doubted | more
                continue
            if doubted:
                server.endpoint.refuse(doubted)
                log.warning("the endpoint refuses %s", sorted(doubted))
            return

    async def _once(
        self, server: ModelServer, request: Request, asked: Request
    ) -> AsyncGenerator[StreamEvent, None]:
        """Make one API call."""
        client = await server.client()
        hits = [] if asked is request else citations(request)
        marks = Marks(hits if hits and citations(asked) != hits else [])
        speech: StreamReader | None = None
        used = expected_usage(asked, server.provider)
        # Truncated output cannot be parsed: structured output needs all of its room.
        least = asked.max_tokens if asked.form else LEAST_OUTPUT
        charge = await self._account.reserve(maximum_usage(asked, used), least)
        asked = replace(asked, max_tokens=charge.output)
        with server.faults(self._clock):
            try:
                async with client.messages.stream(**arguments(asked)) as stream:
                    speech = StreamReader(stream, asked, server.other)
                    async for event in speech.events():
                        if isinstance(event, TextDelta):
                            for part in marks.feed(event.text):
                                yield part
                        else:
                            yield event
                    for part in marks.rest():
                        yield part
                    yield speech.finished()
            finally:
                # Also for a failed call: the request may have arrived. Begun answers are billed,
                # whether truncated, stopped or complete.
                await charge.settle(speech.usage(used, self._prices) if speech else [used])

    async def parse(
        self,
        model: str,
        system: str,
        user: str,
        schema: type[M],
        *,
        max_tokens: int,
        purpose: str = "summary",
    ) -> M:
        """Return an answer of that form. Raises what `stream` does, and AnswerUnusable."""
        await self._main.client()
        request = form_request(model, system, user, schema, max_tokens=max_tokens, purpose=purpose)
        return await self.fill_form(request, schema)

    async def fill_form(self, request: Request, schema: type[M]) -> M:
        """Return the answer to a request of that form (`form_request`). Raises as `parse` does."""
        text, stop = await whole_text(self.stream(request))
        if stop != "end_turn":
            raise AnswerUnusable(f"Claude's answer was cut at {request.max_tokens} tokens.")
        return parsed(text, schema)

    async def check(self, model: str) -> None:
        """Test the key and that model with a minimal request. Raises ModelError."""
        hello = [message("user", [text_block("Say: ok")])]
        request = Request(model, [], hello, max_tokens=16, purpose="check")
        async for _ in self.stream(request):
            pass

    async def tool_schemas(self, tools: Mapping[str, Callable[..., Awaitable[str]]]) -> list[Block]:
        """Return the schema of each tool, in the order given."""
        await self._main.client()
        return [self.tool_schema(function, name) for name, function in tools.items()]

    def tool_schema(self, function: Callable[..., Awaitable[str]], name: str = "") -> Block:
        """Return a tool's schema for the model: its name, docstring and arguments."""
        known = _SCHEMAS.setdefault(getattr(function, "__func__", function), {})
        if name not in known:
            from anthropic import beta_async_tool

            made: Any = beta_async_tool(function, name=name or None)
            known[name] = json.dumps(made.to_dict())
        return dict(json.loads(known[name]))

    @staticmethod
    async def warm() -> None:
        """Import the SDK ahead of the first turn."""
        await asyncio.to_thread(_import)

    @asynccontextmanager
    async def sdk_client(self) -> AsyncIterator[AsyncAnthropic]:
        """Give the SDK's client of the main server; what it raises becomes a ModelError."""
        client = await self._main.client()
        with self._main.faults(self._clock):
            yield client

    async def close(self) -> None:
        for each in (self._main, *self._others.values()):
            await each.close()


def form_request(
    model: str, system: str, user: str, schema: type[BaseModel], *, max_tokens: int, purpose: str
) -> Request:
    """Return a request whose answer has that form. The SDK is imported by now."""
    return Request(
        model=model,
        system=[text_block(system)],
        messages=[message("user", [text_block(user)])],
        max_tokens=max_tokens,
        form=_schema(schema),
        purpose=purpose,
    )


def parsed(text: str, schema: type[M]) -> M:
    """Return an answer of that form as a value. Raises AnswerUnusable."""
    try:
        return schema.model_validate_json(json_in(text))
    except ValidationError as wrong:
        raise AnswerUnusable(
            f"Claude's answer does not match its schema ({plural(wrong.error_count(), 'error')})."
        ) from None


def _schema(form: type[BaseModel]) -> Block:
    """Return the form's JSON schema, within the limits of structured output."""
    from anthropic import transform_schema

    return dict(transform_schema(form.model_json_schema()))
