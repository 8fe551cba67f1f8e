"""The result of a command or a button: text with buttons; and the press of a button."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory.text import mark

from ...inbox import Button, Keyboard
from ...media import Incoming

if TYPE_CHECKING:
    from ...assistant import Assistant

EXPIRED = mark("That button no longer works. Ask me again for a new one.")


@dataclass(frozen=True, slots=True)
class Shown:
    """Markdown with buttons. `answers`: the message in the same chat that it is shown to answer.

    `picture`: a PNG above the text. In the terminal, which has neither buttons nor pictures, the
    text must be sufficient. `private`: it may show what no model may see, so that a reply to it
    does not quote it.
    """

    text: str
    keyboard: Keyboard = ()
    answers: int | None = None
    picture: bytes = b""
    private: bool = False


def as_shown(answer: Shown | str) -> Shown:
    """Wrap plain text as a result without buttons."""
    return answer if isinstance(answer, Shown) else Shown(answer)


def in_rows(buttons: Sequence[Button], most: int) -> Keyboard:
    return tuple(tuple(buttons[at : at + most]) for at in range(0, len(buttons), most))


@dataclass(frozen=True, slots=True)
class Press:
    """Who pressed which button when: its argument is that of the `Button`, as JSON keeps it."""

    profile: Assistant
    chat: str
    argument: Mapping[str, Any]
    at: datetime


@dataclass(frozen=True, slots=True)
class Ask:
    """A message to be answered as if it had just come. `replies_to`: the message that the answer is
    shown as a reply to."""

    incoming: Incoming
    replies_to: int | None = None


@dataclass(frozen=True, slots=True)
class Desk:
    """Progress reports and results of long work.

    `tell` replaces the button's message with Markdown soon; it can be called from any thread.
    `send(file, name, caption)` sends a file once, however often the press is handled, and returns
    whether it was accepted.
    """

    tell: Callable[[str], None]
    send: Callable[[Path, str, str], Awaitable[bool]]


Work = Callable[[Desk], Awaitable[Shown]]
"""Long-running work; returns the new content of the button's message.

After a crash it is restarted. Raises SamError."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is shown then: a few words above the chat, a new message, or other content in place of
    the message with the button. `ask`: a question that is answered then. `work`: long work that is
    done then. `leaves_nothing`: it deletes what the owner chose, in the terminal's history too."""

    toast: str = ""
    message: Shown | None = None
    replace: Shown | None = None
    ask: Ask | None = None
    work: Work | None = None
    leaves_nothing: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """The action of a button. It must be idempotent, because it may run again after a crash.

    `once`: a second press is rejected. `asks`: it calls the model, and so counts as a message.
    `private`: the message that it shows may have private lines.
    """

    run: Callable[[Press], Awaitable[Outcome]]
    once: bool = False
    asks: bool = False
    private: bool = False
