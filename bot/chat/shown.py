"""What a command or a button answers: a text, and the buttons below it."""

from __future__ import annotations

from dataclasses import dataclass

from ..inbox import Button, Keyboard

__all__ = ["Button", "Keyboard", "Shown", "as_shown"]


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
