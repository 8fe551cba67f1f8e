"""The tool `forget`: list what is kept about some words, and forget it once the user has agreed.

The user is asked by the client where it can ask (elicitation); else the first call returns a token,
and a second call with it forgets exactly what the first one listed.
"""

# Annotations are evaluated eagerly, because those of the questions refer to local functions.
import secrets
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Annotated, Any

from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context, Elicit, Resolve
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult
from pydantic import BaseModel, Field

from memory import Memory, SamError
from memory.maintenance import forget_words
from memory.text import disarm, plural

from ..chat.forgetting.choice import Chosen, Listed
from ..settings import Settings
from .memory_tools import describe_tool, result

LIFE = timedelta(minutes=10)
MOST_TOKENS = 20  # that wait at once
LONGEST = 300  # characters of the words
NOTHING = "I have nothing about that."
DECLINED = "Nothing was forgotten: the user did not agree."
LATE = "This token is unknown or too old: call `forget` with the words again."


class Agreement(BaseModel):
    """The question to the user."""

    forget: bool = Field(description="Forget it for good; there is no way back")


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing that is kept. `number`: to choose it by; `where`: in notes, none for a message."""

    number: int
    text: str
    where: list[str]


@dataclass(frozen=True, slots=True)
class Forgotten:
    """`things`: what is kept, and was not forgotten yet; `private`: how many things are kept
    besides that no model may see; `token`: forgets the things with a second call."""

    things: list[Thing]
    private: int
    token: str
    messages: int
    lines: int


@dataclass(frozen=True, slots=True)
class _Asked:
    """What one call is about. `rows`: the listing as text; `agreed`: by a token."""

    chosen: Chosen
    things: list[Thing]
    rows: list[str]
    private: int
    agreed: bool = False

    def listing(self) -> list[str]:
        """Return the rows, and how many things are private."""
        if not self.private:
            return self.rows
        things = plural(self.private, "more thing is", "more things are")
        return [*self.rows, f"{things} private: `sam forget --words` lists them for their owner."]

    def unforgotten(self, text: str, again: str = "") -> CallToolResult:
        """Return the result of a call that forgets nothing. `again`: the token for a second one."""
        return result(text, Forgotten(self.things, self.private, again, 0, 0))


class PendingForget:
    """The choices that wait for a second call, by token. Each is for one use, within LIFE."""

    def __init__(self) -> None:
        self._asked: dict[str, tuple[datetime, _Asked]] = {}

    def add(self, asked: _Asked, now: datetime) -> str:
        """Return the token of a choice."""
        while len(self._asked) >= MOST_TOKENS:
            del self._asked[next(iter(self._asked))]
        token = secrets.token_urlsafe(16)
        self._asked[token] = (now, asked)
        return token

    def take(self, token: str, now: datetime) -> _Asked:
        """Return the choice of a token. Raises ToolError for an unknown or old one."""
        at, asked = self._asked.pop(token, (None, None))
        if at is None or asked is None or now - at > LIFE:
            raise ToolError(LATE)
        return replace(asked, agreed=True)


def forget_tool(settings: Settings, memory: Memory) -> Tool:
    """Return the tool for one memory."""
    waiting = PendingForget()

    async def listed(words: str, numbers: tuple[int, ...], token: str) -> _Asked:
        if token:
            return waiting.take(token, memory.clock())
        if len(words) > LONGEST:
            raise ToolError(f"`words` is too long: give {LONGEST} characters at most.")
        return await _find(settings, memory, words, numbers)

    async def agreed(
        ctx: Context, asked: Annotated[_Asked, Resolve(listed)]
    ) -> Agreement | Elicit[Agreement]:
        if asked.agreed or not asked.things or not _can_ask(ctx):
            return Agreement(forget=asked.agreed)
        question = "\n".join(["Forget this for good?", *asked.rows])
        return Elicit(disarm(question), Agreement)

    async def forget(
        ctx: Context,
        asked: Annotated[_Asked, Resolve(listed)],
        answer: Annotated[ElicitationResult[Agreement], Resolve(agreed)],
        words: Annotated[
            str, Field(description="What it is about: `the dentist`; all its words count")
        ] = "",
        numbers: Annotated[
            tuple[int, ...], Field(description="Of what was listed; empty: all of it")
        ] = (),
        token: Annotated[
            str, Field(description="As the first call returned it, once the user has agreed")
        ] = "",
    ) -> CallToolResult:
        """Forget for good what is kept about some words: messages, facts, lines of Sam's notes.

        Only when the user asks for it. The first call lists what is kept, and the user is asked;
        where your program cannot ask, show the list to the user yourself, and call again with the
        token only after they have agreed. There is no way back.
        """
        if not asked.things:
            return asked.unforgotten("\n".join(asked.listing() or [NOTHING]))
        if isinstance(answer, AcceptedElicitation) and answer.data.forget:
            return await _forget(settings, memory, asked)
        if _can_ask(ctx):
            return asked.unforgotten(DECLINED)
        made = waiting.add(asked, memory.clock())
        how = f"Nothing is forgotten yet. Once the user agrees, call with token {made}"
        return asked.unforgotten("\n".join([*asked.listing(), how]), made)

    return describe_tool(Tool.from_function(forget, structured_output=False), Forgotten)


async def _find(settings: Settings, memory: Memory, words: str, numbers: Collection[int]) -> _Asked:
    """Return what is kept about the words, or of it the things with these numbers."""
    # With half of the bot, which a start need not wait for.
    from ..chat.forgetting.find import find_kept
    from ..chat.forgetting.wording import listing

    every = await find_kept(settings, memory, words)
    kept = await forget_words.public_items(memory, every.kept)
    public = Listed(kept)
    chosen = sorted({n for n in numbers if 1 <= n <= public.count})
    if numbers and not chosen:
        raise ToolError(f"There is no such number: there are 1 to {public.count}.")
    chosen = chosen or list(range(1, public.count + 1))
    things = [Thing(n, kept.items[n - 1].text, list(kept.items[n - 1].where)) for n in chosen]
    rows = listing(public, memory.zone)  # a row for each, and one for the owner's notes
    if numbers:
        rows = [rows[n - 1] for n in chosen]
    return _Asked(public.choice(chosen), things, rows, every.count - public.count)


async def _forget(settings: Settings, memory: Memory, asked: _Asked) -> CallToolResult:
    """Forget what the user agreed to. Raises ToolError."""
    from ..chat.forgetting.erase import erase_choice
    from ..chat.forgetting.wording import receipt

    try:
        done = await erase_choice(settings, memory, asked.chosen)
    except SamError as wrong:
        raise ToolError(disarm(str(wrong))) from wrong
    counts = Forgotten([], asked.private, "", done.erased.messages, done.erased.lines)
    return result("\n".join(receipt(done, settings, memory)), counts)


def _can_ask(ctx: Context[Any, Any]) -> bool:
    """Return whether the client can ask its user with a form."""
    capabilities = ctx.client_capabilities
    asks = capabilities.elicitation if capabilities is not None else None
    return asks is not None and (asks.form is not None or asks.url is None)
