"""Recognise a request to move a task, or to be reminded of it again later. Pure."""

from __future__ import annotations

import re

from ..intents import ENDS, begins, words_in
from ..languages.phrase_tables import WORD, composed, phrases_of
from ..task_words import without_courtesy
from ..tokenize import STOP_WORDS

_IT = "it "  # what "muévelo", "move it" in one word, is read as


def snoozed_for(text: str, *, rung: bool) -> str | None:
    """Return the words for when to remind again from a message that only asks for that, such as
    "snooze for an hour"; "" if it does not say when. None for any other message. Whether the words
    are a time is for the caller to find. `rung`: a reminder has just rung, or is replied to, so
    that "delay" asks for it, too."""
    text, found, words = without_courtesy(text)
    for field in ("snoozes", "postpones") if rung else ("snoozes",):
        known = phrases_of(field)
        begin, end = known.around_object(words)
        if begin + end:
            until = begins("before_times", words, begin) if begin else 0
            if not "".join(words[begin + until : len(words) - end]).isdecimal():
                begin += until  # "until Friday", but "until 6" is not "6"
            when = found[len(found) - len(words) + begin : len(found) - end]
            return text[when[0].start() : when[-1].end()] if when else ""
        if when_unspaced := known.object_of(text)[0]:
            return when_unspaced
    return None


def moved_task(text: str) -> str | None:
    """Return the words for a task and its new time from a message that asks to move it; None for
    any other message. Whether there is such a task is for the caller to find. "Change" needs a word
    like "to": "change it tomorrow" may say when to change it."""
    text = composed(text)
    found, words = list(WORD.finditer(text)), words_in(text)
    polite = begins("politeness", words, 0)
    sizes = {field: begins(field, words, polite) for field in ("moves", "alters", "moves_it")}
    if not (size := max(sizes.values())):
        return None
    behind = polite + size
    has_goal = any(begins("goals", words, at) for at in range(behind, len(words)))
    if size == sizes["alters"] and not has_goal:
        return None
    named = text[found[behind - 1].end() :].rstrip("!?？ ")
    is_date = re.search(r"\d\.$", named)  # "10.12."
    named = named.lstrip(ENDS) if is_date else named.strip(ENDS)
    return f"{_IT}{named}" if size == sizes["moves_it"] else named


def only_leads_to_time(words: str) -> bool:
    """Return whether words are nothing but what stands before the time to which a task is moved:
    "to", "auf"; also for none."""
    goals = phrases_of("goals").first
    return all(word in goals or word in STOP_WORDS for word in words.casefold().split())


def begins_with_goal(words: str) -> bool:
    """Return whether words begin with what stands before the time, or the place, to which something
    is moved: "to Berlin"."""
    return words.casefold().partition(" ")[0] in phrases_of("goals").first


def without_start(words: str) -> str:
    """Return the words for a task and a day without the last "from", which stands before the day
    from which the task is moved; as they are without it."""
    every, starts = words.split(), phrases_of("starts").first
    at = next((n for n in reversed(range(1, len(every))) if every[n].lower() in starts), 0)
    return " ".join(every[:at] + every[at + 1 :]) if at else words


def asks_politely(text: str) -> bool:
    """Return whether a message begins with words like "please" or "can you"."""
    return begins("politeness", words_in(text), 0) > 0
