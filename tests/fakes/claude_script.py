"""The answer script: the parts of an answer, the rules, and the choice between them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel

from tests.fakes import claude_schema, claude_web
from tests.fakes.claude_request import Chosen, Request, Which
from tests.fakes.claude_stream import Citation, sign, tokens
from tests.fakes.claude_web import WebFetch, WebSearch, WebText


class ScriptError(AssertionError):
    """Raised at close if the test scripted an answer that a model could not give."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text block. `cites`: hits by index, or by a substring of their source, title or text."""

    text: str
    cites: tuple[int | str, ...] = ()


@dataclass(frozen=True, slots=True)
class Thinking:
    text: str


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool call. `wild`: as a model may invent it; neither name nor input is checked."""

    name: str
    input: Mapping[str, Any]
    wild: bool = False


@dataclass(frozen=True, slots=True)
class Stop:
    """An answer that ends with another stop_reason than its content implies."""

    reason: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Pause:
    """The last block: the turn pauses, and continues when the client sends it back."""


Block = Text | Thinking | ToolUse | WebSearch | WebFetch | WebText | Pause
Reply = str | Block | Stop | Mapping[str, Any] | BaseModel | Sequence[Block | str] | None
Script = Callable[[Request], Reply]
Kind = Literal["say", "answer", "stop", "call", "fill"]


class Rule(Chosen):
    """A rule for an answer: `make` returns the reply, or None to try the next rule."""

    def __init__(self, kind: Kind, make: Script, which: Which, result: str | None = None) -> None:
        super().__init__(which)
        self.kind, self.make, self.result = kind, make, result
        self.limited = self.left is not None
        self.after: Rule | None = None

    @property
    def pointed(self) -> bool:
        """Return whether the rule is specific to certain requests (`when` or `result`)."""
        return self.when is not None or self.result is not None

    def fits(self, request: Request) -> bool:
        return super().fits(request) and (
            self.result is None or any(self.result in r.text for r in request.tool_results)
        )


def preferred(rules: Iterable[Rule]) -> list[Rule]:
    """Put rules with `when` or `result` first; of these, limited ones in order, then the newest."""
    placed = list(enumerate(rules))
    placed.sort(
        key=lambda item: (
            not item[1].pointed,
            not item[1].limited,
            item[0] if item[1].limited else -item[0],
        )
    )
    return [rule for _, rule in placed]


def choices(rules: Sequence[Rule], request: Request, called: Sequence[Rule]) -> list[Rule]:
    """Return the applicable rules, best first. `called`: the rules whose tools this turn called."""
    fitting = [rule for rule in rules if rule.fits(request)]
    stops = preferred(rule for rule in fitting if rule.kind == "stop")
    fills = preferred(rule for rule in fitting if rule.kind == "fill")
    if request.schema is not None:
        # A summary request contains the words of many turns, so rules for these must not match.
        return [*stops, *fills, *preferred(rule for rule in fitting if rule.kind == "answer")]
    answers = preferred(rule for rule in fitting if rule.kind in ("say", "answer"))
    calls = [rule for rule in fitting if rule.kind == "call" and rule not in called]
    pointed = [rule for rule in calls if rule.pointed]
    if any(rule.pointed for rule in answers):
        calls = pointed
    then = [rule.after for rule in called[-1:] if rule.after and rule.after.fits(request)]
    if request.tools:
        fills = []
    return [*stops, *(pointed or calls)[:1], *then, *fills, *answers]


def find_hit(request: Request, wanted: int | str) -> Citation:
    for hit in request.hits:
        if wanted == hit.index or (
            isinstance(wanted, str) and wanted in f"{hit.source}\n{hit.title}\n{hit.text}"
        ):
            if not hit.citable:
                raise ScriptError(f"hit {wanted!r} has citations switched off")
            return Citation(hit, 0, len(hit.texts))
    shown = [f"{hit.source}: {hit.text[:40]}" for hit in request.hits]
    raise ScriptError(f"no hit {wanted!r} to cite in request {request.number}, but {shown}")


def check_tool_use(request: Request, use: ToolUse) -> None:
    if use.wild:
        return
    tools = {tool["name"]: tool for tool in request.tools}
    if use.name not in tools:
        raise ScriptError(f"no tool {use.name!r} in request {request.number}, but {sorted(tools)}")
    if wrong := claude_schema.fault(dict(use.input), tools[use.name]["input_schema"]):
        raise ScriptError(f"{use.name} does not take {use.input!r}: {wrong}")


def content(
    request: Request, reply: Reply, thoughts: Sequence[Thinking], new_id: Callable[[], str]
) -> tuple[list[dict[str, Any]], str]:
    """Render a reply as API blocks and a stop_reason, truncated to max_tokens."""
    if isinstance(reply, Stop):
        return ([{"type": "text", "text": reply.text}] if reply.text else []), reply.reason
    if isinstance(reply, Mapping | BaseModel) or (request.schema and not isinstance(reply, str)):
        reply = claude_schema.written(reply)
    if request.schema is not None:
        _check_fit(str(reply), request.schema)
    parts = reply if isinstance(reply, list | tuple) else [reply]
    paused = any(isinstance(each, Pause) for each in parts)
    made: list[dict[str, Any]] = []
    for part in (*thoughts, *parts):
        made += _blocks(request, part, new_id, made)
    kept, cut = _within(made, request.max_tokens)
    if cut:
        return kept, "max_tokens"
    if paused:
        return kept, "pause_turn"
    return kept, "tool_use" if any(b["type"] == "tool_use" for b in kept) else "end_turn"


def _check_fit(text: str, schema: dict[str, Any]) -> None:
    try:
        wrong = claude_schema.fault(json.loads(text), schema)
    except ValueError as error:
        wrong = str(error)
    if wrong:
        raise ScriptError(f"the answer {text[:80]!r} does not fit the schema: {wrong}")


def _blocks(
    request: Request, part: object, new_id: Callable[[], str], before: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    match part:
        case Pause():
            return []
        case WebSearch() | WebFetch():
            kind = "web_search" if isinstance(part, WebSearch) else "web_fetch"
            used = sum(each.get("name") == kind for each in before)
            return claude_web.made(request, part, new_id, used)
        case WebText():
            return [claude_web.cited(request, part, before)]
    block = _block(request, part, new_id)
    return [block] if block else []


def _block(request: Request, part: object, new_id: Callable[[], str]) -> dict[str, Any] | None:
    match part:
        case str() | None:
            return {"type": "text", "text": part} if part else None
        case Text():
            block: dict[str, Any] = {"type": "text", "text": part.text}
            if part.cites:
                block["citations"] = [find_hit(request, wanted).wire() for wanted in part.cites]
            return block
        case Thinking():
            return {"type": "thinking", "thinking": part.text, "signature": sign(part.text)}
        case ToolUse():
            check_tool_use(request, part)
            return {"type": "tool_use", "id": new_id(), "name": part.name, "input": {**part.input}}
    raise ScriptError(f"{part!r} is nothing that a model says")


def _within(made: list[dict[str, Any]], limit: int) -> tuple[list[dict[str, Any]], bool]:
    """Truncate to `limit` tokens: thinking counts, a text is cut, a tool call is left out."""
    kept: list[dict[str, Any]] = []
    for block in made:
        text = block.get("text", block.get("thinking")) or json.dumps(block.get("input", {}))
        cost = tokens(text)
        if cost > limit:
            if block["type"] == "text" and limit > 0:
                cut = text.encode()[: limit * 4].decode(errors="ignore")
                kept.append({"type": "text", "text": cut})
            return kept, True
        limit -= cost
        kept.append(block)
    return kept, False
