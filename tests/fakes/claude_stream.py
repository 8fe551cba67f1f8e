"""Encode an answer as the API does: one JSON body, or server-sent events."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.fakes import claude_web
from tests.fakes.claude_request import Hit, Usage

Event = dict[str, Any]


def tokens(text: str) -> int:
    """Count tokens as the fake does: one per four bytes of UTF-8, at least one."""
    return max(1, len(text.encode()) // 4)


def sign(thinking: str) -> str:
    return "sig_" + hashlib.sha256(f"fake:{thinking}".encode()).hexdigest()


def signed(thinking: str, signature: str) -> bool:
    """Return whether this thinking is ours; withheld thinking comes back with an empty text."""
    if not thinking:
        return re.fullmatch(r"sig_[0-9a-f]{64}", signature) is not None
    return signature == sign(thinking)


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation of the blocks [start, end) of a hit."""

    hit: Hit
    start: int
    end: int

    def wire(self) -> dict[str, Any]:
        return {
            "type": "search_result_location",
            "cited_text": "".join(self.hit.texts[self.start : self.end]),
            "source": self.hit.source,
            "title": self.hit.title,
            "search_result_index": self.hit.index,
            "start_block_index": self.start,
            "end_block_index": self.end,
        }


@dataclass(frozen=True, slots=True)
class Said:
    """A finished answer: its blocks as in the API, and its stop_reason."""

    id: str
    model: str
    content: list[dict[str, Any]]
    stop_reason: str
    usage: Usage
    cached: bool = True
    thinking_shown: bool = True
    details: dict[str, Any] | None = field(default=None)

    @property
    def text(self) -> str:
        return "".join(b["text"] for b in self.content if b["type"] == "text")

    def _thinking(self) -> int:
        return sum(tokens(b["thinking"]) for b in self.content if b["type"] == "thinking")

    def written(self) -> int:
        """Return the tokens of the whole answer."""
        written = sum(
            tokens(b["text"] if b["type"] == "text" else json.dumps(b["input"]))
            for b in self.content
            if b["type"] in ("text", "tool_use")
        )
        return max(1, written + self._thinking())

    def usage_wire(self, *, output: int | None = None) -> dict[str, Any]:
        wire: dict[str, Any] = {"input_tokens": self.usage.fresh}
        if self.cached:
            wire["cache_creation_input_tokens"] = self.usage.created
            wire["cache_read_input_tokens"] = self.usage.read
        wire["output_tokens"] = self.written() if output is None else output
        if output is None and (web := claude_web.usage(self.content)):
            wire["server_tool_use"] = web
        if output is None and self._thinking():
            wire["output_tokens_details"] = {"thinking_tokens": self._thinking()}
        return wire

    def _shown(self, block: dict[str, Any]) -> dict[str, Any]:
        if block["type"] == "thinking":
            text = block["thinking"] if self.thinking_shown else ""
            return {**block, "thinking": text, "signature": sign(block["thinking"])}
        return block

    def body(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": [self._shown(block) for block in self.content],
            "stop_reason": self.stop_reason,
            "stop_sequence": None,
            "stop_details": self.details,
            "usage": self.usage_wire(),
        }

    def events(self) -> Iterator[Event]:
        """Yield message_start, ping, each block in several deltas, message_delta, message_stop."""
        start = {**self.body(), "content": [], "stop_reason": None, "stop_details": None}
        start["usage"] = self.usage_wire(output=1)
        yield {"type": "message_start", "message": start}
        yield {"type": "ping"}
        for index, block in enumerate(self.content):
            yield from block_events(index, self._shown(block))
        yield {
            "type": "message_delta",
            "delta": {
                "stop_reason": self.stop_reason,
                "stop_sequence": None,
                "stop_details": self.details,
            },
            "usage": self.usage_wire(),
        }
        yield {"type": "message_stop"}


def pieces(text: str, words: int = 3) -> list[str]:
    """Split `text` into runs of a few words, as a stream delivers it; joined they equal `text`."""
    found = re.findall(r"\s*\S+\s*", text) or ([text] if text else [])
    return ["".join(found[i : i + words]) for i in range(0, len(found), words)]


def halves(text: str) -> Sequence[str]:
    middle = len(text) // 2
    return [part for part in (text[:middle], text[middle:]) if part]


def block_events(index: int, block: dict[str, Any]) -> Iterator[Event]:
    deltas: list[dict[str, Any]]
    match block["type"]:
        case "text":
            start: dict[str, Any] = {"type": "text", "text": ""}
            deltas = [{"type": "text_delta", "text": part} for part in pieces(block["text"])]
            if block.get("citations"):
                start["citations"] = []
                deltas += [
                    {"type": "citations_delta", "citation": cited} for cited in block["citations"]
                ]
        case "web_search_tool_result" | "web_fetch_tool_result":
            start, deltas = block, []
        case "tool_use" | "server_tool_use":
            start = {**block, "input": {}}
            written = json.dumps(block["input"], ensure_ascii=False)
            written = re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):x}", written)
            deltas = [{"type": "input_json_delta", "partial_json": ""}] + [
                {"type": "input_json_delta", "partial_json": part} for part in halves(written)
            ]
        case "thinking":
            start = {"type": "thinking", "thinking": "", "signature": ""}
            deltas = [
                {"type": "thinking_delta", "thinking": part} for part in pieces(block["thinking"])
            ]
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        case kind:
            raise AssertionError(f"no events for a block of type {kind!r}")
    yield {"type": "content_block_start", "index": index, "content_block": start}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


def encode(event: Event) -> bytes:
    data = json.dumps(event, ensure_ascii=False)
    return f"event: {event['type']}\ndata: {data}\n\n".encode()
