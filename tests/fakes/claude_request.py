"""A parsed request to the Messages API, for rules and assertions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from re import Pattern
from typing import Any, TypedDict

from tests.fakes.wire import Counted

When = str | Pattern[str] | Callable[["Request"], bool] | None


class Which(TypedDict, total=False):
    """Which requests a rule applies to.

    `when`: a substring of the newest user text, a pattern in it, or a function of the request;
    `model`: a substring of the model's name; `times`: how many of them (None: all).
    """

    when: When
    model: str
    times: int | None


@dataclass(frozen=True, slots=True)
class Hit:
    """A search_result block. `index` is its search_result_index in the whole request."""

    index: int
    source: str
    title: str
    texts: tuple[str, ...]
    citable: bool

    @property
    def text(self) -> str:
        return "".join(self.texts)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of one tool_use in the newest assistant message."""

    id: str
    name: str
    input: dict[str, Any]
    text: str
    is_error: bool


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the fake counts them; their sum is the size of the prompt."""

    read: int
    created: int
    fresh: int

    @property
    def total(self) -> int:
        return self.read + self.created + self.fresh


def blocks(content: object) -> list[dict[str, Any]]:
    """Return the content of a message or a result as blocks; a plain string is one text block."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content if isinstance(content, list) else []


def search_results(messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Return all search_result blocks in request order, including those in tool results."""
    for message in messages:
        for block in blocks(message.get("content")):
            if block.get("type") == "search_result":
                yield block
            elif block.get("type") == "tool_result":
                for part in blocks(block.get("content")):
                    if part.get("type") == "search_result":
                        yield part


def text_of(content: object) -> str:
    """Return the text of a content: its text blocks and its search results."""
    parts = []
    for block in blocks(content):
        if block.get("type") == "text":
            parts.append(block["text"])
        elif block.get("type") == "search_result":
            parts.append("".join(part["text"] for part in block["content"]))
    return "\n".join(parts)


def media_of(content: object) -> list[dict[str, Any]]:
    """Return the pictures and documents of a content."""
    return [block for block in blocks(content) if block.get("type") in ("image", "document")]


@dataclass(eq=False)
class Request:
    """A request that passed validation. `status`, `reply` and `usage` are set when answered.

    `at`: when it began to arrive, `answered_at`: when the answer was sent (monotonic clock).
    """

    number: int
    body: dict[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)
    at: float = field(default_factory=time.monotonic)
    status: int = 0
    reply: str = ""
    usage: Usage | None = None
    unscripted: bool = False
    answered_at: float | None = None

    @property
    def model(self) -> str:
        return str(self.body["model"])

    @property
    def streamed(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def max_tokens(self) -> int:
        return int(self.body["max_tokens"])

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body["messages"])

    @property
    def tools(self) -> list[dict[str, Any]]:
        return list(self.body.get("tools") or ())

    @property
    def system_text(self) -> str:
        return text_of(self.body.get("system", ""))

    @cached_property
    def _asked_at(self) -> int:
        """Return the index of the newest user message that is not just tool results."""
        for index in reversed(range(len(self.messages))):
            kinds = {block["type"] for block in blocks(self.messages[index]["content"])}
            if (
                self.messages[index]["role"] == "user"
                and "text" in kinds
                and "tool_result" not in kinds
            ):
                return index
        return 0

    @property
    def asked(self) -> dict[str, Any]:
        """Return the newest user message with a text: in a tool loop, the one that started it."""
        return self.messages[self._asked_at]

    @cached_property
    def newest_texts(self) -> tuple[str, ...]:
        """Return all text blocks of `asked`."""
        return tuple(b["text"] for b in blocks(self.asked["content"]) if b["type"] == "text")

    @property
    def newest_text(self) -> str:
        """Return the last text block of `asked`: what the user wrote."""
        return self.newest_texts[-1] if self.newest_texts else ""

    @cached_property
    def hits(self) -> tuple[Hit, ...]:
        return tuple(
            Hit(
                index,
                block["source"],
                block["title"],
                tuple(part["text"] for part in block["content"]),
                bool((block.get("citations") or {}).get("enabled")),
            )
            for index, block in enumerate(search_results(self.messages))
        )

    @cached_property
    def tool_uses(self) -> tuple[dict[str, Any], ...]:
        """Return the tool_use blocks since `asked`, oldest first."""
        return tuple(
            block
            for message in self.messages[self._asked_at + 1 :]
            for block in blocks(message["content"])
            if block["type"] == "tool_use"
        )

    @property
    def round(self) -> int:
        """Return the number of completed tool rounds: 0 in the first request of a turn."""
        return sum(m["role"] == "assistant" for m in self.messages[self._asked_at + 1 :])

    @cached_property
    def tool_results(self) -> tuple[ToolResult, ...]:
        """Return the tool results in the newest message; none in the first round."""
        uses = {use["id"]: use for use in self.tool_uses}
        return tuple(
            ToolResult(
                block["tool_use_id"],
                uses[block["tool_use_id"]]["name"],
                uses[block["tool_use_id"]]["input"],
                text_of(block.get("content", "")),
                bool(block.get("is_error")),
            )
            for block in blocks(self.messages[-1]["content"])
            if block["type"] == "tool_result" and block["tool_use_id"] in uses
        )

    @property
    def schema(self) -> dict[str, Any] | None:
        """Return the JSON schema of `output_config.format`, or None."""
        form = (self.body.get("output_config") or {}).get("format")
        return form["schema"] if form else None

    @property
    def effort(self) -> str | None:
        return (self.body.get("output_config") or {}).get("effort")

    def matches(self, when: When) -> bool:
        """Return whether `newest_text` has the string or the pattern, or the function is true."""
        if when is None:
            return True
        if isinstance(when, str):
            return when in self.newest_text
        if isinstance(when, Pattern):
            return when.search(self.newest_text) is not None
        return bool(when(self))


class Chosen(Counted):
    """A rule of the script: it applies to matching requests until it is used up."""

    def __init__(self, which: Which, *, times: int | None = None) -> None:
        super().__init__(which.get("times", times))
        self.when = which.get("when")
        self.model = which.get("model", "")

    def fits(self, request: Request) -> bool:
        return not self.over and self.model in request.model and request.matches(self.when)
