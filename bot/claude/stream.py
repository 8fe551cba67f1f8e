"""Convert one streamed answer of the SDK into our events."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any, Protocol

from memory import Usage

from ..errors import ModelDeclined, ModelDown, ModelRefused
from . import web_tools
from .errors import Fault, sentence_of
from .pricing import PriceList
from .request import (
    Block,
    Citation,
    Finished,
    Request,
    ServerCall,
    TextDelta,
    ToolCall,
    WebPage,
    content,
    text_block,
)

EFFORT = "low"  # of structured output, which needs no reasoning
_FILE = re.compile(r"# [^\n]+\.md: ")  # the first line of a note in the stable part
# For `maximum_usage`, in tokens.
BYTES_A_TOKEN = 3  # of JSON; 3.5 to 4 in English
OVERHEAD = 1_000  # tokens that the API adds to a prompt with tools
IMAGE = 5_000  # of a picture in the highest resolution that Claude looks at
DOCUMENT = 300_000  # of the longest PDF, of a hundred pages
_UNPARSED = "Unable to parse tool parameter JSON"
"""How the SDK's error begins that ends a stream at half an emoji in a tool's argument."""


class Stream(Protocol):
    """The used part of `anthropic.lib.streaming.AsyncMessageStream`."""

    def __aiter__(self) -> AsyncIterator[Any]: ...

    @property
    def current_message_snapshot(self) -> Any: ...


def arguments(request: Request) -> dict[str, Any]:
    """Return the request as arguments of the SDK's `messages.stream`."""
    given: dict[str, Any] = {
        "model": request.model,
        "messages": list(request.messages),
        "max_tokens": request.max_tokens,
    }
    if request.system:
        given["system"] = list(request.system)
    if request.tools:
        given["tools"] = list(request.tools)
        if not request.may_call:
            given["tool_choice"] = {"type": "none"}
    if request.form is not None:
        form = {"type": "json_schema", "schema": request.form}
        given["output_config"] = {"effort": EFFORT, "format": form}
    return given


class StreamReader:
    """Read a stream to its end. `begun`: output was received, so usage is billable."""

    def __init__(self, stream: Stream, request: Request, other: str = "") -> None:
        """`other`: the label of a model with a server of its own, for the errors."""
        self._stream, self._other = stream, other
        # After a tool's result the model may have nothing to add: it spoke beside the calls.
        last = content(request.messages[-1]) if request.messages else []
        self._may_be_empty = any(block["type"] == "tool_result" for block in last)
        self.begun = False
        self._broken = ""

    async def events(self) -> AsyncIterator[TextDelta | Citation | ServerCall | WebPage]:
        """Yield text as it streams, and web activity; the citations of a text block follow it, once
        per source. A call whose arguments cannot be parsed ends the stream."""
        try:
            async for event in self._events():
                yield event
        except ValueError as error:
            content = self._stream.current_message_snapshot.content if self.begun else []
            if not (str(error).startswith(_UNPARSED) and content[-1].type == "tool_use"):
                raise
            self._broken = content[-1].id

    async def _events(self) -> AsyncIterator[TextDelta | Citation | ServerCall | WebPage]:
        cited: dict[Citation, None] = {}
        async for event in self._stream:
            match event.type:
                case "message_start":
                    self.begun = True
                case "text":
                    yield TextDelta(event.text)
                case "citation" if event.citation.type == "search_result_location":
                    source, words = event.citation.source, event.citation.cited_text
                    title = event.citation.title or source
                    cited.setdefault(Citation(source, title, words or ""))
                case "citation" if found := web_tools.citation(event.citation):
                    cited.setdefault(found)
                case "content_block_stop":
                    for citation in cited:
                        yield citation
                    cited.clear()
                    for each in web_tools.web_activity(event.content_block):
                        yield each

    def finished(self) -> Finished:
        """Return the call's end. Raises ModelDown if it is cut, ModelDeclined, ModelRefused."""
        message = self._stream.current_message_snapshot if self.begun else None
        stop = message.stop_reason if message else None
        blocks = [block for part in (message.content if message else ()) if (block := _block(part))]
        calls = tuple(_call(use, self._broken) for use in blocks if use["type"] == "tool_use")
        if self._broken:
            return Finished("tool_use", tuple(blocks), calls)
        match stop:
            case "end_turn" | "stop_sequence" if self._may_be_empty or any(
                block["type"] == "text" for block in blocks
            ):
                return Finished("end_turn", tuple(blocks))
            case "tool_use":
                return Finished("tool_use", tuple(blocks), calls)
            case "pause_turn" if blocks:
                return Finished("pause_turn", tuple(blocks))
            case "max_tokens" | "model_context_window_exceeded" if blocks or stop == "max_tokens":
                return Finished("max_tokens", tuple(blocks))
            case "model_context_window_exceeded":
                raise ModelRefused(sentence_of(Fault.SIZE, self._other))
            case "refusal":
                raise ModelDeclined(sentence_of(Fault.DECLINED, self._other))
        # A truncated stream raises no error: it only lacks a stop reason.
        raise ModelDown(sentence_of(Fault.CUT, self._other))

    def usage(self, sent: Usage, prices: PriceList) -> list[Usage]:
        """Return the usage so far, with its price, and each search of the web; `sent` unchanged
        before the first output."""
        if not self.begun:
            return [sent]
        message = self._stream.current_message_snapshot
        took = getattr(message, "usage", None)
        output = _count(took, "output_tokens")
        if not getattr(message, "stop_reason", None):
            # The count comes with the end. What came before a cut is billed all the same.
            output = max(output, _received(message))
        usage = replace(
            sent,
            input=_count(took, "input_tokens"),
            output=output,
            cache_read=_count(took, "cache_read_input_tokens"),
            cache_write=_count(took, "cache_creation_input_tokens"),
        )
        model, usd, turn = web_tools.SEARCH, web_tools.SEARCH_USD, sent.turn_id
        search = Usage(sent.provider, model, "web search", input=0, usd=usd, turn_id=turn)
        searches = web_tools.searches(message)
        return [replace(usage, usd=prices.cost(usage)), *[search] * searches]


def expected_usage(request: Request, provider: str) -> Usage:
    """Return the usage of a call without tokens yet: what the request contains."""
    # The notes of the stable part, and the recalled hits, are a block each.
    notes = sum(bool(_FILE.match(str(block.get("text")))) for block in request.system)
    blocks = (block for each in request.messages for block in content(each))
    body = json.dumps([request.system, request.messages, request.tools], ensure_ascii=False)
    return Usage(
        provider=provider,
        model=request.model,
        purpose=request.purpose,
        input=0,
        turn_id=request.turn_id,
        bytes=len(body.encode("utf-8", "replace")),
        passages=notes + sum(block.get("type") == "search_result" for block in blocks),
    )


def maximum_usage(request: Request, used: Usage) -> Usage:
    """Return the maximum usage of a call: its whole prompt written to the cache, all output, and
    all web searches; `usd` is only the price of the searches. A bound in practice, not by contract:
    it assumes three bytes of JSON per token.
    """
    parts = [content(each) for each in request.messages]
    files = [block for blocks in parts for block in blocks if _is_file(block)]
    sizes = [len(json.dumps(block)) for block in files]
    form = len(json.dumps(request.form)) if request.form is not None else 0
    prompt = OVERHEAD + (used.bytes - sum(sizes) + form) // BYTES_A_TOKEN
    for block, size in zip(files, sizes, strict=True):
        longest = IMAGE if block["type"] == "image" else DOCUMENT
        prompt += min(longest, size // BYTES_A_TOKEN)
    tokens, usd = web_tools.maximum_tokens(request.tools)
    return replace(used, cache_write=prompt + tokens, output=request.max_tokens, usd=usd)


def _is_file(block: Block) -> bool:
    source = block.get("source")
    return isinstance(source, Mapping) and source.get("type") == "base64"


def _received(message: Any) -> int:
    """Estimate the tokens of an unfinished answer; thinking that is withheld is not seen."""
    blocks = getattr(message, "content", None) or ()
    said = (
        str(getattr(block, name))
        for block in blocks
        for name in ("text", "thinking", "input")
        if getattr(block, name, None)
    )
    return sum(len(each.encode("utf-8", "replace")) for each in said) // BYTES_A_TOKEN


def _count(took: object, name: str) -> int:
    """Return a number of tokens; 0 from a server that does not report it."""
    value = getattr(took, name, None)
    return value if isinstance(value, int) else 0


def _block(part: Any) -> Block | None:
    """Convert a block for the turn's next request, without citations, which refer to this one."""
    match part.type:
        case "text":
            return text_block(part.text) if part.text.strip() else None
        case "thinking":
            return {"type": "thinking", "thinking": part.thinking, "signature": part.signature}
        case "redacted_thinking":
            return {"type": "redacted_thinking", "data": part.data}
        case "tool_use":
            given = part.input if isinstance(part.input, Mapping) else {}
            return {"type": "tool_use", "id": part.id, "name": part.name, "input": dict(given)}
        case kind if kind in web_tools.BLOCKS:  # as it came: a part of it is encrypted
            return dict(part.model_dump(mode="json", exclude_none=True))
    return None


def _call(use: Block, broken: str) -> ToolCall:
    """Return the call of a block; `broken`: the id of one whose arguments cannot be parsed."""
    given = use["input"]
    assert isinstance(given, Mapping)
    return ToolCall(str(use["id"]), str(use["name"]), given, use["id"] == broken)
