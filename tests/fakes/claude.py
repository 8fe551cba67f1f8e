"""Fake Messages API on loopback: validates requests strictly and answers from a script.

    with FakeClaude.running() as claude:                 # or `async with`, in the test's event loop
        claude.responds_with("Rex.", when="my dog")
        claude.calls("search_memory", {"query": "cat"}, when="my cat", then="It is Tom.")
        ...                                              # ANTHROPIC_BASE_URL = claude.url
        assert claude.requests[-1].newest_text == "what is the name of my dog?"
        assert_no_violations(claude)

Every rule of the script takes `when` (a substring of the newest user text, a pattern in it, or a
function of the request), `model` (a substring of its name) and `times` (None: always). Of the
matching rules, those with `when` or `result` come first; among these, first those with `times`, in
order, until they are used up; then the most recently added.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

from aiohttp import web
from pydantic import BaseModel

from tests.fakes import claude_cache, claude_schema
from tests.fakes.claude_batches import Bulk
from tests.fakes.claude_cache import CacheUse, PrefixBreak
from tests.fakes.claude_faults import Hold, Troubles
from tests.fakes.claude_request import Hit, Request, ToolResult, Usage, Which
from tests.fakes.claude_script import (
    Block,
    Kind,
    Reply,
    Rule,
    Script,
    ScriptError,
    Stop,
    Text,
    Thinking,
    ToolUse,
)
from tests.fakes.claude_server import Refusal, Serving
from tests.fakes.claude_usage import BilledAnswer
from tests.fakes.wire import Running

__all__ = [
    "MODELS",
    "CacheUse",
    "FakeClaude",
    "Hit",
    "Hold",
    "PrefixBreak",
    "Refusal",
    "Request",
    "ScriptError",
    "Stop",
    "Text",
    "Thinking",
    "ToolResult",
    "ToolUse",
    "Usage",
]

MODELS = ("claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5")


class FakeClaude(Troubles):
    """The fake and its scripting methods. `default` is the answer if nothing else matches.

    May be set at any time: `models`, `keys` (None: any), `context_window` (tokens), `chunk_delay`
    (seconds between the events of a stream), `keep` (called with each request: `requests` of a long
    run fill gigabytes).
    """

    def __init__(self, *, default: str = "All right.", port: int = 0) -> None:
        super().__init__()
        self.port = port
        self.default = default
        self.models: list[str] = [*MODELS]
        self.keys: set[str] | None = None
        self.context_window = 1_000_000
        self.chunk_delay = 0.0
        self.caching = True
        self.cache = claude_cache.Cache()
        self.uses: list[CacheUse] = []
        self.arrived = 0
        self.requests: list[Request] = []
        self.keep: Callable[[Request], None] = self.requests.append
        self.billed: list[BilledAnswer] = []
        self.refused: list[Refusal] = []
        self.errors: list[ScriptError] = []
        self.bulk = Bulk()
        self.rules: list[Rule] = []
        self.thoughts: list[Rule] = []

    @classmethod
    def running(cls, **options: Any) -> Running[FakeClaude]:
        """Return a context manager: `with` (in its own thread) or `async with` (in this loop)."""
        return Running(cls(**options))

    @property
    def url(self) -> str:
        """Return the value for ANTHROPIC_BASE_URL, without /v1."""
        return f"http://127.0.0.1:{self.port}"

    def app(self) -> web.Application:
        return Serving(self).app()

    # -- scripting ---------------------------------------------------------------------------

    def _rule(self, kind: Kind, make: Script, which: Which, result: str | None = None) -> Rule:
        rule = Rule(kind, make, which, result)
        self.rules.append(rule)
        return rule

    def responds_with(
        self,
        text: str | Sequence[Block | str],
        *,
        result: str | None = None,
        **which: Unpack[Which],
    ) -> None:
        """Answer with a text; `result`: only if the newest tool results contain this."""
        self._rule("say", lambda request: text, which, result)

    def answers(self, function: Script, **which: Unpack[Which]) -> None:
        """Answer with `function(request)`; if that is None, try the next rule."""
        self._rule("answer", function, which)

    def calls(
        self,
        tool: str,
        input: Mapping[str, Any] | Callable[[Request], Mapping[str, Any]],
        *,
        then: Reply | Script = None,
        before: str = "",
        wild: bool = False,
        **which: Unpack[Which],
    ) -> None:
        """Call a tool, once in a turn; several such rules apply in order, one per round.

        Then say `then` (a reply, or a function that reads `request.tool_results`), or what another
        rule says. `before`: text before the call. `wild`: do not check that the tool exists.
        """

        def make(request: Request) -> Reply:
            use = ToolUse(tool, input(request) if callable(input) else input, wild)
            return [before, use] if before else [use]

        rule = self._rule("call", make, which)
        if then is not None:
            say: Script = then if callable(then) else lambda request: then
            rule.after = Rule("say", say, {**which, "times": None})

    def cites(
        self,
        text: str,
        hit: int | str = 0,
        *,
        before: str = "",
        after: str = "",
        **which: Unpack[Which],
    ) -> None:
        """Say `before`, then `text` with a citation of the hit (its index, or a substring of its
        source, title or text), then `after`."""
        reply: list[Block | str] = [before, Text(text, (hit,)), after]
        self._rule("say", lambda request: reply, which)

    def fills(
        self, value: Any | Callable[[Request], Any], *, has: str = "", **which: Unpack[Which]
    ) -> None:
        """Fill structured output with the value (a dict, a model, JSON) or the function's result,
        which is checked against the schema. `has`: only if the schema has this property. A request
        without a schema gets it too, if it has no tools and mentions JSON."""

        def make(request: Request) -> Reply:
            if request.schema is None:
                if "json" not in "\n".join((request.system_text, *request.newest_texts)).lower():
                    return None
            elif has and has not in request.schema.get("properties", {}):
                return None
            made = value(request) if callable(value) else value
            return claude_schema.written(made) if isinstance(made, Mapping | BaseModel) else made

        self._rule("fill", make, which)

    def summaries(self, function: Callable[[Request], Any], **which: Unpack[Which]) -> None:
        """Fill summary requests: those whose schema has the property `summary`."""
        self.fills(function, has="summary", **which)

    def stops(self, reason: str, text: str = "", **which: Unpack[Which]) -> None:
        """Say `text` and stop with this stop_reason, once unless `times` says otherwise."""
        which.setdefault("times", 1)
        self._rule("stop", lambda request: Stop(reason, text), which)

    def refuses(self, text: str = "", **which: Unpack[Which]) -> None:
        """Answer with stop_reason `refusal`."""
        self.stops("refusal", text, **which)

    def max_tokens(self, text: str = "I was about to", **which: Unpack[Which]) -> None:
        """Answer with stop_reason `max_tokens`."""
        self.stops("max_tokens", text, **which)

    def thinks(self, text: str, **which: Unpack[Which]) -> None:
        """Put a thinking block before the answer, unless the request switches thinking off. Its
        text is withheld unless the request asks for `display: summarized`."""
        self.thoughts.append(Rule("say", lambda request: text, which))

    def is_local(self, *models: str) -> None:
        """Act as a local server: other models, no search_result, citations or output_config."""
        self.models = [*models] or ["qwen3"]
        self.caching = False
        self.rejects("search_result", "citations", "output_config")

    # -- inspecting requests -----------------------------------------------------------------

    @property
    def chats(self) -> list[Request]:
        """Return the requests without structured output."""
        return [request for request in self.requests if request.schema is None]

    @property
    def unscripted(self) -> list[Request]:
        """Return the requests that no rule answered."""
        return [request for request in self.requests if request.unscripted]

    def violations(self) -> list[str]:
        """Return what was refused, for `assert_no_violations`."""
        return [f"Claude: {refusal.status} {refusal.message}" for refusal in self.refused]

    def forgives(self, status: int, since: int) -> None:
        """Drop complaints about refusals with this status, except among the first `since`."""
        self.refused[since:] = [each for each in self.refused[since:] if each.status != status]

    def cache_report(self) -> list[CacheUse]:
        """Return the cache usage of each answered request, in the fake's tokens."""
        return list(self.uses)

    def prefix_breaks(
        self, requests: Sequence[Request] | None = None, *, breakpoints: int = 2
    ) -> list[PrefixBreak]:
        """Return where P(n) is not a byte prefix of P(n+1), for `chats` or the given requests."""
        return claude_cache.prefix_breaks(self.chats if requests is None else requests, breakpoints)

    def passes(self, seconds: float) -> None:
        """Advance the cache's clock."""
        self.cache.ahead += seconds

    def wait_until(self, true: Callable[[FakeClaude], object], timeout: float = 60.0) -> None:
        """Wait (in a thread) until `true(claude)` is true. Raises TimeoutError."""
        end = time.monotonic() + timeout
        while not true(self):
            if time.monotonic() > end:
                raise TimeoutError(f"after {timeout} s, {len(self.requests)} requests")
            time.sleep(0.01)

    def check(self) -> None:
        """Raise the first ScriptError."""
        if self.errors:
            raise self.errors[0]
