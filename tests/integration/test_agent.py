"""The tool loop with the fake Claude: rounds, results, citations, and limits."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import date
from typing import Annotated, Any

import pytest
from pydantic import Field

from bot.claude.request import Block, Request, message, search_result, text_block
from bot.errors import ModelDown
from bot.tools import TOOLS
from bot.tools.days import days_between
from bot.turn import Cite, Done, Event, Notice, Restart, Text, ToolUse, tool_loop
from bot.turn.tool_loop import CALLS, LONGEST_RESULT
from memory.errors import NoteMissing
from tests.fakes.claude import FakeClaude
from tests.fakes.claude import Text as Spoken
from tests.fakes.claude import ToolUse as Call
from tests.fakes.violations import assert_no_violations
from tests.support.models import Connected


class Kitchen:
    """Tools for the model to call."""

    def __init__(self) -> None:
        self.ordered: list[tuple[str, int]] = []

    async def order(
        self, dish: Annotated[str, Field(description="What to eat")], count: int = 1
    ) -> str:
        """Order a dish."""
        self.ordered.append((dish, count))
        return f"{count} {dish} ordered"

    async def read(self, path: str) -> str:
        """Read a menu."""
        raise NoteMissing(f"There is no menu {path}.")

    async def recite(self) -> str:
        """Recite all."""
        return "x" * 100_000


@pytest.fixture
async def fake() -> AsyncIterator[FakeClaude]:
    async with FakeClaude.running() as running:
        yield running


@pytest.fixture
async def connected(fake: FakeClaude) -> AsyncIterator[Connected]:
    made = Connected(fake)
    yield made
    await made.claude.close()
    assert_no_violations(fake)


HITS = (
    search_result("log/2026-01-03", "Conversation", "The flight is on May 4."),
    search_result("notes/dog.md:1", "Dog", "Rex likes trains."),
)


async def answered(
    connected: Connected, text: str = "Two soups, please", *hits: Block, **given: Any
) -> list[Event]:
    kitchen = given.pop("kitchen", Kitchen())
    tools = {name: getattr(kitchen, name) for name in ("order", "read", "recite")}
    request = Request(
        model="claude-sonnet-5-5",
        system=[text_block("You are a waiter.")],
        messages=[message("user", [*hits, text_block(text)])],
        max_tokens=1000,
        tools=await connected.claude.tool_schemas(tools),
    )
    return [event async for event in tool_loop.run(connected.claude, request, tools, **given)]


def done(events: list[Event]) -> Done:
    assert isinstance(events[-1], Done)
    assert sum(isinstance(event, Done) for event in events) == 1
    return events[-1]


def draft(events: list[Event]) -> str:
    """Return what a consumer displays just before Done."""
    shown = ""
    for event in events:
        match event:
            case Text(text):
                shown += text
            case Cite():
                shown += event.mark
            case Restart(text):
                shown = text
    return shown


async def test_a_plain_answer(fake: FakeClaude, connected: Connected) -> None:
    fake.responds_with("With pleasure.")
    events = await answered(connected)
    assert done(events) == Done("With pleasure.", "With pleasure.")
    assert draft(events) == "With pleasure."


async def test_tools_are_called_and_their_results_shown_to_the_model(
    fake: FakeClaude, connected: Connected
) -> None:
    kitchen = Kitchen()
    fake.thinks("Soup.")
    fake.calls("order", {"dish": "soup", "count": 2}, before="One moment.", then="They are coming.")
    events = await answered(connected, kitchen=kitchen)
    assert kitchen.ordered == [("soup", 2)]
    assert ToolUse("order", "order …") in events
    assert done(events).text == "One moment.\n\nThey are coming."
    assert draft(events) == done(events).shown
    (result,) = fake.requests[1].tool_results
    assert (result.text, result.is_error) == ("2 soup ordered", False)


async def test_a_model_sees_the_tools_as_their_docstrings_describe_them(
    fake: FakeClaude, connected: Connected
) -> None:
    await answered(connected)
    tool = fake.requests[0].tools[0]
    assert (tool["name"], tool["description"]) == ("order", "Order a dish.")
    assert tool["input_schema"]["properties"]["dish"]["description"] == "What to eat"
    assert tool["input_schema"]["required"] == ["dish"]


async def test_the_newest_message_goes_out_again_byte_for_byte_with_the_third_breakpoint(
    fake: FakeClaude, connected: Connected
) -> None:
    fake.calls("order", {"dish": "soup"}, then="Coming.")
    await answered(connected, "Soup!", *HITS)
    first, second = (request.body["messages"][0]["content"] for request in fake.requests)
    assert [block for block in first if "cache_control" in block] == []
    assert "cache_control" in second[-1]
    assert [{k: v for k, v in b.items() if k != "cache_control"} for b in second] == first


async def test_rounds_after_the_second_read_the_newest_message_from_the_cache(
    fake: FakeClaude, connected: Connected
) -> None:
    fake.calls("order", {"dish": "soup"})
    fake.calls("order", {"dish": "bread"}, then="Coming.")
    await answered(connected, "Soup and bread! " * 50)
    reads = [use.read for use in fake.cache_report()]
    assert reads[0] == reads[1] == 0 < reads[2]


@pytest.mark.parametrize(
    ("tool", "input", "words"),
    [
        ("dance", {}, "There is no tool dance. There are: order, read, recite."),
        ("order", {"count": 1}, "dish: Missing required argument"),
        ("order", {"dish": "soup", "count": "many"}, "count: Input should be a valid integer"),
        ("order", {"dish": "soup", "salt": True}, "salt: Unexpected keyword argument"),
        ("read", {"path": "x.md"}, "There is no menu x.md."),
        ("read", {"path": "</recalled>.md"}, "There is no menu ⟨/recalled⟩.md."),
    ],
)
async def test_errors_are_reported_to_the_model(
    fake: FakeClaude, connected: Connected, tool: str, input: dict[str, Any], words: str
) -> None:
    fake.calls(tool, input, then="I see.", wild=True)
    assert done(await answered(connected)).text == "I see."
    (result,) = fake.requests[1].tool_results
    assert result.is_error and words in result.text


async def test_half_an_emoji_in_an_argument_is_reported_to_the_model(
    fake: FakeClaude, connected: Connected
) -> None:
    kitchen = Kitchen()
    fake.responds_with(
        [Call("order", {"dish": "soup"}), Call("order", {"dish": "\ud83c in a bowl"})]
    )
    fake.responds_with("There is soup.", result="soup ordered")
    events = await answered(connected, kitchen=kitchen)
    assert (done(events).text, kitchen.ordered) == ("There is soup.", [("soup", 1)])
    assert len(fake.requests) == 2 and not any(isinstance(event, Restart) for event in events)
    fine, broken = fake.requests[1].tool_results
    assert (fine.is_error, broken.is_error) == (False, True)
    assert broken.text.startswith("Not called: the arguments are not valid JSON.")


async def test_a_result_is_bounded_with_a_mark(fake: FakeClaude, connected: Connected) -> None:
    fake.calls("recite", {}, then="Long.")
    await answered(connected)
    (result,) = fake.requests[1].tool_results
    assert len(result.text) < LONGEST_RESULT and "characters left out" in result.text


async def test_too_many_calls_at_once_are_not_all_made(
    fake: FakeClaude, connected: Connected
) -> None:
    kitchen = Kitchen()
    many = [Call("order", {"dish": f"dish {n}"}) for n in range(CALLS + 2)]
    fake.responds_with(many, times=1)
    fake.responds_with("Enough.", result="ordered")
    assert done(await answered(connected, kitchen=kitchen)).text == "Enough."
    assert len(kitchen.ordered) == CALLS
    assert [r.is_error for r in fake.requests[1].tool_results] == [False] * CALLS + [True] * 2


async def test_rounds_are_bounded_and_the_last_one_may_not_call(
    fake: FakeClaude, connected: Connected
) -> None:
    fake.answers(
        lambda request: (
            "I stop here."
            if (request.body.get("tool_choice") or {}).get("type") == "none"
            else [Call("order", {"dish": "more"})]
        )
    )
    kitchen = Kitchen()
    assert done(await answered(connected, kitchen=kitchen, rounds=4)).text == "I stop here."
    assert len(fake.requests) == 4 and len(kitchen.ordered) == 3


async def test_what_is_said_beside_a_call_is_the_answer_if_nothing_follows_it(
    fake: FakeClaude, connected: Connected
) -> None:
    said = "Two soups: I have ordered them."
    fake.answers(
        lambda request: [] if request.tool_results else [said, Call("order", {"dish": "soup"})]
    )
    kitchen = Kitchen()
    assert done(await answered(connected, kitchen=kitchen)).text == said
    assert len(fake.requests) == 2 and kitchen.ordered == [("soup", 1)]


async def test_an_answer_without_words_is_none(fake: FakeClaude, connected: Connected) -> None:
    fake.answers(lambda request: [Call("order", {"dish": "more"})])
    with pytest.raises(ModelDown):
        await answered(connected, rounds=2)


async def test_sources_are_marked_in_what_is_shown_and_not_in_what_is_logged(
    fake: FakeClaude, connected: Connected
) -> None:
    fake.responds_with(
        [
            "You fly ",
            Spoken("on May 4.\n\n", ("flight",)),
            Spoken("Rex likes trains", ("Rex", "flight")),
            ", not planes.",
        ]
    )
    events = await answered(connected, "When?", *HITS)
    over = done(events)
    assert over.text == "You fly on May 4.\n\nRex likes trains, not planes."
    assert over.shown == (
        "You fly on May 4. [1]\n\nRex likes trains [2] [1], not planes.\n\n"
        "> [1] Conversation (log/2026-01-03) · [2] Dog (notes/dog.md:1)"
    )
    assert [(s.number, s.path) for s in over.sources] == [
        (1, "log/2026-01-03"),
        (2, "notes/dog.md:1"),
    ]
    assert over.shown.startswith(draft(events))


async def test_citations_do_not_go_back_to_the_model(
    fake: FakeClaude, connected: Connected
) -> None:
    fake.responds_with(
        [Spoken("You fly on May 4.", ("flight",)), Call("order", {"dish": "cake"})], times=1
    )
    fake.responds_with("With cake.", result="ordered")
    over = done(await answered(connected, "When?", *HITS))
    assert over.text == "You fly on May 4.\n\nWith cake."
    said = fake.requests[1].messages[1]["content"]
    assert [set(block) for block in said if block["type"] == "text"] == [{"type", "text"}]


async def test_a_round_that_breaks_off_leaves_what_came_before_it(
    fake: FakeClaude, connected: Connected
) -> None:
    fake.calls("order", {"dish": "soup"}, before="One moment.", then="It is coming, with bread.")
    fake.cuts(6, when=lambda request: request.round == 1)
    kitchen = Kitchen()
    events = await answered(connected, kitchen=kitchen)
    assert Restart("One moment.") in events
    assert done(events).text == "One moment.\n\nIt is coming, with bread."
    assert draft(events) == done(events).shown
    assert kitchen.ordered == [("soup", 1)]


async def test_an_answer_at_the_limit_is_kept_and_said_to_be_cut(
    fake: FakeClaude, connected: Connected
) -> None:
    fake.max_tokens("It is a long story")
    events = await answered(connected)
    assert done(events).text == "It is a long story"
    assert any(isinstance(event, Notice) and "length limit" in event.text for event in events)


async def test_thinking_alone_is_no_answer(fake: FakeClaude, connected: Connected) -> None:
    fake.stops("max_tokens", "", times=None)
    with pytest.raises(ModelDown, match="returned no text"):
        await answered(connected)


def test_what_is_said_while_a_tool_runs_is_bounded_and_never_fails() -> None:
    def said(name: str, **arguments: object) -> str:
        return tool_loop._say(name, arguments)

    assert said("search_memory", query="Rex") == "Searching memory for “Rex” …"
    assert len(said("search_memory", query="x" * 500)) < 100
    assert said("search_memory") == "search_memory …"
    assert said("get_memory", path="{0} {x}") == "Reading {0} {x} …"


# ── the tools besides memory ─────────────────────────────────────────────────────────────────────


async def test_every_tool_of_the_table_can_be_described(connected: Connected) -> None:
    schemas = await connected.claude.tool_schemas({tool.__name__: tool for tool in TOOLS})
    assert [schema["name"] for schema in schemas] == [tool.__name__ for tool in TOOLS]
    assert all(schema["description"] for schema in schemas)


async def test_days_are_counted_with_their_weekdays() -> None:
    day = date.fromisoformat
    assert await days_between(day("2026-02-12"), day("2026-03-01")) == (
        "Sunday, 2026-03-01 is 17 days after Thursday, 2026-02-12, 2 weeks and 3 days."
    )
    assert "5 days before" in await days_between(day("2026-02-12"), day("2026-02-07"))
    assert "the same as" in await days_between(day("2026-02-12"), day("2026-02-12"))
