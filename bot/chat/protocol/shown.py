"""What a command or a button answers: a text, and the buttons below it; and a press of one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from memory import Said

from ...inbox import Button, Keyboard

if TYPE_CHECKING:
    from ...assistant import Assistant

__all__ = [
    "Action",
    "Ask",
    "Button",
    "Desk",
    "Keyboard",
    "Outcome",
    "Press",
    "Shown",
    "Work",
    "as_shown",
]


@dataclass(frozen=True, slots=True)
class Shown:
    """Markdown with buttons. `answers`: the message in the same chat that it is shown to answer.

    Where there are no buttons, in the terminal, the text says all that is needed.
    """

    text: str
    keyboard: Keyboard = ()
    answers: int | None = None


def as_shown(answer: Shown | str) -> Shown:
    """Return a bare text as one without buttons."""
    return answer if isinstance(answer, Shown) else Shown(answer)


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

    said: Said
    replies_to: int | None = None


class Desk(Protocol):
    """Where long work reports, and sends what it made."""

    def tell(self, text: str) -> None:
        """Show markdown in place of the button's message soon; can be called from any thread."""

    async def send(self, file: Path, name: str, caption: str) -> bool:
        """Send a file once, however often the press is handled; return whether it was accepted."""


Work = Callable[[Desk], Awaitable[Shown]]
"""Does what takes longer than a moment, and returns what the button's message shows then. After a
crash it is begun again. Raises SamError."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is shown then: a few words above the chat, a new message, or other content in place of
    the message with the button. `ask`: a question that is answered then. `work`: long work that is
    done then. `leaves_nothing`: the update has to be erased from the inbox."""

    toast: str = ""
    message: Shown | None = None
    replace: Shown | None = None
    ask: Ask | None = None
    work: Work | None = None
    leaves_nothing: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """What a button does. It must be idempotent, since it may be run again after a crash.

    `once`: a second press by hand is refused. `asks`: it asks the model, and so counts as a
    message.
    """

    run: Callable[[Press], Awaitable[Outcome]]
    once: bool = False
    asks: bool = False
