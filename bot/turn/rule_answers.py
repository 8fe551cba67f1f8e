"""Answer a message by plain rules, when no model is set up. Pure.

Requests for a command ("remember that …") are handled before: bot/chat/plain_commands.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory import Message
from memory.text import (
    Tone,
    has_question,
    mark,
    own_part,
    recognise_wish,
    small_talk_kind,
    terms,
    tr,
)

from .fallback import NOTHING

NOT_OWN = ("file", "forwarded")  # origins
FEW = 2  # words: a message this short may be a search

NOTED = mark("Noted.")
FIRST = mark("Noted. Ask me about it whenever you like.")
ORDER = mark(
    "That needs a model, and none is set up. I can remember, find and remind: /help shows how. I "
    "have kept your message."
)
ABOUT = mark("""\
I am Sam. I remember what you tell me, remind you, and find it again, with where it stands. Try:

- Remember that my bicycle is in Anton's garage
- Remind me tomorrow at 9 to call Ana
- Where is my bicycle?

/help lists what else I can do.""")
TONES: dict[Tone, str] = {
    "about": tr(ABOUT),
    "greeting": mark("Hello! Tell me something to remember, or ask about anything you have said."),
    "thanks": mark("You're welcome!"),
    "farewell": mark("Goodbye!"),
    "other": "👍",
}


@dataclass(frozen=True, slots=True)
class RuleAnswer:
    """`question`: what to search for, "" for no search; `nothing`: the answer when nothing is
    found."""

    question: str
    nothing: str


def rule_answer(asked: Sequence[Message], before: Sequence[Message]) -> RuleAnswer:
    """Return how to answer the messages of a turn; `before`: the earlier ones of the conversation.

    Forwarded text and text from files are ignored: they are neither questions nor greetings.
    """
    own = own_part("\n".join(row.text for row in asked if row.origin not in NOT_OWN)).strip()
    if (tone := small_talk_kind(own)) is not None:
        return RuleAnswer("", tr(TONES[tone]))
    wish = recognise_wish(own)
    if wish is not None and wish.kind == "recall" and wish.words:
        return RuleAnswer(f"{wish.words}?", tr(NOTHING))
    if wish is not None and wish.kind == "order":
        return RuleAnswer("", tr(ORDER))
    if has_question(own):
        return RuleAnswer(own, tr(NOTHING))
    has_spoken = any(row.role == "user" and small_talk_kind(row.text) is None for row in before)
    question = own if 0 < len(terms(own)) <= FEW else ""
    return RuleAnswer(question, tr(NOTED if has_spoken else FIRST))
