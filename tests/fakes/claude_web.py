"""Server-side web tools (search, fetch): validation of requests, and their results.

Like the real ones they return their findings encrypted, except for titles and addresses, and refuse
addresses that the request does not allow.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from tests.fakes.claude_request import Request, blocks

SEARCH_TYPE, FETCH_TYPE = "web_search_20250305", "web_fetch_20250910"
NAMES = {SEARCH_TYPE: "web_search", FETCH_TYPE: "web_fetch"}
RESULTS = {"web_search_tool_result", "web_fetch_tool_result"}


@dataclass(frozen=True, slots=True)
class WebSearch:
    """A web search by the model. `found`: (address, title, text) of results; `error`: a code."""

    query: str
    found: tuple[tuple[str, str, str], ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True)
class WebFetch:
    """A web fetch of the model, if the request allows the address."""

    url: str
    title: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class WebText:
    """A text that cites search results by their addresses."""

    text: str
    cites: tuple[str, ...]


def encrypted(url: str) -> str:
    return "enc_" + hashlib.sha256(url.encode()).hexdigest()


def tool_of(request: Request, name: str) -> dict[str, Any] | None:
    return next((t for t in request.tools if NAMES.get(t.get("type", "")) == name), None)


def made(
    request: Request, part: WebSearch | WebFetch, new_id: Callable[[], str], used: int
) -> list[dict[str, Any]]:
    """Return the call and its result. `used`: earlier uses of the tool in this request."""
    if isinstance(part, WebSearch):
        name, given = "web_search", {"query": part.query}
    else:
        name, given = "web_fetch", {"url": part.url}
    tool = tool_of(request, name)
    if tool is None:
        raise AssertionError(f"request {request.number} offers no {name}")
    id = new_id().replace("toolu_", "srvtoolu_")
    call = {"type": "server_tool_use", "id": id, "name": name, "input": given}
    error = "max_uses_exceeded" if used >= (tool.get("max_uses") or 1_000) else ""
    result: Any
    if isinstance(part, WebSearch):
        error = error or part.error
        result = [
            {
                "type": "web_search_result",
                "url": url,
                "title": title,
                "encrypted_content": encrypted(url),
                "page_age": None,
            }
            for url, title, _ in part.found
        ]
    else:
        error = error or _unreadable(request, tool, part.url)
        document = {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": part.text},
            "title": part.title,
            "citations": None,
        }
        result = {
            "type": "web_fetch_result",
            "url": part.url,
            "content": document,
            "retrieved_at": "2026-02-12T12:00:00Z",
        }
    if error:
        result = {"type": f"{name}_tool_result_error", "error_code": error}
    return [call, {"type": f"{name}_tool_result", "tool_use_id": id, "content": result}]


def _unreadable(request: Request, tool: dict[str, Any], url: str) -> str:
    """Return the error code for an address that may not be read; "" if it may."""
    host, allowed = urlsplit(url).hostname or "", tool.get("allowed_domains")
    if allowed is not None and not any(host == d or host.endswith(f".{d}") for d in allowed):
        return "url_not_allowed"
    from_user = (tool.get("url_sources") or {}).get("user_input", {"type": "all"})["type"] == "all"
    said = "\n".join(
        block.get("text", "")
        for message in request.messages
        if message["role"] == "user"
        for block in blocks(message["content"])
    )
    return "" if from_user and url in said else "url_not_in_prior_context"


def cited(request: Request, part: WebText, found: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a text that cites existing results. `found`: the blocks of this answer."""
    said = [b for m in request.messages if m["role"] == "assistant" for b in blocks(m["content"])]
    known = {
        each["url"]: each["title"]
        for block in [*said, *found]
        if block["type"] == "web_search_tool_result" and isinstance(block["content"], list)
        for each in block["content"]
    }
    return {
        "type": "text",
        "text": part.text,
        "citations": [
            {
                "type": "web_search_result_location",
                "url": url,
                "title": known[url],
                "encrypted_index": encrypted(url),
                "cited_text": part.text[:150],
            }
            for url in part.cites
        ],
    }


def usage(content: list[dict[str, Any]]) -> dict[str, int] | None:
    """Return what is billed besides tokens; failed searches are not."""
    if not any(block["type"] in RESULTS for block in content):
        return None
    good = [
        block["type"]
        for block in content
        if block["type"] in RESULTS and not str(_kind(block["content"])).endswith("_error")
    ]
    return {
        "web_search_requests": good.count("web_search_tool_result"),
        "web_fetch_requests": good.count("web_fetch_tool_result"),
    }


def _kind(content: object) -> object:
    return content.get("type") if isinstance(content, dict) else ""


def is_own(content: object) -> bool:
    """Return whether a result that the client sent back was issued by this fake, not made up."""
    for each in content if isinstance(content, list) else []:
        if each.get("encrypted_content") != encrypted(str(each.get("url"))):
            return False
    return isinstance(content, list) or str(_kind(content)).startswith("web_")


def bad_domain(value: object) -> bool:
    return not isinstance(value, list) or not all(
        isinstance(each, str) and re.fullmatch(r"[a-z0-9.\-]+(?:/\S*)?", each) for each in value
    )
