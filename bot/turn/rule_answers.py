"""Answer a message by plain rules, when no model is set up. Pure.

Requests for a command ("remember that …") are handled before: bot/chat/plain_commands.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from memory import Message
from memory.text import (
    ENGLISH,
    TRANSLATED,
    Tone,
    asks_for_date,
    asks_for_notes,
    has_question,
    is_about_oneself,
    is_no,
    is_yes,
    long_day,
    mark,
    mask,
    own_part,
    recognise_intent,
    small_talk_kind,
    speaking,
    terms,
    tr,
)
from memory.tools import Span, time_range

from ..media import file_words, is_poll, is_shared
from .fallback import DISTANT, NO_MORE, NOTHING, NOTHING_THEN, WEAK
from .quotes import A_TASK, TO_REMEMBER

NOT_OWN = ("file", "forwarded")  # origins
FEW = 2  # words: a message this short may be a search

NOTED = mark("Noted.")
FIRST = mark("Noted. Ask me about it whenever you like.")
UNKEPT = mark(
    "I keep nothing of an incognito conversation, and without a model I can only look things up."
)
ORDER = mark(
    "That needs a model, and none is set up. I can remember, find and remind: /help shows how. I "
    "have kept your message."
)
WORLD = mark("I don't know that. Without a model, I only know what you have told me.")
NOW = mark("It is {day} {year}, {time}.")
UNSEEN = mark("I cannot see what is in it: I only noted that you sent it.")
SECRET = mark(
    "Noted, except for the password, key or card number in it: I mask those, and cannot find it "
    "again. If I should, write “remember that” before it, and it is kept in your notes."
)
OBJECTION = mark(
    "Tell me what is right, and I will keep that. To remove the rest, write “forget” and what it "
    "is about."
)
NO_SOURCE = mark("My last answer quotes nothing, so it has no source.")
NO_ANSWER = mark("I have answered nothing just before that.")
GONE = mark("What it quoted is no longer there.")
ABOUT = mark("""\
I am Sam. I remember what you tell me, remind you, and find it again, with its source. Try:

- Remember that my bicycle is in Anton's garage
- Remind me tomorrow at 9 to call Ana
- Where is my bicycle?

/help lists what else I can do.""")
TONES: dict[Tone, str] = {
    "about": tr(ABOUT),
    "greeting": mark("Hello! Tell me something to remember, or ask about anything you have said."),
    "thanks": mark("You're welcome!"),
    "farewell": mark("Goodbye!"),
    "objection": tr(OBJECTION),
    "other": "👍",
}


@dataclass(frozen=True, slots=True)
class RuleAnswer:
    """`question`: what to search for, "" for no search; `nothing`: the answer when nothing is
    found; `about_oneself`: it is about the one who asks; `spans`: the days that it asks for, if for
    nothing else, the likeliest first."""

    question: str
    nothing: str
    about_oneself: bool = False
    spans: tuple[Span, ...] = ()

    @property
    def says_kept(self) -> bool:
        """Return whether it says that something was kept, or will be."""
        kept = (tr(NOTED), tr(FIRST), tr(ORDER), tr(UNSEEN), tr(SECRET), tr(OBJECTION))
        return self.nothing in kept


def rule_answer(asked: Sequence[Message], before: Sequence[Message], now: datetime) -> RuleAnswer:
    """Return how to answer the messages of a turn; `before`: the earlier ones of the conversation,
    `now`: the local time.

    Forwarded text, text from files and polls are ignored: they are neither questions nor greetings.
    """
    said = [row.text for row in asked if row.origin not in NOT_OWN and not is_poll(row.text)]
    own = own_part("\n".join(said)).strip()
    if (tone := small_talk_kind(own)) is not None:
        return RuleAnswer("", tr(TONES[tone]))
    if is_yes(own) or is_no(own):  # to no question: one that waits for an answer has taken it
        return RuleAnswer("", tr(TONES["other" if is_yes(own) else "objection"]))
    asked_at = time_range(own, now.date())
    if asks_for_date(own) or (asked_at and asks_for_date(asked_at.rest)):
        return RuleAnswer("", tr(NOW, day=long_day(now.date()), year=now.year, time=f"{now:%H:%M}"))
    if asks_for_notes(own):
        return RuleAnswer(own, tr(NOTHING))
    intent = recognise_intent(own)
    if intent is not None and intent.kind == "recall" and intent.words:
        about_owner = is_about_oneself(intent.words) and len(terms(intent.words)) == 1
        return RuleAnswer(own if about_owner else f"{intent.words}?", tr(NOTHING))
    if intent is not None and intent.kind == "order":
        return RuleAnswer("", tr(ORDER))
    if has_question(own):
        about = is_about_oneself(own)
        days = asked_at.spans if asked_at and asked_at.bare else ()
        return RuleAnswer(own, tr(NOTHING) if about else tr(WORLD), about_oneself=about, spans=days)
    sent = [row for row in asked if row.text.strip()]
    if sent and all(row.origin == "file" and not _says(row) for row in sent):
        return RuleAnswer("", tr(UNSEEN))
    if mask(own) != own:
        return RuleAnswer("", tr(SECRET))
    has_spoken = any(row.role == "user" and small_talk_kind(row.text) is None for row in before)
    question = own if 0 < len(terms(own)) <= FEW else ""
    return RuleAnswer(question, tr(NOTED if has_spoken else FIRST))


def _says(row: Message) -> bool:
    """Return whether the content of a file or contact is known."""
    return bool(file_words(row)) or is_shared(row.text)


@cache
def fixed_answers() -> frozenset[str]:
    """Return the sentences of answers that quote nothing, in all languages."""

    def spoken() -> Iterator[str]:
        for code in (ENGLISH, *TRANSLATED):
            with speaking(code):
                yield from (tr(NOTED), tr(FIRST), tr(UNSEEN), tr(ORDER), tr(WORLD), tr(NOTHING))
                yield from (tr(SECRET), tr(WEAK), tr(DISTANT), tr(A_TASK), tr(TO_REMEMBER))
                yield tr(NOTHING_THEN)
                yield from (tr(NO_MORE), tr(NO_SOURCE), tr(NO_ANSWER), tr(GONE))
                yield from map(tr, TONES.values())

    return frozenset(spoken())
