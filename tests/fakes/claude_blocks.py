"""Validate the fields of each block type of the Messages API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.fakes.claude_media import unreadable
from tests.fakes.claude_request import blocks
from tests.fakes.claude_stream import signed
from tests.fakes.claude_web import is_own


class Refused(Exception):
    """Raised for the API's 400 `invalid_request_error`, with its message."""


Check = Callable[[object], bool]


def is_text(value: object) -> bool:
    return isinstance(value, str)


def is_filled(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def is_object(value: object) -> bool:
    return isinstance(value, dict)


def is_list(value: object) -> bool:
    return isinstance(value, list)


def is_flag(value: object) -> bool:
    return isinstance(value, bool)


def is_nothing_or(check: Check) -> Check:
    return lambda value: value is None or check(value)


def one_of(*allowed: object) -> Check:
    return lambda value: value in allowed


# field → (required, check, description of what is allowed)
Fields = dict[str, tuple[bool, Check, str]]

CACHED: Fields = {
    "cache_control": (False, is_nothing_or(is_object), "an object or null"),
}
CITATIONS: Fields = {"enabled": (False, is_flag, "a valid boolean")}
CACHE_CONTROL: Fields = {
    "type": (True, one_of("ephemeral"), "'ephemeral'"),
    "ttl": (False, one_of("5m", "1h"), "'5m' or '1h'"),
}
CITED_WEB: Fields = {
    "type": (True, one_of("web_search_result_location"), "'web_search_result_location'"),
    "cited_text": (True, is_text, "a valid string"),
    "encrypted_index": (True, is_filled, "a valid string"),
    "url": (True, is_filled, "a valid string"),
    "title": (True, is_nothing_or(is_text), "a valid string or null"),
}
WEB_RESULT: Fields = {
    "tool_use_id": (True, is_filled, "a valid string"),
    "content": (True, is_own, "the result as it was given"),
    "caller": (False, is_object, "an object"),
}
CITED: Fields = {
    "type": (True, one_of("search_result_location"), "'search_result_location'"),
    "cited_text": (True, is_text, "a valid string"),
    "search_result_index": (True, lambda v: type(v) is int and v >= 0, "a valid index"),
    "start_block_index": (True, lambda v: type(v) is int, "a valid integer"),
    "end_block_index": (True, lambda v: type(v) is int, "a valid integer"),
    "source": (True, is_text, "a valid string"),
    "title": (True, is_nothing_or(is_text), "a valid string or null"),
}
BLOCKS: dict[str, Fields] = {
    "text": {
        "text": (True, is_text, "a valid string"),
        "citations": (False, is_nothing_or(is_list), "a list or null"),
        **CACHED,
    },
    "image": {"source": (True, is_object, "an object"), **CACHED},
    "document": {
        "source": (True, is_object, "an object"),
        "title": (False, is_nothing_or(is_text), "a valid string or null"),
        "context": (False, is_nothing_or(is_text), "a valid string or null"),
        "citations": (False, is_nothing_or(is_object), "an object or null"),
        **CACHED,
    },
    "search_result": {
        "source": (True, is_filled, "a string with at least 1 character"),
        "title": (True, is_filled, "a string with at least 1 character"),
        "content": (True, lambda v: is_list(v) and bool(v), "a list of at least 1 text block"),
        "citations": (False, is_object, "an object"),
        **CACHED,
    },
    "tool_use": {
        "id": (True, is_filled, "a valid string"),
        "name": (True, is_filled, "a valid string"),
        "input": (True, is_object, "a valid dictionary"),
        "caller": (False, is_object, "an object"),
        "toolset_name": (False, is_nothing_or(is_text), "a valid string or null"),
        **CACHED,
    },
    "tool_result": {
        "tool_use_id": (True, is_filled, "a valid string"),
        "content": (False, lambda v: isinstance(v, str | list), "a valid string or list"),
        "is_error": (False, is_flag, "a valid boolean"),
        "toolset_name": (False, is_nothing_or(is_text), "a valid string or null"),
        **CACHED,
    },
    "thinking": {
        "thinking": (True, is_text, "a valid string"),
        "signature": (True, is_filled, "a valid string"),
    },
    "server_tool_use": {
        "id": (True, is_filled, "a valid string"),
        "name": (True, one_of("web_search", "web_fetch"), "a server tool"),
        "input": (True, is_object, "a valid dictionary"),
        "caller": (False, is_object, "an object"),
        **CACHED,
    },
    "web_search_tool_result": {**WEB_RESULT, **CACHED},
    "web_fetch_tool_result": {**WEB_RESULT, **CACHED},
    "redacted_thinking": {"data": (True, is_filled, "a valid string")},
}
WHERE = {
    "user": ("text", "image", "document", "search_result", "tool_result"),
    "assistant": (
        "text",
        "thinking",
        "redacted_thinking",
        "tool_use",
        "server_tool_use",
        "web_search_tool_result",
        "web_fetch_tool_result",
    ),
    "tool_result": ("text", "image", "document", "search_result"),
    "search_result": ("text",),
    "system": ("text",),
}


def check_fields(at: str, value: dict[str, Any], fields: Fields) -> None:
    """Check that every field is known and of its type, and that required fields are present."""
    for name in value:
        if name not in fields:
            raise Refused(f"{at}.{name}: Extra inputs are not permitted")
    for name, (required, check, words) in fields.items():
        if name not in value:
            if required:
                raise Refused(f"{at}.{name}: Field required")
        elif not check(value[name]):
            raise Refused(f"{at}.{name}: Input should be {words}")


def check_cache_control(at: str, value: dict[str, Any]) -> None:
    """Check the `cache_control` of a block or a tool, if present."""
    if (control := value.get("cache_control")) is not None:
        check_fields(f"{at}.cache_control", control, CACHE_CONTROL)


def check_text(at: str, block: dict[str, Any], role: str) -> None:
    if not block["text"]:
        raise Refused(f"{at}: text content blocks must be non-empty")
    if not block["text"].strip():
        raise Refused(f"{at}: text content blocks must contain non-whitespace text")
    if block.get("citations") and role != "assistant":
        raise Refused(f"{at}.citations: citations are only for the assistant's texts")
    for index, cited in enumerate(block.get("citations") or ()):
        is_web = cited.get("type") == "web_search_result_location"
        check_fields(f"{at}.citations.{index}", cited, CITED_WEB if is_web else CITED)


def check_block(at: str, block: object, role: str) -> None:
    """Check a block in `role` (the message's role or the enclosing block), and its inner blocks."""
    if not isinstance(block, dict):
        raise Refused(f"{at}: Input should be an object")
    kind = block.get("type")
    if kind not in BLOCKS or kind not in WHERE[role]:
        raise Refused(
            f"{at}: Input tag {kind!r} found using 'type' does not match any of the expected "
            f"tags for {role}: {', '.join(map(repr, WHERE[role]))}"
        )
    check_fields(at, {k: v for k, v in block.items() if k != "type"}, BLOCKS[kind])
    check_cache_control(at, block)
    match kind:
        case "image" | "document":
            if fault := unreadable(kind, block["source"]):
                raise Refused(f"{at}.{kind}.source.base64: {fault}")
        case "text":
            check_text(at, block, role)
        case "search_result":
            check_fields(f"{at}.citations", block.get("citations") or {}, CITATIONS)
            check_blocks(f"{at}.content", block["content"], kind)
        case "tool_result":
            check_blocks(f"{at}.content", blocks(block.get("content") or []), kind)
        case "thinking" if not signed(block["thinking"], block["signature"]):
            raise Refused(f"{at}: Invalid `signature` in `thinking` block")


def check_blocks(at: str, content: list[Any], role: str) -> None:
    for index, block in enumerate(content):
        check_block(f"{at}.{index}", block, role)
