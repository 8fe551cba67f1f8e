"""HTTP server of the fake Claude: authentication, refusals, and the choice of the answer."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.fakes import claude_schema
from tests.fakes.claude_blocks import Refused
from tests.fakes.claude_cache import flatten
from tests.fakes.claude_faults import SPOILING, Fault, Status, error_body
from tests.fakes.claude_request import Request, Usage, blocks
from tests.fakes.claude_response import Broken, send_json, send_stream
from tests.fakes.claude_rules import check_request
from tests.fakes.claude_script import Rule, ScriptError, Thinking, choices, content
from tests.fakes.claude_stream import Said
from tests.fakes.claude_usage import BilledAnswer
from tests.fakes.wire import hang_up

if TYPE_CHECKING:
    from tests.fakes.claude import FakeClaude

VERSIONS = ("2023-06-01", "2026-10-21")
MAX_BODY = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Refusal:
    """A request that was refused."""

    status: int
    message: str
    body: Any


class Turned(Exception):
    """Raised to reject a request with a status and a message."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Serving:
    """HTTP handlers of one FakeClaude."""

    def __init__(self, claude: FakeClaude) -> None:
        self._claude = claude
        claude.bulk.compose = self._in_bulk
        self._numbers = count(1)
        self._issued: dict[str, Rule] = {}

    def app(self) -> web.Application:
        app = web.Application(client_max_size=MAX_BODY)
        app.router.add_post("/v1/messages", self._messages)
        app.router.add_post("/v1/messages/count_tokens", self._count)
        app.router.add_post("/v1/messages/batches", self._order)
        app.router.add_get("/v1/messages/batches", self._orders)
        app.router.add_get("/v1/messages/batches/{id}", self._one_order)
        app.router.add_get("/v1/messages/batches/{id}/results", self._results)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/v1/models/{model}", self._model)
        app.router.add_route("*", "/{rest:.*}", self._nothing)
        return app

    # -- validation --------------------------------------------------------------------------

    def _error(
        self, status: int, message: str = "", headers: dict[str, str] | None = None
    ) -> web.Response:
        number = f"req_fake{next(self._numbers):08d}"
        return web.json_response(
            error_body(status, message, number),
            status=status,
            headers={"request-id": number, **(headers or {})},
        )

    def _turn_away(self, error: Turned, body: Any = None) -> web.Response:
        self._claude.refused.append(Refusal(error.status, str(error), body))
        return self._error(error.status, str(error))

    def _admit(self, http: web.Request) -> None:
        """Raise Turned if the key or the version is missing or wrong."""
        bearer = http.headers.get("Authorization", "").removeprefix("Bearer ")
        key = http.headers.get("x-api-key") or bearer
        if not key:
            raise Turned(401, "x-api-key header is required")
        if self._claude.keys is not None and key not in self._claude.keys:
            raise Turned(401, "invalid x-api-key")
        if http.headers.get("anthropic-version") not in VERSIONS:
            raise Turned(400, "anthropic-version: header is required, and a known version")

    async def _read(self, http: web.Request) -> Any:
        try:
            return json.loads(await http.read())
        except web.HTTPRequestEntityTooLarge:
            raise Turned(413, "Request exceeds the maximum size") from None
        except ValueError:
            raise Turned(400, "The request body is not valid JSON") from None

    def _check(self, body: Any, *, counting: bool = False) -> None:
        try:
            check_request(body, counting=counting)
        except Refused as refused:
            raise Turned(400, str(refused)) from None
        if body["model"] not in self._claude.models:
            raise Turned(404, f"model: {body['model']}")
        for name in self._claude.not_spoken:
            parts = [body["messages"], body.get("system"), body.get("tools")]
            if name in body or _speaks(parts, name):
                raise Turned(400, f"{name}: not supported by this server")
        size = sum(block.tokens for block in flatten(body))
        if size > self._claude.context_window:
            limit = self._claude.context_window
            raise Turned(400, f"prompt is too long: {size} tokens > {limit} maximum")

    # -- answering ---------------------------------------------------------------------------

    async def _messages(self, http: web.Request) -> web.StreamResponse:
        if self._claude.is_down:
            return hang_up(http)
        body, began = None, time.monotonic()
        try:
            self._admit(http)
            body = await self._read(http)
            self._check(body)
        except Turned as error:
            return self._turn_away(error, body)
        claude = self._claude
        claude.arrived += 1
        request = Request(claude.arrived, body, dict(http.headers), began)
        claude.keep(request)
        fault = next((rule.take().fault for rule in claude.faults if rule.fits(request)), None)
        if isinstance(fault, Status) and (fault.after_events is None or not request.streamed):
            request.status = fault.status
            wait = {} if fault.retry_after is None else {"retry-after": str(fault.retry_after)}
            return self._error(fault.status, fault.message, wait)
        try:
            said, rule = self._compose(request)
        except Exception as error:
            wrong = error if isinstance(error, ScriptError) else ScriptError(repr(error))
            wrong.__cause__ = None if wrong is error else error
            claude.errors.append(wrong)
            request.status = 500
            return self._error(500, f"ScriptError: {wrong}", {"x-should-retry": "false"})
        claude.billed.append(BilledAnswer(request.model, said.usage, said.written()))
        return await self._send(http, request, said, rule, fault)

    async def _send(
        self,
        http: web.Request,
        request: Request,
        said: Said,
        rule: Rule | None,
        fault: Fault | None,
    ) -> web.StreamResponse:
        number = f"req_fake{next(self._numbers):08d}"
        arrived = False
        try:
            if request.streamed:
                delay = self._claude.chunk_delay
                response = await send_stream(http, list(said.events()), fault, delay, number)
            else:
                response = await send_json(http, json.dumps(said.body()).encode(), fault, number)
            arrived = not isinstance(fault, SPOILING)
            request.status = 200
            return response
        except Broken:
            return web.Response()
        finally:
            request.answered_at = time.monotonic()
            # a client that did not get the answer will retry, and must get it then
            if not arrived and rule is not None:
                rule.give_back()

    def _compose(self, request: Request) -> tuple[Said, Rule | None]:
        claude = self._claude
        called = [self._issued[u["id"]] for u in request.tool_uses if u["id"] in self._issued]
        chosen, reply = None, None
        for rule in choices(claude.rules, request, called):
            if (reply := rule.make(request)) is not None:
                chosen = rule.take()
                break
        else:
            request.unscripted = True
            plain = claude_schema.default(request.schema) if request.schema else claude.default
            reply = claude_schema.written(plain)
        thinking = request.body.get("thinking") or {}
        thoughts = [
            Thinking(str(thought.take().make(request)))
            for thought in [t for t in claude.thoughts if t.fits(request)][-1:]
            if thinking.get("type") != "disabled"
        ]
        made, reason = content(
            request, reply, thoughts, lambda: f"toolu_fake{next(self._numbers):016d}"
        )
        if chosen is not None:
            self._issued.update({b["id"]: chosen for b in made if b["type"] == "tool_use"})
        said = Said(
            f"msg_fake{next(self._numbers):016d}",
            request.model,
            made,
            reason,
            self._usage(request),
            cached=claude.caching,
            thinking_shown=thinking.get("display") == "summarized",
            details={"type": "refusal", "category": None, "explanation": None}
            if reason == "refusal"
            else None,
        )
        request.reply = said.text
        return said, chosen

    def _usage(self, request: Request) -> Usage:
        if not self._claude.caching:
            return Usage(0, 0, sum(block.tokens for block in flatten(request.body)))
        use = self._claude.cache.use(request)
        self._claude.uses.append(use)
        request.usage = Usage(use.read, use.created, use.fresh)
        return request.usage

    # -- Message Batches ---------------------------------------------------------------------

    def _in_bulk(self, request: Request) -> dict[str, Any]:
        said, _ = self._compose(request)
        self._claude.billed.append(
            BilledAnswer(request.model, said.usage, said.written(), share=0.5)
        )
        return said.body()

    async def _order(self, http: web.Request) -> web.StreamResponse:
        if self._claude.is_down:
            return hang_up(http)
        body, bulk = None, self._claude.bulk
        try:
            self._admit(http)
            body = await self._read(http)
            if bulk.unknown:
                raise Turned(404, "Not found: POST /v1/messages/batches")
            try:
                order = bulk.make(body, self._check)
            except Refused as refused:
                raise Turned(400, str(refused)) from None
        except Turned as error:
            return self._turn_away(error, body)
        if bulk.loses_answers:
            bulk.loses_answers = False
            return hang_up(http)
        return web.json_response(order.wire(self._claude.url))

    async def _orders(self, http: web.Request) -> web.StreamResponse:
        if self._claude.is_down:
            return hang_up(http)
        try:
            self._admit(http)
        except Turned as error:
            return self._turn_away(error)
        found = [order.wire(self._claude.url) for order in reversed(self._claude.bulk.orders)]
        ends = (found[0]["id"], found[-1]["id"]) if found else (None, None)
        return web.json_response(
            {"data": found, "has_more": False, "first_id": ends[0], "last_id": ends[1]}
        )

    async def _one_order(self, http: web.Request) -> web.StreamResponse:
        if self._claude.is_down:
            return hang_up(http)
        try:
            self._admit(http)
            if (order := self._claude.bulk.find(http.match_info["id"])) is None:
                raise Turned(404, "Message batch not found")
        except Turned as error:
            return self._turn_away(error)
        return web.json_response(order.wire(self._claude.url))

    async def _results(self, http: web.Request) -> web.StreamResponse:
        try:
            self._admit(http)
            order = self._claude.bulk.find(http.match_info["id"])
            if order is None or order.answers is None:
                raise Turned(404, "Results are not available")
        except Turned as error:
            return self._turn_away(error)
        return web.Response(text=order.lines(), content_type="application/x-jsonl")

    # -- other endpoints ---------------------------------------------------------------------

    async def _count(self, http: web.Request) -> web.StreamResponse:
        body = None
        try:
            self._admit(http)
            body = await self._read(http)
            self._check(body, counting=True)
        except Turned as error:
            return self._turn_away(error, body)
        return web.json_response({"input_tokens": sum(b.tokens for b in flatten(body))})

    async def _models(self, http: web.Request) -> web.StreamResponse:
        if self._claude.is_down:
            return hang_up(http)
        try:
            self._admit(http)
        except Turned as error:
            return self._turn_away(error)
        models = [_model_info(model) for model in self._claude.models]
        first, last = self._claude.models[0], self._claude.models[-1]
        return web.json_response(
            {"data": models, "has_more": False, "first_id": first, "last_id": last}
        )

    async def _model(self, http: web.Request) -> web.StreamResponse:
        if self._claude.is_down:
            return hang_up(http)
        try:
            self._admit(http)
            if (model := http.match_info["model"]) not in self._claude.models:
                raise Turned(404, f"model: {model}")
        except Turned as error:
            return self._turn_away(error)
        return web.json_response(_model_info(model))

    async def _nothing(self, http: web.Request) -> web.StreamResponse:
        return self._turn_away(Turned(404, f"Not found: {http.method} {http.path}"))


def _model_info(model: str) -> dict[str, Any]:
    return {
        "type": "model",
        "id": model,
        "display_name": model.replace("-", " ").title(),
        "created_at": "2026-10-21T00:00:00Z",
        "lifecycle": "active",
        "max_input_tokens": 1_000_000,
        "max_tokens": 128_000,
    }


def _speaks(value: Any, name: str) -> bool:
    """Return whether messages or system contain a block of that type, or with that field."""
    if isinstance(value, list):
        return any(_speaks(part, name) for part in value)
    if not isinstance(value, dict):
        return False
    if value.get("type") == name or value.get(name) is not None:
        return True
    return any(_speaks(part, name) for part in blocks(value.get("content")))
