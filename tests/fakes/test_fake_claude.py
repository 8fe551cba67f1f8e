"""Drive the fake Claude with the real SDK: refusals, answers and faults must be the API's."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import anthropic
import httpx2
import pytest
from anthropic import AsyncAnthropic
from pydantic import BaseModel, ValidationError

from tests.fakes.claude import (
    FakeClaude,
    Request,
    ScriptError,
    Text,
    ToolUse,
)
from tests.fakes.violations import assert_no_violations
from tests.support.process import free_port

HAIKU = "claude-haiku-5-5"
TOOL = {
    "name": "search_memory",
    "description": "Searches.",
    "input_schema": {
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
        "additionalProperties": False,
    },
}
CACHED = {"type": "ephemeral"}


class Bullet(BaseModel):
    text: str
    messages: list[int]
    action: bool = False


class Draft(BaseModel):
    summary: str
    bullets: list[Bullet]


@pytest.fixture
async def claude() -> AsyncIterator[FakeClaude]:
    async with FakeClaude.running() as fake:
        yield fake


@pytest.fixture
async def client(claude: FakeClaude) -> AsyncIterator[AsyncAnthropic]:
    async with AsyncAnthropic(api_key="k", base_url=claude.url, max_retries=0) as sdk:
        yield sdk


def user(*content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content[0] if len(content) == 1 else list(content)}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def hit(source: str, *texts: str, enabled: bool = True, **more: Any) -> dict[str, Any]:
    return {
        "type": "search_result",
        "source": source,
        "title": source,
        "content": [text(words) for words in texts],
        "citations": {"enabled": enabled},
        **more,
    }


async def ask(client: AsyncAnthropic, *content: Any, **more: Any) -> Any:
    body = {"model": HAIKU, "max_tokens": 1000, "messages": [user(*content)], **more}
    return await client.messages.create(**body)


async def stream(client: AsyncAnthropic, *content: Any, **more: Any) -> tuple[list[Any], Any]:
    """Return the events of a stream, and the message they add up to."""
    body = {"model": HAIKU, "max_tokens": 1000, "messages": [user(*content)], **more}
    async with client.messages.stream(**body) as events:
        return [event async for event in events], await events.get_final_message()


# -- answers -------------------------------------------------------------------------------------


async def test_it_answers_by_the_text_and_not_by_order(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    claude.responds_with("Rex.", when="dog")
    claude.responds_with("Tom.", when=re.compile(r"\bcats?\b"))
    claude.responds_with("Nobody.")
    assert (await ask(client, "and my cat?")).content[0].text == "Tom."
    assert (await ask(client, "who is my dog?")).content[0].text == "Rex."
    assert (await ask(client, "who am I?")).content[0].text == "Nobody."
    assert [request.newest_text for request in claude.requests] == [
        "and my cat?",
        "who is my dog?",
        "who am I?",
    ]
    assert_no_violations(claude)
    assert claude.unscripted == []


async def test_the_latest_line_wins_and_limited_ones_are_used_up_first(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    claude.responds_with("always", when="x")
    claude.responds_with("first", when="x", times=1)
    claude.responds_with("second", when="x", times=1)
    claude.responds_with("later", when="x")
    claude.responds_with("never", when="x", model="opus")
    answers = [(await ask(client, "x")).content[0].text for _ in range(4)]
    assert answers == ["first", "second", "later", "later"]


async def test_nothing_scripted_has_a_plain_answer_and_is_noted(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    assert (await ask(client, "hm")).content[0].text == "All right."
    assert len(claude.unscripted) == 1


async def test_a_stream_comes_in_several_deltas_and_adds_up(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    said = "Your dog is called Rex, and he is nine years old.\n\nGreetings!"
    claude.responds_with(said, when="dog")
    events, message = await stream(client, "who is my dog?")
    kinds = [event.type for event in events]
    assert kinds[0] == "message_start" and kinds[-1] == "message_stop"
    assert kinds.count("text") > 3
    assert message.content[0].text == said
    assert message.stop_reason == "end_turn"
    assert message.usage.output_tokens == len(said) // 4
    assert message.usage.input_tokens > 0


async def test_a_function_sees_the_request(claude: FakeClaude, client: AsyncAnthropic) -> None:
    def answer(request: Request) -> str | None:
        if not request.hits:
            return None
        return f"{request.system_text}|{request.newest_texts}|{[h.text for h in request.hits]}"

    claude.responds_with("no hits")
    claude.answers(answer)
    reply = await ask(
        client,
        hit("a.md", "one", "two"),
        text("It is noon."),
        text("well?"),
        system=[text("You are Sam.")],
    )
    assert reply.content[0].text == "You are Sam.|('It is noon.', 'well?')|['onetwo']"
    assert (await ask(client, "well?")).content[0].text == "no hits"


async def test_thinking_is_withheld_shown_or_off(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    claude.thinks("Dogs are animals with names.")
    _, withheld = await stream(client, "hm")
    assert withheld.content[0].type == "thinking" and withheld.content[0].thinking == ""
    assert withheld.usage.output_tokens_details.thinking_tokens == 7
    shown = {"type": "adaptive", "display": "summarized"}
    _, message = await stream(client, "hm", thinking=shown)
    assert message.content[0].thinking == "Dogs are animals with names."
    _, off = await stream(client, "hm", thinking={"type": "disabled"})
    assert [block.type for block in off.content] == ["text"]
    # it counts towards max_tokens
    _, cut = await stream(client, "hm", thinking=shown, max_tokens=8)
    assert cut.stop_reason == "max_tokens" and cut.content[1].text == "All "


@pytest.mark.parametrize("reason", ["refusal", "max_tokens"])
async def test_it_stops_for_other_reasons_once(
    claude: FakeClaude, client: AsyncAnthropic, reason: str
) -> None:
    if reason == "refusal":
        claude.refuses("I", when="x")
    else:
        claude.max_tokens("I", when="x")
    _, message = await stream(client, "x")
    assert (message.stop_reason, message.content[0].text) == (reason, "I")
    assert (message.stop_details is not None) is (reason == "refusal")
    assert (await ask(client, "x")).stop_reason == "end_turn"


# -- tools ---------------------------------------------------------------------------------------


async def turn(client: AsyncAnthropic, words: str, result: Any, **more: Any) -> list[Any]:
    """Run a tool loop as an agent does; every tool returns `result`."""
    messages: list[Any] = [user(words)]
    made = []
    while True:
        _, message = await stream(client, words, messages=messages, tools=[TOOL], **more)
        made.append(message)
        uses = [block for block in message.content if block.type == "tool_use"]
        if not uses:
            return made
        blocks = [block.model_dump(exclude_none=True) for block in message.content]
        messages.append({"role": "assistant", "content": blocks})
        results = [
            {"type": "tool_result", "tool_use_id": use.id, "content": result} for use in uses
        ]
        messages.append({"role": "user", "content": results})


async def test_calls_come_in_their_order_and_then_the_answer(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    claude.calls("search_memory", {"query": "dog"}, when="my dog", before="Let me look.")
    claude.calls("search_memory", {"query": "Rex"}, when="my dog")
    claude.responds_with("It is Rex.", when="my dog")
    claude.thinks("Hm.")
    for _ in range(2):  # a call is made once per turn
        messages = await turn(client, "who is my dog?", "Rex, a dog")
        assert [m.stop_reason for m in messages] == ["tool_use", "tool_use", "end_turn"]
        assert messages[0].content[1].text == "Let me look."
        assert messages[0].content[-1].input == {"query": "dog"}
        assert messages[1].content[-1].input == {"query": "Rex"}
        assert messages[2].content[-1].text == "It is Rex."
    assert [request.round for request in claude.requests] == [0, 1, 2, 0, 1, 2]
    last = claude.requests[-1]
    assert (last.tool_results[0].name, last.tool_results[0].text) == ("search_memory", "Rex, a dog")
    assert last.newest_text == "who is my dog?"


async def test_the_answer_to_a_result_may_read_it(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    claude.calls("search_memory", {"query": "dog"}, then=lambda r: r.tool_results[0].text.upper())
    claude.responds_with("Nothing.", when="dog", result="none")
    assert (await turn(client, "a cat", "tom"))[-1].content[0].text == "TOM"
    claude.calls("search_memory", lambda r: {"query": r.newest_text}, when="dog")
    messages = await turn(client, "a dog", "none")
    assert messages[0].content[0].input == {"query": "a dog"}
    assert messages[1].content[0].text == "Nothing."


async def test_a_call_that_was_cut_is_made_again(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    claude.calls("search_memory", {"query": "dog"}, times=1, then="Rex")
    claude.cuts(after_events=5)
    with pytest.raises(httpx2.RemoteProtocolError):
        await turn(client, "dog", "Rex")
    assert [m.stop_reason for m in await turn(client, "dog", "Rex")] == ["tool_use", "end_turn"]


@pytest.mark.parametrize(
    "use", [ToolUse("unknown", {}), ToolUse("search_memory", {"q": 1}), Text("x", (0,))]
)
async def test_a_script_that_no_model_could_follow_is_an_error(use: Any) -> None:
    with pytest.raises(ScriptError):
        async with FakeClaude.running() as claude:
            claude.responds_with([use])
            async with AsyncAnthropic(api_key="k", base_url=claude.url) as client:
                with pytest.raises(anthropic.InternalServerError):
                    await ask(client, "x", tools=[TOOL])
            assert len(claude.requests) == 1  # not retried


async def test_a_wild_call_is_let_through(claude: FakeClaude, client: AsyncAnthropic) -> None:
    claude.calls("unknown", {"x": 1}, wild=True)
    assert (await ask(client, "x", tools=[TOOL])).content[0].name == "unknown"


# -- citations -----------------------------------------------------------------------------------


async def test_it_cites_a_hit_in_a_stream(claude: FakeClaude, client: AsyncAnthropic) -> None:
    claude.cites("Rex is a dog.", hit="b.md", before="You said: ", after=" Woof.", when="dog")
    hits = [hit("a.md", "cats"), hit("b.md", "dogs", "Rex")]
    events, message = await stream(client, *hits, text("my dog?"))
    assert [block.text for block in message.content] == ["You said: ", "Rex is a dog.", " Woof."]
    (citation,) = [event.citation for event in events if event.type == "citation"]
    assert citation.type == "search_result_location"
    assert (citation.source, citation.search_result_index) == ("b.md", 1)
    assert (citation.cited_text, citation.start_block_index, citation.end_block_index) == (
        "dogsRex",
        0,
        2,
    )
    assert message.content[1].citations == [citation]


async def test_hits_of_tool_results_are_counted_on(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    claude.calls("search_memory", {"query": "dog"}, when="dog")
    claude.answers(lambda r: [Text("Rex", (len(r.hits) - 1,))], when="dog")
    messages = await turn(client, "dog", [hit("c.md", "Rex"), hit("d.md", "Rex")])
    assert messages[-1].content[0].citations[0].search_result_index == 1
    assert messages[-1].content[0].citations[0].source == "d.md"


# -- structured output ---------------------------------------------------------------------------


async def draft(client: AsyncAnthropic, words: str = "x", **more: Any) -> Any:
    return await client.messages.parse(
        model=HAIKU, max_tokens=1000, messages=[user(words)], output_format=Draft, **more
    )


async def test_a_summary_is_what_the_function_gives(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    claude.responds_with("This is for the turns.", when="dog")
    plain = await draft(client, "[1] my dog is Rex")
    assert plain.parsed_output == Draft(summary="", bullets=[])
    claude.summaries(
        lambda r: Draft(summary=r.newest_text, bullets=[Bullet(text="b", messages=[1])])
    )
    made = await draft(client, "[1] my dog is Rex", output_config={"effort": "low"})
    assert made.parsed_output.summary == "[1] my dog is Rex"
    assert claude.requests[-1].effort == "low"
    claude.fills({"summary": "s", "bullets": []}, times=1)
    assert (await draft(client)).parsed_output == Draft(summary="s", bullets=[])
    claude.max_tokens('{"summ')  # messages.parse raises, and hides the stop_reason
    with pytest.raises(ValidationError):
        await draft(client)


async def test_a_value_that_does_not_fit_the_schema_is_a_script_error(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    claude.summaries(lambda r: {"summary": "s"})
    with pytest.raises(anthropic.InternalServerError, match="required property"):
        await draft(client)
    assert len(claude.errors) == 1
    claude.errors.clear()


# -- refusals ------------------------------------------------------------------------------------

USE = {"type": "tool_use", "id": "toolu_1", "name": "search_memory", "input": {"query": "x"}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "r"}
ASKED = [user("x"), {"role": "assistant", "content": [USE]}]
SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False}
CITED = {
    "type": "search_result_location",
    "cited_text": "x",
    "search_result_index": 0,
    "start_block_index": 0,
    "end_block_index": 1,
    "source": "gone.md",
    "title": "gone",
}


def form(schema: dict[str, Any]) -> dict[str, Any]:
    return {"format": {"type": "json_schema", "schema": schema}}


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"temperature": 0.5}, "temperature: not supported"),
    ({"top_k": 5}, "top_k: not supported"),
    ({"surprise": 1}, "surprise: Extra inputs are not permitted"),
    ({"max_tokens": None}, "max_tokens: Input should be"),
    ({"max_tokens": 0}, "max_tokens: must be greater"),
    ({"max_tokens": 10**6}, "maximum allowed"),
    ({"messages": []}, "at least one message"),
    ({"messages": [user("a"), user("b")]}, "roles must alternate"),
    ({"messages": [{"role": "assistant", "content": "a"}]}, "first message must use the user"),
    ({"messages": [user("a"), {"role": "assistant", "content": "b"}]}, "prefill"),
    ({"messages": [user("a"), {"role": "assistant", "content": " "}, user("b")]}, "whitespace"),
    ({"messages": [{"role": "system", "content": "a"}]}, "Input should be 'user' or 'assistant'"),
    ({"messages": [{**user("a"), "id": 3}]}, "messages.0.id: Extra inputs"),
    ({"messages": [user("")]}, "non-empty content"),
    ({"messages": [user([])]}, "non-empty content"),
    ({"messages": [user([text("")])]}, "text content blocks must be non-empty"),
    ({"messages": [user([text("a", color="red")])]}, "messages.0.content.0.color: Extra inputs"),
    ({"messages": [user([{"type": "riddle"}])]}, "does not match any of the expected tags"),
    ({"messages": [user([USE])], "tools": [TOOL]}, "expected tags for user"),
    ({"messages": [*ASKED, user("never mind")], "tools": [TOOL]}, "without `tool_result` blocks"),
    ({"messages": [user([RESULT])], "tools": [TOOL]}, "unexpected `tool_use_id`"),
    ({"messages": [*ASKED, user([RESULT])]}, "must define tools"),
    ({"messages": [*ASKED, user([text("a"), RESULT])], "tools": [TOOL]}, "must come first"),
    ({"messages": [*ASKED, user([RESULT, RESULT])], "tools": [TOOL]}, "a single result"),
    ({"tools": [{**TOOL, "name": "search memory"}]}, "should match pattern"),
    ({"tools": [TOOL, TOOL]}, "Tool names must be unique"),
    ({"tools": [{**TOOL, "input_schema": {"type": "string"}}]}, "Input should be 'object'"),
    ({"tools": [{**TOOL, "input_schema": {"type": "object", "required": 1}}]}, "is invalid"),
    ({"tools": [{**TOOL, "hint": "x"}]}, "hint: Extra inputs"),
    ({"tool_choice": {"type": "any"}}, "while providing tools"),
    ({"tools": [TOOL], "tool_choice": {"type": "tool", "name": "b"}}, "not found"),
    ({"system": [text("a", cache_control=CACHED)] * 5}, "A maximum of 4 blocks"),
    ({"system": [text("a", cache_control={"type": "forever"})]}, "'ephemeral'"),
    ({"system": [hit("a.md", "x")]}, "expected tags for system"),
    ({"messages": [user([hit("a.md", "x"), hit("b.md", "x", enabled=False)])]}, "on all"),
    ({"messages": [user([hit("a.md")])]}, "content: Input should be a list of at least 1"),
    ({"messages": [user([hit("a.md", " ")])]}, "content.0: text content blocks must contain"),
    ({"messages": [user([hit("", "x")])]}, "source: Input should be"),
    ({"messages": [user([hit("a.md", "x", title=None)])]}, "title: Input should be"),
    ({"messages": [user([hit("a.md", "x", score=1)])]}, "score: Extra inputs"),
    ({"messages": [user([hit("a.md", "x")])], "output_config": form(SCHEMA)}, "not supported tog"),
    ({"output_config": form({"type": "object"})}, "'additionalProperties' must be false"),
    (
        {"output_config": form({**SCHEMA, "properties": {"a": {"type": "integer", "minimum": 1}}})},
        "'minimum' is not supported",
    ),
    ({"output_config": {"effort": "great"}}, "effort: Input should be"),
    ({"thinking": {"type": "enabled", "budget_tokens": 5}}, "at least 1024"),
    (
        {
            "messages": [
                user("a"),
                {"role": "assistant", "content": [text("b", citations=[CITED])]},
                user("c"),
            ]
        },
        "points at no search_result",
    ),
    (
        {
            "messages": [
                *ASKED[:1],
                {
                    "role": "assistant",
                    "content": [{"type": "thinking", "thinking": "a", "signature": "b"}, USE],
                },
                user([RESULT]),
            ],
            "tools": [TOOL],
        },
        "Invalid `signature`",
    ),
]


@pytest.mark.parametrize(("body", "message"), REFUSED, ids=[message for _, message in REFUSED])
async def test_it_refuses_what_the_api_refuses(
    claude: FakeClaude, client: AsyncAnthropic, body: dict[str, Any], message: str
) -> None:
    body = {"model": HAIKU, "max_tokens": 10, "messages": [user("a")], **body}
    with pytest.raises(anthropic.BadRequestError, match=re.escape(message)) as refused:
        await client.post("/v1/messages", body=body, cast_to=object)
    error = refused.value.body
    assert isinstance(error, dict) and error["error"]["type"] == "invalid_request_error"
    assert claude.requests == [] and claude.refused[0].status == 400


async def test_complaints_are_reported_and_some_are_dropped(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    claude.keys = {"another"}
    for _ in range(2):
        with pytest.raises(anthropic.AuthenticationError):
            await ask(client, "hi")
    claude.keys = None
    with pytest.raises(anthropic.BadRequestError):
        await client.post("/v1/messages", body={"model": HAIKU}, cast_to=object)
    claude.forgives(401, since=1)
    with pytest.raises(AssertionError, match="found 2 violations") as told:
        assert_no_violations(claude)
    first, second = str(told.value).splitlines()[1:]
    assert first == "  Claude: 401 invalid x-api-key" and second.startswith("  Claude: 400 ")
    claude.forgives(401, since=0)
    assert [each.status for each in claude.refused] == [400]


async def test_all_that_sam_sends_is_accepted(claude: FakeClaude, client: AsyncAnthropic) -> None:
    use = {**USE, "caller": {"type": "direct"}}
    await ask(
        client,
        messages=[
            user([text("a")]),
            {"role": "assistant", "content": [text("b", cache_control=CACHED)]},
            user([hit("a.md", "x", cache_control=CACHED), text("c")]),
            {"role": "assistant", "content": [text("d"), use]},
            user([{**RESULT, "content": [hit("b.md", "y"), text("z")], "is_error": False}]),
        ],
        system=[text("s", cache_control={"type": "ephemeral", "ttl": "1h"})],
        tools=[{**TOOL, "strict": True}],
        tool_choice={"type": "auto", "disable_parallel_tool_use": True},
        thinking={"type": "adaptive"},
        output_config={"effort": "low"},
        metadata={"user_id": "u"},
    )
    assert_no_violations(claude)


async def test_a_word_beside_the_results_is_not_what_was_asked(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    claude.responds_with("Rex", when="x")
    last = user([RESULT, text("This was the last round.")])
    reply = await ask(client, messages=[*ASKED, last], tools=[TOOL])
    assert reply.content[0].text == "Rex" and claude.requests[0].round == 1


async def test_keys_versions_and_models(claude: FakeClaude, client: AsyncAnthropic) -> None:
    with pytest.raises(anthropic.NotFoundError, match="model: claude-2"):
        await ask(client, "x", model="claude-2")
    claude.models.append("claude-2")
    await ask(client, "x", model="claude-2")
    claude.keys = {"right"}
    with pytest.raises(anthropic.AuthenticationError, match="invalid x-api-key"):
        await ask(client, "x")
    await ask(client.with_options(api_key="right"), "x")
    claude.keys = None
    async with httpx2.AsyncClient(base_url=claude.url) as plain:
        assert (await plain.post("/v1/messages", json={})).status_code == 401
        headers = {"x-api-key": "k"}
        no_version = await plain.post("/v1/messages", json={}, headers=headers)
        assert "anthropic-version" in no_version.json()["error"]["message"]
        assert (await plain.get("/v2/nothing", headers=headers)).status_code == 404


async def test_models_and_tokens(claude: FakeClaude, client: AsyncAnthropic) -> None:
    assert HAIKU in [model.id async for model in client.models.list()]
    assert (await client.models.retrieve(HAIKU)).id == HAIKU
    with pytest.raises(anthropic.NotFoundError):
        await client.models.retrieve("claude-2")
    counted = await client.messages.count_tokens(model=HAIKU, messages=[user("x" * 400)])
    assert 100 <= counted.input_tokens <= 120
    claude.context_window = 100
    with pytest.raises(anthropic.BadRequestError, match="prompt is too long"):
        await ask(client, "x" * 400)


async def test_a_local_server_refuses_what_it_does_not_speak(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    claude.is_local("llama3.2")
    with pytest.raises(anthropic.BadRequestError, match="search_result: not supported"):
        await ask(client, hit("a.md", "x"), text("x"), model="llama3.2")
    with pytest.raises(anthropic.BadRequestError, match="output_config: not supported"):
        await ask(client, "x", model="llama3.2", output_config={"effort": "low"})
    claude.responds_with("Rex", when="dog")
    claude.summaries(lambda r: Draft(summary="s", bullets=[]))
    reply = await ask(client, "dog? Answer with JSON.", model="llama3.2")
    assert json.loads(reply.content[0].text) == {"summary": "s", "bullets": []}
    reply = await ask(client, "dog?", model="llama3.2")
    assert reply.content[0].text == "Rex"
    assert reply.usage.cache_read_input_tokens is None
    claude.rejects("cache_control")
    with pytest.raises(anthropic.BadRequestError, match="cache_control"):
        await ask(client, "x", model="llama3.2", system=[text("s", cache_control=CACHED)])


# -- faults --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, anthropic.BadRequestError),
        (401, anthropic.AuthenticationError),
        (402, anthropic.APIStatusError),
        (403, anthropic.PermissionDeniedError),
        (429, anthropic.RateLimitError),
        (500, anthropic.InternalServerError),
        (503, anthropic.ServiceUnavailableError),
        (529, anthropic.OverloadedError),
    ],
)
async def test_it_fails_with_a_status(
    claude: FakeClaude, client: AsyncAnthropic, status: int, error: type[Exception]
) -> None:
    claude.fails(status)
    with pytest.raises(error):
        await stream(client, "x")
    assert (await ask(client, "x")).stop_reason == "end_turn"
    assert [request.status for request in claude.requests] == [status, 200]


async def test_the_sdk_waits_as_told_and_tries_again(
    claude: FakeClaude, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "anthropic")
    claude.fails(529, times=2, retry_after=0.01)
    async with AsyncAnthropic(api_key="k", base_url=claude.url) as client:
        _, message = await stream(client, "x")
    assert message.stop_reason == "end_turn"
    waits = re.findall(r"Retrying request to \S+ in ([\d.]+) seconds", caplog.text)
    assert [float(wait) for wait in waits] == [0.01, 0.01]
    assert [request.status for request in claude.requests] == [529, 529, 200]


async def test_an_error_in_the_stream(claude: FakeClaude, client: AsyncAnthropic) -> None:
    claude.fails(529, after_events=4)
    with pytest.raises(anthropic.APIStatusError, match="Overloaded"):
        await stream(client, "x")


@pytest.mark.parametrize(
    ("reset", "error"), [(False, httpx2.RemoteProtocolError), (True, httpx2.ReadError)]
)
async def test_a_cut_stream(
    claude: FakeClaude, client: AsyncAnthropic, reset: bool, error: type[Exception]
) -> None:
    claude.responds_with("One two three four five six seven.", times=1)
    claude.cuts(after_events=4, reset=reset)
    seen = []
    with pytest.raises(error):
        async with client.messages.stream(
            model=HAIKU, max_tokens=10, messages=[{"role": "user", "content": "x"}]
        ) as events:
            async for event in events:
                seen.append(event.type)
    assert seen == ["message_start", "content_block_start", "content_block_delta", "text"]
    # it was not delivered, so it is sent again
    assert (await ask(client, "x")).content[0].text == "One two three four five six seven."


async def test_a_truncated_stream_raises_nothing(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    claude.truncates()
    _, message = await stream(client, "x")
    assert message.stop_reason is None and message.content[0].text == "All right."


async def test_a_malformed_event(claude: FakeClaude, client: AsyncAnthropic) -> None:
    claude.malformed()
    with pytest.raises(json.JSONDecodeError):
        await stream(client, "x")


@pytest.mark.parametrize("after_events", [0, 4])
async def test_a_stalled_stream(claude: FakeClaude, after_events: int) -> None:
    claude.stalls(30, after_events=after_events)
    timeout = httpx2.Timeout(0.2)
    wanted = anthropic.APITimeoutError if after_events == 0 else httpx2.ReadTimeout
    async with AsyncAnthropic(
        api_key="k", base_url=claude.url, max_retries=0, timeout=timeout
    ) as client:
        with pytest.raises(wanted):
            await stream(client, "x")
        claude.stalls(0.05)
        _, message = await stream(client.with_options(timeout=60), "x")
        assert message.stop_reason == "end_turn"


async def test_a_held_stream_waits_for_the_test(claude: FakeClaude, client: AsyncAnthropic) -> None:
    hold = claude.holds(after_events=4)
    running = asyncio.create_task(stream(client, "x"))
    assert await asyncio.to_thread(hold.reached.wait, 60)
    assert not running.done()
    hold.release()
    assert (await running)[1].stop_reason == "end_turn"


async def test_a_slow_stream(claude: FakeClaude, client: AsyncAnthropic) -> None:
    claude.responds_with("one two three " * 5)
    claude.chunk_delay = 0.01
    began = time.monotonic()
    await stream(client, "x")
    assert time.monotonic() - began > 0.08
    answered_at = claude.requests[-1].answered_at
    assert answered_at is not None and answered_at - claude.requests[-1].at > 0.08


async def test_a_server_that_is_down_refuses_connections_until_it_recovers(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    claude.goes_down()
    with pytest.raises(anthropic.APIConnectionError):
        await ask(client, "x")
    with pytest.raises(anthropic.APIConnectionError):
        await client.models.list()
    claude.recovers()
    assert (await ask(client, "x")).stop_reason == "end_turn"


@pytest.mark.parametrize("fault", ["cuts", "malformed", "truncates"])
async def test_without_a_stream_the_body_is_cut(
    claude: FakeClaude, client: AsyncAnthropic, fault: str
) -> None:
    getattr(claude, fault)()
    with pytest.raises((anthropic.APIConnectionError, httpx2.HTTPError, json.JSONDecodeError)):
        await ask(client, "x")


# -- caching -------------------------------------------------------------------------------------


def conversation(turns: int, *, clock: str = "") -> dict[str, Any]:
    """Return a request after so many turns, with all but the newest message cached."""
    messages: list[Any] = []
    for number in range(turns):
        messages.append(user([text(f"question {number} " + "q" * 400)]))
        messages.append({"role": "assistant", "content": [text(f"answer {number}")]})
    if messages:
        messages[-1]["content"][-1]["cache_control"] = CACHED
    messages.append(user([text(f"question {turns} " + "q" * 400)]))
    system = [text("You are Sam. " * 100 + clock, cache_control=CACHED)]
    return {"system": system, "messages": messages, "tools": [TOOL]}


async def test_the_cache_reads_what_was_kept_at_a_breakpoint(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    for turns in range(4):
        message = await ask(client, **conversation(turns))
    report = claude.cache_report()
    assert report[0].read == 0 and report[0].created == report[0].breakpoints[0]
    for before, after in pairwise(report):
        assert after.read == before.breakpoints[-1]  # the whole earlier prefix
        assert after.created == after.breakpoints[-1] - after.read
    assert message.usage.cache_read_input_tokens == report[-1].read
    assert message.usage.cache_creation_input_tokens == report[-1].created
    assert message.usage.input_tokens == report[-1].fresh
    assert claude.prefix_breaks() == []
    # another model has its own cache, and entries expire
    await ask(client, **conversation(3), model="claude-sonnet-5-5")
    assert claude.cache_report()[-1].read == 0
    await ask(client, **conversation(3))
    assert claude.cache_report()[-1].created == 0
    claude.passes(301)
    await ask(client, **conversation(3))
    assert claude.cache_report()[-1].read == 0


async def test_a_clock_in_the_prefix_breaks_the_cache(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    await ask(client, **conversation(1, clock="14:30"))
    await ask(client, **conversation(2, clock="14:31"))
    assert claude.cache_report()[1].read == 0
    (broken,) = claude.prefix_breaks()
    assert (broken.before, broken.after, broken.block) == (1, 2, 1)
    assert "14:30" in broken.was and "14:31" in broken.now


async def test_a_sliding_window_breaks_the_cache(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    first, second = conversation(2), conversation(3)
    del second["messages"][:2]
    await ask(client, **first)
    await ask(client, **second)
    report = claude.cache_report()
    assert report[1].read == report[0].breakpoints[0]  # tools and system are still cached
    assert [b.block for b in claude.prefix_breaks()] == [2]


async def test_a_breakpoint_looks_back_twenty_blocks(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    await ask(client, **{**conversation(1), "system": [text("s")]})
    await ask(client, **{**conversation(10), "system": [text("s")]})  # 18 blocks later
    await ask(client, **{**conversation(21), "system": [text("s")]})  # 22 blocks later
    report = claude.cache_report()
    assert report[1].read == report[0].breakpoints[0]
    assert report[2].read == 0


# -- serving -------------------------------------------------------------------------------------


def test_it_runs_in_a_thread_and_comes_back_on_its_port() -> None:
    body: dict[str, Any] = {"model": HAIKU, "max_tokens": 10, "messages": [user("dog")]}
    with FakeClaude.running(port=free_port()) as claude:
        claude.responds_with("Rex", when="dog")
        with anthropic.Anthropic(api_key="k", base_url=claude.url) as client:
            assert client.messages.create(**body).content[0].text == "Rex"
        claude.wait_until(lambda c: c.requests)
        with pytest.raises(TimeoutError):
            claude.wait_until(lambda c: len(c.requests) > 1, timeout=0.05)
    with (
        FakeClaude.running(port=claude.port) as again,
        anthropic.Anthropic(api_key="k", base_url=claude.url) as client,
    ):
        client.messages.create(**body)
        assert again.url == claude.url and len(again.requests) == 1


def test_a_client_that_is_killed_and_a_held_stream_leave_nothing_behind() -> None:
    code = (
        "import anthropic, sys\n"
        "client = anthropic.Anthropic(api_key='k', base_url=sys.argv[1])\n"
        "with client.messages.stream(model='claude-haiku-5-5', max_tokens=10,\n"
        "        messages=[{'role': 'user', 'content': 'dog'}]) as events:\n"
        "    list(events)\n"
    )
    with FakeClaude.running() as claude:
        claude.responds_with("Rex", when="dog", times=1)
        hold = claude.holds(after_events=4)
        child = subprocess.Popen([sys.executable, "-c", code, claude.url])
        assert hold.reached.wait(60)
        child.kill()
        child.wait()
        claude.wait_until(lambda c: c.rules[0].left == 1)  # it was not delivered
        assert claude.requests[0].status == 0
        stuck = claude.holds(after_events=4)
        child = subprocess.Popen([sys.executable, "-c", code, claude.url])
        assert stuck.reached.wait(60)
    assert "FakeClaude" not in {thread.name for thread in threading.enumerate()}
    child.kill()
    child.wait()


async def test_five_hundred_requests_take_seconds(
    claude: FakeClaude, client: AsyncAnthropic
) -> None:
    for number in range(500):
        claude.responds_with(f"answer {number}", when=f"<{number}>")
    began = time.process_time()
    for number in range(500):
        message = await ask(client, f"<{number}>", system=[text("s" * 20_000)])
        assert message.content[0].text == f"answer {number}"
    assert time.process_time() - began < 10
