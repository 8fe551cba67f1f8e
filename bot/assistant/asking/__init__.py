"""What Sam asks its owner to decide, with buttons."""

from .contradictions import ask_which, doubts, question_is_due
from .proposals import ask, buttons, fenced, has_changed, is_waiting, keep_versions, shown

__all__ = [
    "ask",
    "ask_which",
    "buttons",
    "doubts",
    "fenced",
    "has_changed",
    "is_waiting",
    "keep_versions",
    "question_is_due",
    "shown",
]
