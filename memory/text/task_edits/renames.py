"""Recognise a request to give a task another title: "rename it to …". Pure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ..intents import begins, words_in
from ..languages.phrase_tables import WORD, composed, every_phrase, folded
from ..task_words import without_last_thanks
from .moves import asks_politely

IT = "it"  # the object of "renómbralo a …", which is in the verb


def renamed_task(text: str) -> Iterator[tuple[str, str]]:
    """Yield each division of a message that asks to rename a task into the words for it and its new
    title, that with the fewest words for the task first: "rename the call to Ana to the mail" has
    two; nothing for any other message. Whether there is such a task is for the caller to find."""
    text = composed(text.strip())
    if asks_politely(text):
        text = text.rstrip("?？ ")
    head, comma, _ = text.rpartition(",")
    if comma and without_last_thanks(text) == head.strip():
        text = head  # "…, please", but not "rename it to say thanks"
    found, words = list(WORD.finditer(text)), words_in(text)
    at = begins("politeness", words, 0)
    for before, between, behind in _phrases():
        begin, end = at + len(before), len(words) - len(behind)
        if words[at:begin] != before or (behind and words[end:] != behind):
            continue
        last = found[end - 1].end() if behind else len(text)
        if not between:
            if begin < end:
                yield IT, text[found[begin].start() : last]
            continue
        for place in range(begin + 1, end - len(between)):
            if words[place : place + len(between)] == between:
                title = text[found[place + len(between)].start() : last]
                yield text[found[begin].start() : found[place - 1].end()], title


@cache
def _phrases() -> list[tuple[list[str], list[str], list[str]]]:
    """Return the words of each phrase before the task, before its title and behind that; longest
    first."""
    every = sorted(every_phrase("renames"), key=len, reverse=True)
    parts = ([each.split() for each in folded(phrase).split("…")] for phrase in every)
    padded = ([*each, [], []] for each in parts)
    return [(each[0], each[1], each[2]) for each in padded]
