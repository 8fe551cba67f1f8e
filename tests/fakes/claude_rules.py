"""Strict request validator: what the Messages API refuses with 400."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from tests.fakes.claude_blocks import (
    CACHED,
    Fields,
    Refused,
    check_block,
    check_blocks,
    check_cache_control,
    check_fields,
    is_filled,
    is_flag,
    is_list,
    is_nothing_or,
    is_object,
    is_text,
    one_of,
)
from tests.fakes.claude_request import blocks, search_results
from tests.fakes.claude_schema import check_output, unsound
from tests.fakes.claude_web import NAMES, RESULTS, SEARCH_TYPE, bad_domain

MAX_BREAKPOINTS = 4
MAX_OUTPUT = 128_000
SAMPLING = ("temperature", "top_p", "top_k")

TOP: Fields = {
    "model": (True, is_filled, "a valid string"),
    "messages": (True, is_list, "a valid list"),
    "max_tokens": (True, lambda v: type(v) is int, "a valid integer"),
    "system": (False, lambda v: isinstance(v, str | list), "a valid string or list"),
    "tools": (False, is_list, "a valid list"),
    "tool_choice": (False, is_object, "an object"),
    "stream": (False, is_flag, "a valid boolean"),
    "metadata": (False, is_object, "an object"),
    "thinking": (False, is_object, "an object"),
    "output_config": (False, is_object, "an object"),
    **CACHED,
}
TOOL: Fields = {
    "name": (True, is_text, "a valid string"),
    "description": (False, is_text, "a valid string"),
    "input_schema": (True, is_object, "a valid dictionary"),
    "type": (False, one_of("custom", None), "'custom'"),
    "strict": (False, is_flag, "a valid boolean"),
    "eager_input_streaming": (False, is_nothing_or(is_flag), "a valid boolean or null"),
    **CACHED,
}
SERVER_TOOL: Fields = {
    "name": (True, is_text, "a valid string"),
    "type": (True, one_of(*NAMES), "a known type"),
    "max_uses": (False, is_nothing_or(lambda v: type(v) is int and v > 0), "a positive integer"),
    "allowed_domains": (False, is_nothing_or(lambda v: not bad_domain(v)), "a list of domains"),
    "blocked_domains": (False, is_nothing_or(lambda v: not bad_domain(v)), "a list of domains"),
    **CACHED,
}
SEARCH_TOOL: Fields = {**SERVER_TOOL, "user_location": (False, is_object, "an object")}
FETCH_TOOL: Fields = {
    **SERVER_TOOL,
    "citations": (False, is_nothing_or(is_object), "an object"),
    "max_content_tokens": (False, lambda v: type(v) is int and v > 0, "a positive integer"),
    "url_sources": (False, is_object, "an object"),
}
URL_SOURCES: Fields = {
    name: (False, lambda v: isinstance(v, dict) and v.get("type") in ("all", "none"), "all or none")
    for name in ("user_input", "client_tool_results", "server_tool_results")
}
THINKING: Fields = {
    "type": (True, one_of("adaptive", "enabled", "disabled", "between_tools"), "a known type"),
    "budget_tokens": (False, lambda v: type(v) is int and v >= 1024, "at least 1024"),
    "display": (False, one_of("summarized", "omitted", None), "'summarized' or 'omitted'"),
}
CHOICE: Fields = {
    "type": (True, one_of("auto", "any", "tool", "none"), "one of auto, any, tool, none"),
    "name": (False, is_filled, "a valid string"),
    "disable_parallel_tool_use": (False, is_flag, "a valid boolean"),
}


def check_request(body: object, *, counting: bool = False) -> None:
    """Raise `Refused` as the API would; `counting`: for count_tokens, which has no max_tokens."""
    if not isinstance(body, dict):
        raise Refused("The request body is not valid JSON")
    for name in SAMPLING:
        if name in body:
            raise Refused(f"{name}: not supported by this model")
    fields = {k: v for k, v in TOP.items() if not counting or k not in ("max_tokens", "stream")}
    _top(body, fields)
    _system(body.get("system", ""))
    names = _tools(body.get("tools") or [])
    _messages(body["messages"])
    _pairs(body["messages"], has_tools=bool(names))
    _choice(body.get("tool_choice"), names)
    check_output(body.get("output_config") or {})
    if body.get("thinking"):
        check_fields("thinking", body["thinking"], THINKING)
    check_fields("metadata", body.get("metadata") or {}, {"user_id": (False, is_text, "text")})
    _breakpoints(body)
    _citations(body)


def _top(body: dict[str, Any], fields: Fields) -> None:
    for name in body:
        if name not in fields:
            raise Refused(f"{name}: Extra inputs are not permitted")
    for name, (required, check, words) in fields.items():
        if required and name not in body:
            raise Refused(f"{name}: Field required")
        if name in body and not check(body[name]):
            raise Refused(f"{name}: Input should be {words}")
    if "max_tokens" in fields:
        if body["max_tokens"] < 1:
            raise Refused("max_tokens: must be greater than or equal to 1")
        if body["max_tokens"] > MAX_OUTPUT:
            raise Refused(
                f"max_tokens: {body['max_tokens']} > {MAX_OUTPUT}, which is the maximum allowed"
            )
    check_cache_control("request", body)


def _system(system: str | list[Any]) -> None:
    if isinstance(system, list):
        check_blocks("system", system, "system")


def _tools(tools: list[Any]) -> list[str]:
    names: list[str] = []
    for index, tool in enumerate(tools):
        at = f"tools.{index}.custom"
        if not isinstance(tool, dict):
            raise Refused(f"{at}: Input should be an object")
        if tool.get("type") in NAMES:
            _server_tool(f"tools.{index}.{tool['type']}", tool)
            names.append(tool["name"])
            continue
        check_fields(at, tool, TOOL)
        check_cache_control(at, tool)
        if not re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", tool["name"]):
            raise Refused(f"{at}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'")
        if tool["input_schema"].get("type") != "object":
            raise Refused(f"{at}.input_schema.type: Input should be 'object'")
        if fault := unsound(tool["input_schema"]):
            raise Refused(f"{at}.input_schema: JSON schema is invalid: {fault}")
        names.append(tool["name"])
    if len(set(names)) != len(names):
        raise Refused("tools: Tool names must be unique.")
    return names


def _server_tool(at: str, tool: dict[str, Any]) -> None:
    check_fields(at, tool, SEARCH_TOOL if tool["type"] == SEARCH_TYPE else FETCH_TOOL)
    check_cache_control(at, tool)
    if tool["name"] != NAMES[tool["type"]]:
        raise Refused(f"{at}.name: Input should be {NAMES[tool['type']]!r}")
    if tool.get("allowed_domains") and tool.get("blocked_domains"):
        raise Refused(f"{at}: allowed_domains and blocked_domains may not be used together")
    check_fields(f"{at}.url_sources", tool.get("url_sources") or {}, URL_SOURCES)


def _messages(messages: list[Any]) -> None:
    if not messages:
        raise Refused("messages: at least one message is required")
    for index, message in enumerate(messages):
        at = f"messages.{index}"
        if not isinstance(message, dict) or message.get("role") not in ("user", "assistant"):
            raise Refused(f"{at}.role: Input should be 'user' or 'assistant'")
        for name in message:
            if name not in ("role", "content"):
                raise Refused(f"{at}.{name}: Extra inputs are not permitted")
        content = message.get("content")
        if not isinstance(content, str | list):
            raise Refused(f"{at}.content: Input should be a valid string or list")
        if not content:
            raise Refused(f"{at}: all messages must have non-empty content")
        for place, block in enumerate(blocks(content)):
            check_block(f"{at}.content.{place}", block, message["role"])
    roles = [message["role"] for message in messages]
    if roles[0] != "user":
        raise Refused("messages: first message must use the user role")
    for before, after in pairwise(roles):
        if before == after:
            raise Refused(
                'messages: roles must alternate between "user" and "assistant", '
                f'but found multiple "{after}" roles in a row'
            )
    paused = roles[-1] == "assistant" and _of(messages[-1], "server_tool_use")
    if roles[-1] != "user" and not paused:
        raise Refused(
            "This model does not support assistant message prefill. "
            "The conversation must end with a user message."
        )


def _of(message: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [block for block in blocks(message["content"]) if block["type"] == kind]


def _pairs(messages: list[dict[str, Any]], *, has_tools: bool) -> None:
    """Check that the message after a tool_use has its result, and no results without a call."""
    seen: set[str] = set()
    asked: list[str] = []
    for index, message in enumerate(messages):
        answers = [block["tool_use_id"] for block in _of(message, "tool_result")]
        if (asked or answers) and not has_tools:
            raise Refused("Requests which include tool_use or tool_result blocks must define tools")
        for place, answer in enumerate(answers):
            if answer not in asked:
                raise Refused(
                    f"messages.{index}.content.{place}: unexpected `tool_use_id` found in "
                    f"`tool_result` blocks: {answer}. Each `tool_result` block must have a "
                    "corresponding `tool_use` block in the previous message."
                )
            if answers.count(answer) > 1:
                raise Refused(
                    f"messages.{index}: each tool_use must have a single result: {answer}"
                )
        if left := [use for use in asked if use not in answers]:
            raise Refused(
                f"messages.{index - 1}: `tool_use` ids were found without `tool_result` blocks "
                f"immediately after: {', '.join(left)}. Each `tool_use` block must have a "
                "corresponding `tool_result` block in the next message."
            )
        called = {block["id"] for block in _of(message, "server_tool_use")}
        for kind in RESULTS:
            for block in _of(message, kind):
                if block["tool_use_id"] not in called:
                    raise Refused(f"messages.{index}: `{kind}` without its `server_tool_use`")
        kinds = [block["type"] for block in blocks(message["content"])]
        if answers and "tool_result" in kinds[len(answers) :]:
            raise Refused(f"messages.{index}: `tool_result` blocks must come first in the content")
        asked = [block["id"] for block in _of(message, "tool_use")]
        if len({*asked} - seen) != len(asked):
            raise Refused(f"messages.{index}: `tool_use` ids must be unique")
        seen.update(asked)


def _choice(choice: dict[str, Any] | None, names: list[str]) -> None:
    if choice is None:
        return
    check_fields("tool_choice", choice, CHOICE)
    if not names:
        raise Refused("tool_choice: may only be specified while providing tools")
    if choice["type"] == "tool" and choice.get("name") not in names:
        raise Refused(f"tool_choice: Tool '{choice.get('name')}' not found in provided tools")


def cache_controls(value: object) -> list[dict[str, Any]]:
    """Return every `cache_control` in tools, system and messages, in that order."""
    found: list[dict[str, Any]] = []
    if isinstance(value, list):
        for part in value:
            found += cache_controls(part)
    elif isinstance(value, dict):
        for name, part in value.items():
            # a tool's input and schema are the caller's data
            if name not in ("cache_control", "input", "input_schema"):
                found += cache_controls(part)
        if value.get("cache_control") is not None:
            found.append(value["cache_control"])
    return found


def _breakpoints(body: dict[str, Any]) -> None:
    parts = [body.get(part) for part in ("tools", "system", "messages")]
    found = cache_controls(parts) + [c for c in [body.get("cache_control")] if c]
    if len(found) > MAX_BREAKPOINTS:
        raise Refused(
            f"A maximum of {MAX_BREAKPOINTS} blocks with cache_control may be provided. "
            f"Found {len(found)}."
        )
    lives = [control.get("ttl", "5m") for control in found]
    if "1h" in lives and "5m" in lives[: len(lives) - lives[::-1].index("1h")]:
        raise Refused("a ttl='1h' cache_control block must not come after a ttl='5m' one")


def _citations(body: dict[str, Any]) -> None:
    results = list(search_results(body["messages"]))
    enabled = {bool((r.get("citations") or {}).get("enabled")) for r in results}
    if len(enabled) > 1:
        raise Refused("citations must be enabled on all search_result blocks, or on none of them")
    if True in enabled and (body.get("output_config") or {}).get("format"):
        raise Refused("citations are not supported together with output_config.format")
    for index, message in enumerate(body["messages"]):
        for block in _of(message, "text"):
            for cited in block.get("citations") or ():
                if cited["type"] == "web_search_result_location":
                    continue
                place = cited["search_result_index"]
                if place >= len(results) or results[place]["source"] != cited["source"]:
                    raise Refused(
                        f"messages.{index}: a citation points at no search_result: {place}"
                    )
