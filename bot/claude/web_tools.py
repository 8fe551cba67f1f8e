"""Claude's own tools for the web, which run on Anthropic's servers: search, and read an address.

https://docs.claude.com/en/docs/agents-and-tools/tool-use/web-search-tool
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from .request import Block, Citation, ServerCall, WebPage

SEARCH, FETCH = "web_search", "web_fetch"
SEARCH_TYPE, FETCH_TYPE = "web_search_20250305", "web_fetch_20250910"
SEARCH_USD = 0.01  # $10 per 1,000 searches; reading a page costs only its tokens
PAGE_TOKENS = 20_000  # of one page: 4 cents of Sonnet's input
RESULT_TOKENS = 10_000  # of the results of one search, as a rule
RESULTS = frozenset({"web_search_tool_result", "web_fetch_tool_result"})
BLOCKS = RESULTS | {"server_tool_use"}


def search_tool(most: int) -> Block:
    """Return the tool that searches, `most` times in a request."""
    return {"type": SEARCH_TYPE, "name": SEARCH, "max_uses": most}


def fetch_tool(addresses: Sequence[str]) -> Block:
    """Return the tool that reads these addresses of the user's message, and leads nowhere else:
    no address of a result, and no host but theirs."""
    hosts = dict.fromkeys(urlsplit(each).hostname or "" for each in addresses)
    return {
        "type": FETCH_TYPE,
        "name": FETCH,
        "max_uses": len(addresses),
        "allowed_domains": [host for host in hosts if host],
        "max_content_tokens": PAGE_TOKENS,
        "url_sources": {
            "user_input": {"type": "all"},
            "client_tool_results": {"type": "none"},
            "server_tool_results": {"type": "none"},
        },
    }


def is_web(tool: Block) -> bool:
    """Return whether a tool is one of these two."""
    return tool.get("type") in (SEARCH_TYPE, FETCH_TYPE)


def maximum_tokens(tools: Sequence[Block]) -> tuple[int, float]:
    """Return the tokens that these tools may add to a prompt, and the searches' US dollars."""
    uses = {str(tool["type"]): int(str(tool["max_uses"])) for tool in tools if is_web(tool)}
    searches, pages = uses.get(SEARCH_TYPE, 0), uses.get(FETCH_TYPE, 0)
    return searches * RESULT_TOKENS + pages * PAGE_TOKENS, searches * SEARCH_USD


def web_activity(block: Any) -> Iterator[ServerCall | WebPage]:
    """Yield the web activity in a finished block of an answer."""
    match block.type:
        case "server_tool_use" if block.name in (SEARCH, FETCH):
            given = block.input if isinstance(block.input, Mapping) else {}
            yield ServerCall(block.name, given)
        case "web_search_tool_result" if isinstance(block.content, list):
            for each in block.content:
                yield WebPage(each.url, each.title or each.url)
        case "web_fetch_tool_result" if block.content.type == "web_fetch_result":
            page, source = block.content, block.content.content.source
            text = source.data if source.type == "text" else ""
            yield WebPage(page.url, page.content.title or page.url, text, is_read=True)


def citation(location: Any) -> Citation | None:
    """Return a citation of a search result of the web; None for one of another kind."""
    if location.type != "web_search_result_location":
        return None
    return Citation(location.url, location.title or location.url, location.cited_text or "")


def searches(message: Any) -> int:
    """Return how many searches an answer was billed for, or at least has the results of."""
    took = getattr(getattr(message, "usage", None), "server_tool_use", None)
    reported = getattr(took, "web_search_requests", 0) or 0
    found = [b for b in message.content or () if b.type == "web_search_tool_result"]
    return max(int(reported), sum(isinstance(each.content, list) for each in found))
