"""Recognise what a message says about the owner's tasks without a model: it asks for them, or
finishes, drops or moves one. Pure.

The words of each language are in `languages/`, from `finishes` to `clock_questions`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from .intents import ENDS, begins, is_whole, words_in
from .languages.phrase_tables import WORD, composed, phrases_of
from .sentences import is_marked

AskedTasks = Literal["open", "overdue"]
Closing = Literal["done", "dropped"]

_CLOSINGS: dict[Closing, str] = {"dropped": "cancels", "done": "finishes"}


def asked_tasks(text: str, *, dated: bool) -> AskedTasks | None:
    """Return which of the owner's tasks a message asks for; None if it asks for anything else.

    `text`: without its time; `dated`: whether it had one. "What do I have (tomorrow)?" asks for
    tasks only with a time.
    """
    words = words_in(text)
    words = words[: len(words) - phrases_of("trailing").end(words)]
    if dated:
        words = words[: len(words) - phrases_of("before_times").end(words)]
    fields: dict[str, AskedTasks] = {"overdue_questions": "overdue", "task_questions": "open"}
    if dated:
        fields["day_questions"] = "open"
    while True:
        for field, asked in fields.items():
            if is_whole(text, words, field):
                return asked
        size = begins("greetings", words, 0) or begins("politeness", words, 0)
        if not size:
            return None
        words = words[size:]


def closed_task(text: str) -> tuple[Closing, str] | None:
    """Return whether a message says that something is done, or that a task shall be dropped, and
    the words for it; None if it says neither.

    "The bridge is finished" says so too: whether there is such a task is for the caller to find.
    """
    if is_marked(text):
        return None
    text = composed(text).strip(ENDS + "!")
    found = list(WORD.finditer(text))
    words = _without_politeness(words_in(text))
    if size := phrases_of("trailing").end(words):
        text, found, words = text[: found[-size].start()], found[:-size], words[:-size]
    for closing, field in _CLOSINGS.items():
        begin, end = phrases_of(field).around_object(words)
        while begin + end and begin + end + 1 < len(words) and is_article(words[begin]):
            begin += 1
        named = found[len(found) - len(words) + begin : len(found) - end] if begin + end else []
        if named and not all(map(is_article, words[begin : len(words) - end])):
            return closing, text[named[0].start() : named[-1].end()]
        if words_between := phrases_of(field).object_of(text)[0]:
            return closing, words_between
    return None


def moved_task(text: str) -> str | None:
    """Return the words for a task and its new time from a message that asks to move it; None for
    any other message. Whether there is such a task is for the caller to find."""
    text = composed(text)
    found, words = list(WORD.finditer(text)), words_in(text)
    polite = begins("politeness", words, 0)
    size = begins("moves", words, polite)
    return text[found[polite + size - 1].end() :].strip(ENDS + "!") if size else None


def _without_politeness(words: Sequence[str]) -> Sequence[str]:
    """Return the words without polite ones before them."""
    while size := begins("politeness", words, 0):
        words = words[size:]
    return words


def is_article(word: str) -> bool:
    """Return whether a word in lower case is an article or a possessive."""
    return any(word in phrases_of(field).first for field in ("articles", "mine"))


def asks_to_undo(text: str) -> bool:
    """Return whether a message only asks to undo the last change."""
    words = _without_politeness(words_in(text))
    words = words[: len(words) - phrases_of("trailing").end(words)]
    return is_whole(text, words, "undoes")


def asks_for_date(text: str) -> bool:
    """Return whether a message asks for today's date or the time of day. Its own time is optional:
    "What day is it (today)?"
    """
    return is_whole(text, words_in(text), "clock_questions")
