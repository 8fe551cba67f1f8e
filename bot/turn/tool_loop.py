"""The tool loop: model → tools → model, until it answers. Yields events.

It limits the rounds, the calls per round and the length of a tool result. Yielded text stays valid
until a Restart.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from pydantic import ValidationError, validate_call

from memory import SamError
from memory.text import ENGLISH, disarm, mark, speaking, tr
from memory.vault import edit_group

from ..claude.client import Claude
from ..claude.request import (
    Block,
    Citation,
    Finished,
    Request,
    Restarted,
    ServerCall,
    TextDelta,
    ToolCall,
    WebPage,
    content,
    message,
    message_with_breakpoint,
    tool_result,
)
from ..errors import ModelDown
from ..prompt.format_notes import readers_title
from ..prompt.token_budget import shorten
from .events import (
    Cite,
    Done,
    Event,
    Notice,
    Read,
    Restart,
    Text,
    ToolDone,
    ToolUse,
    sources_line,
    without_forged_sources,
)

log = logging.getLogger(__name__)

ROUNDS = 8  # model calls in one turn; in the last one the model must answer
CALLS = 8  # tool calls in one round: each result is added to the prompt
LONGEST_RESULT = 16_000  # characters

CUT = mark("The answer reached its length limit. Say “go on” for the rest.")
WORDLESS = mark("Claude returned no text. Try again.")

Tools = Mapping[str, Callable[..., Awaitable[str]]]

SAYS = {
    "search_memory": mark("Searching memory for “{query}” …"),
    "get_memory": mark("Reading {path} …"),
    "get_recent_conversations": mark("Looking at recent messages …"),
    "why": mark("Looking up the source of “{query}” …"),
    "save_memory": mark("Writing it down …"),
    "create_note": mark("Writing the note “{title}” …"),
    "list_facts": mark("Looking through what is known …"),
    "edit_memory": mark("Changing {path} …"),
    "manage_tasks": mark("Updating the tasks …"),
    "read_skill": mark("Reading the skill {name} …"),
    "days_between": mark("Counting days …"),
    "web_search": mark("Searching the web for “{query}” …"),
    "web_fetch": mark("Reading {url} …"),
    "keep_media": mark("Keeping it in the vault …"),
}
"""Shown to the user while a tool runs. Other tools are shown by name."""


@dataclass(slots=True)
class _Draft:
    """The growing answer: the logged text, the shown text, and the citations."""

    text: str = ""
    shown: str = ""
    sources: list[Cite] = field(default_factory=list)
    read: list[WebPage] = field(default_factory=list)
    """The web pages that were fetched."""
    of_web: bool = False
    pending: str = ""

    def add(
        self, event: TextDelta | Citation | ServerCall | WebPage
    ) -> Iterator[Text | Cite | Read | ToolUse]:
        """Add one event of the stream; yield what it shows."""
        match event:
            case TextDelta(text):
                if piece := self.say(text):
                    yield Text(piece)
            case Citation():
                yield (cite := self.cite(event))
                if cite.is_web:
                    yield Read(event.source, event.quote)
            case ServerCall(name, given):
                yield ToolUse(name, _say(name, given))
                self.pause()
            case WebPage():
                self.saw(event)
                yield Read(event.url, f"{event.title}\n{event.text}")

    def say(self, piece: str) -> str:
        """Append text; hold back trailing white space, so that a mark comes before it."""
        piece = self.pending + piece
        bare = piece.rstrip()
        self.pending = piece[len(bare) :]
        if not self.text:
            bare = bare.lstrip()
        self.text += bare
        self.shown += bare
        return bare

    def cite(self, citation: Citation) -> Cite:
        """Return the citation; a source gets its number when it is first cited."""
        known = (each for each in self.sources if each.path == citation.source)
        if (found := next(known, None)) is None:
            number = len(self.sources) + 1
            title = readers_title(citation.title)
            found = Cite(citation.source, title, number, citation.quote)
            self.sources.append(found)
        self.shown += found.mark
        return found

    def pause(self) -> None:
        """Begin a new paragraph after tool calls."""
        self.pending = "\n\n" if self.text else ""

    def copy(self) -> _Draft:
        return replace(self, sources=[*self.sources], read=[*self.read])

    def saw(self, page: WebPage) -> None:
        """Record a web page; a fetched one becomes a source at the end."""
        self.of_web = True
        if page.is_read:
            self.read.append(page)

    def done(self) -> Done:
        """Return the whole answer."""
        for page in self.read:  # such pages are not cited
            if page.url not in [each.path for each in self.sources]:
                self.sources.append(Cite(page.url, page.title, len(self.sources) + 1))
        line, said = sources_line(self.sources), without_forged_sources(self.shown)
        shown = f"{said}\n\n{line}" if line else said
        return Done(self.text, shown, "web" if self.of_web else "sam", tuple(self.sources))


async def run(
    claude: Claude, request: Request, tools: Tools, *, rounds: int = ROUNDS
) -> AsyncGenerator[Event, None]:
    """Yield the events of one answer; the last is Done. Raises ModelError.

    Every round sends the newest message again, byte for byte. From the second round on it has the
    third cache breakpoint, because only then is it read from the cache.
    """
    draft = _Draft()
    said: list[Block] = []
    for number in range(1, rounds + 1):
        messages = _messages(request.messages, said)
        asked = replace(request, messages=messages, may_call=number < rounds)
        before = draft.copy()
        finished: Finished | None = None
        async with aclosing(claude.stream(asked)) as stream:
            async for event in stream:
                if isinstance(event, Finished):
                    finished = event
                elif isinstance(event, Restarted):
                    draft = before.copy()
                    yield Restart(draft.shown)
                else:
                    for shown in draft.add(event):
                        yield shown
        assert finished is not None
        if number == rounds:
            break
        if finished.stop == "pause_turn":
            said = _going_on(said, finished.blocks)
            continue
        if not finished.calls:
            break
        results: list[Block] = []
        for place, call in enumerate(finished.calls):
            yield ToolUse(call.name, _say(call.name, call.arguments))
            with edit_group(f"turn {request.turn_id}" if request.turn_id else ""):
                results.append(await _called(call, tools, is_one_too_many=place >= CALLS))
            yield ToolDone(call.name, call.arguments, bool(results[-1].get("is_error")))
        said = [*_going_on(said, finished.blocks), message("user", results)]
        draft.pause()
    if not draft.text:
        raise ModelDown(tr(WORDLESS))
    if finished is not None and finished.stop == "max_tokens":
        yield Notice(tr(CUT))
    yield draft.done()


def _messages(given: Sequence[Block], said: Sequence[Block]) -> list[Block]:
    if not said:
        return list(given)
    return [*given[:-1], message_with_breakpoint(given[-1]), *said]


def _going_on(said: list[Block], blocks: Sequence[Block]) -> list[Block]:
    """Return the assistant's message with more blocks, after a pause within it."""
    if said and said[-1]["role"] == "assistant":
        return [*said[:-1], message("assistant", [*content(said[-1]), *blocks])]
    return [*said, message("assistant", blocks)]


def _say(tool: str, arguments: Mapping[str, object]) -> str:
    words = tr(SAYS[tool]) if tool in SAYS else f"{tool} …"
    try:
        said = words.format(**{name: str(value)[:60] for name, value in arguments.items()})
    except (KeyError, IndexError, ValueError):
        # The model omitted an argument; the tool's error says so.
        said = f"{tool} …"
    return " ".join(said.split())


async def _called(call: ToolCall, tools: Tools, *, is_one_too_many: bool) -> Block:
    """Return the result of one call. Errors go to the model, which can correct the call."""
    if is_one_too_many:
        return tool_result(call, f"Not called: {CALLS} calls at once are the most.", failed=True)
    if call.broken:
        return tool_result(
            call,
            "Not called: the arguments are not valid JSON. Is there half of an emoji in them?",
            failed=True,
        )
    function = tools.get(call.name)
    if function is None:
        known = ", ".join(tools)
        return tool_result(call, f"There is no tool {call.name}. There are: {known}.", failed=True)
    try:
        with speaking(ENGLISH):  # the model reads it
            returned = await validate_call(function)(**call.arguments)
    except ValidationError as wrong:
        return tool_result(call, _faults(wrong), failed=True)
    except SamError as error:
        log.info("tool=%s refused: %s", call.name, type(error).__name__)
        return tool_result(call, disarm(str(error)), failed=True)
    except (ValueError, ArithmeticError, LookupError, TypeError) as bug:
        # A bug that one argument brings to light must not cost the owner the whole answer.
        log.exception("tool=%s failed", call.name)
        return tool_result(call, f"It failed: {type(bug).__name__}.", failed=True)
    return tool_result(call, shorten(disarm(returned.strip()) or "(nothing)", LONGEST_RESULT))


def _faults(wrong: ValidationError) -> str:
    said = (f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in wrong.errors())
    return "These arguments do not fit. " + "; ".join(said)
