"""Requests and stream events of the Messages API, as values.

A block is JSON exactly as it goes over the wire, because prompt caching compares bytes.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

Block = dict[str, object]
"""One JSON object of the Messages API: a content block, a message, or a tool's description."""

BREAKPOINT: Block = {"type": "ephemeral"}


@dataclass(frozen=True, slots=True)
class Request:
    """One call. `may_call`: the model may use the tools; if not, they are sent for the cache alone.

    `form`: a JSON schema that the answer has to fit; None for free text. `purpose` and `turn_id`
    are for the usage log. `patient`: retry temporary failures. `documents`: the texts of the
    document blocks, in order, for an endpoint that does not take those.
    """

    model: str
    system: Sequence[Block]
    messages: Sequence[Block]
    max_tokens: int
    tools: Sequence[Block] = ()
    may_call: bool = True
    form: Block | None = None
    purpose: str = "turn"
    patient: bool = True
    turn_id: int | None = None
    documents: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Citation:
    """The text just before it cites this source, by its name in the request."""

    source: str
    title: str
    quote: str = field(default="", compare=False)
    """The cited words, if the model states them."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The model calls a tool. Its arguments are not validated yet.

    `broken`: they cannot be parsed; `arguments` has what could be read of them.
    """

    id: str
    name: str
    arguments: Mapping[str, object]
    broken: bool = False


@dataclass(frozen=True, slots=True)
class ServerCall:
    """The model calls a tool that runs on the provider's server."""

    name: str
    arguments: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class WebPage:
    """The model was shown a web page, or a search result that links to it.

    `is_read`: the page itself was fetched; `text`: as far as it is known here.
    """

    url: str
    title: str
    text: str = ""
    is_read: bool = False


@dataclass(frozen=True, slots=True)
class Restarted:
    """The answer was interrupted and restarts: earlier events of this call are void."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of one call. `blocks` go back as the assistant's message, within this turn only."""

    stop: str
    """`end_turn`, `tool_use`, `max_tokens`, or `pause_turn`: the model continues when it is sent
    its output so far."""
    blocks: tuple[Block, ...]
    calls: tuple[ToolCall, ...] = ()


StreamEvent = TextDelta | Citation | ServerCall | WebPage | Restarted | Finished


async def whole_text(stream: AsyncGenerator[StreamEvent, None]) -> tuple[str, str]:
    """Return the text of an answer, read to its end, and why it ended: `Finished.stop`."""
    text, stop = "", ""
    async with aclosing(stream) as events:
        async for event in events:
            if isinstance(event, TextDelta):
                text += event.text
            elif isinstance(event, Restarted):
                text = ""
            elif isinstance(event, Finished):
                stop = event.stop
    return text, stop


def text_block(text: str) -> Block:
    """Return a text block; the API refuses one that is empty or blank."""
    return {"type": "text", "text": text}


def search_result(source: str, title: str, *texts: str) -> Block:
    """Return a hit that the model can cite; each text is a block of it."""
    return {
        "type": "search_result",
        "source": source,
        "title": title,
        "content": [text_block(text) for text in texts],
        "citations": {"enabled": True},
    }


def tool_result(call: ToolCall, text: str, *, failed: bool = False) -> Block:
    """Return a tool's result, or its error."""
    block: Block = {"type": "tool_result", "tool_use_id": call.id, "content": text}
    if failed:
        block["is_error"] = True
    return block


def message(role: str, blocks: Iterable[Block]) -> Block:
    return {"role": role, "content": list(blocks)}


def text_message(role: str, texts: Sequence[str]) -> Block:
    """Build a message of text blocks; a single text is a plain string, which is equivalent.

    The SDK copies and encodes a long history of plain strings in a third of the time.
    """
    if len(texts) == 1:
        return {"role": role, "content": texts[0]}
    return message(role, map(text_block, texts))


def content(message: Block) -> list[Block]:
    """Return the blocks of a message; a plain string is one text block."""
    blocks = message["content"]
    if isinstance(blocks, str):
        return [text_block(blocks)]
    assert isinstance(blocks, list)
    return blocks


def with_breakpoint(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return the same blocks with a cache breakpoint on the last one."""
    if not blocks:
        return ()
    return (*blocks[:-1], {**blocks[-1], "cache_control": BREAKPOINT})


def message_with_breakpoint(message: Block) -> Block:
    """Return the same message with a cache breakpoint on its last block."""
    return {**message, "content": list(with_breakpoint(content(message)))}
