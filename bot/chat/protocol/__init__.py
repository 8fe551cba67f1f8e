"""The inputs and results of commands and button presses."""

from .call import Call, Command, no_answer, no_connection
from .results import Action, Ask, Button, Desk, Keyboard, Outcome, Press, Shown, Work, as_shown

__all__ = [
    "Action",
    "Ask",
    "Button",
    "Call",
    "Command",
    "Desk",
    "Keyboard",
    "Outcome",
    "Press",
    "Shown",
    "Work",
    "as_shown",
    "no_answer",
    "no_connection",
]
