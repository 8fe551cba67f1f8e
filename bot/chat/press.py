"""A press of a button, and what comes of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from .shown import Shown

if TYPE_CHECKING:
    from ..assistant import Assistant


@dataclass(frozen=True, slots=True)
class Press:
    """Who pressed which button when: its argument is that of the `Button`, as JSON keeps it."""

    profile: Assistant
    chat: str
    argument: Mapping[str, Any]
    at: datetime


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is shown then: a few words above the chat, a new message, or other content in place of
    the message with the button. `leaves_nothing`: no byte of the update may stay in the inbox."""

    toast: str = ""
    message: Shown | None = None
    replace: Shown | None = None
    leaves_nothing: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """What a button does. It may be run again after a crash, and must then do no harm.

    `once`: a second press by hand is refused.
    """

    run: Callable[[Press], Awaitable[Outcome]]
    once: bool = False
