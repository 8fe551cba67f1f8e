"""What Sam asks its owner to decide, with buttons."""

from .contradictions import ask_which, doubts, question_is_due
from .long_memory import is_too_long, tell_too_long
from .proposals import ask, buttons, fenced, has_changed, is_waiting, keep_versions, shown

__all__ = [
    "ask",
    "ask_which",
    "buttons",
    "doubts",
    "fenced",
    "has_changed",
    "is_too_long",
    "is_waiting",
    "keep_versions",
    "question_is_due",
    "shown",
    "tell_too_long",
]
