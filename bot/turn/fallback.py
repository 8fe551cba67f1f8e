"""Extractive fallback answer when no model is available: quotes with date and source. Pure.

It says why no model answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memory import Hit, Message
from memory.search import OF_PERIOD
from memory.text import STOP_WORDS, clipped, one_line, terms

from ..prompt.note_view import passage
from .events import Cite, Done, sources_line

MOST = 5  # quotes; more would be a list and no answer
MOST_DISTANT = 2  # of those that share no word with the question
STATED = 0.5  # of a message's words that must be in a quote, or it is about something else
LONGEST = 400  # characters of one

NOTHING = "I recall nothing about it. Your message is kept, and can be searched."
SOMETHING = "This is what I recall, word for word:"
DISTANT = "I recall nothing with these words. Nearest to it, word for word:"
WEAK = "Nothing fits well. Nearest to it, word for word:"


def answer(why: str, question: str, hits: Sequence[Hit], messages: Mapping[int, Message]) -> Done:
    """Return the answer, with origin `recall`; `why`: the sentence that explains why there is no
    model."""
    telling = list(_telling(hits))
    wanted = _words(question)
    asked = question.rstrip().endswith(("?", "？"))
    least = 1 if asked else max(1, len(wanted) * STATED)
    listed = [hit for hit in telling if hit.score == OF_PERIOD]  # it asks for a period only
    near = [hit for hit in telling if _shared(wanted, _words(hit.text)) >= least]
    near = (listed or near)[:MOST]
    sure = [hit for hit in near if not hit.weak]
    chosen = sure or near or telling[: MOST_DISTANT if asked else 0]
    if not chosen:
        text = f"{why} {NOTHING}"
        return Done(text, text, "recall")
    sources: dict[tuple[str, str], Cite] = {}
    quotes = []
    for hit in chosen:
        found = passage(hit, messages)
        new = Cite(found.source, found.title, len(sources) + 1, hit.text)
        source = sources.setdefault((found.source, found.title), new)
        until = f" (until {hit.until})" if hit.until else ""
        quotes.append((clipped(one_line(hit.text), LONGEST) + until, source))
    head = f"{why} {SOMETHING if sure else WEAK if near else DISTANT}\n"
    text = "\n".join([head, *(f"- {quote}" for quote, _ in quotes)])
    shown = "\n".join([head, *(f"- {quote}{source.mark}" for quote, source in quotes)])
    line = sources_line([*sources.values()])
    return Done(text, f"{shown}\n\n{line}", "recall", tuple(sources.values()))


def _telling(hits: Sequence[Hit]) -> Iterator[Hit]:
    """Yield each text once, without earlier questions."""
    seen: set[str] = set()
    for hit in hits:
        text = " ".join(hit.text.split()).casefold()
        is_question = hit.role == "user" and text.endswith(("?", "？"))
        if text not in seen and not is_question:
            seen.add(text)
            yield hit


def _words(text: str) -> set[str]:
    return set(terms(text)) - STOP_WORDS


def _shared(wanted: set[str], others: set[str]) -> int:
    """Count the words that share a prefix with one of the others: `dog` and `dogs` match."""
    return sum(any(_alike(word, other) for other in others) for word in wanted)


def _alike(one: str, other: str) -> bool:
    if min(len(one), len(other)) <= 2:
        return one == other
    return one.startswith(other) or other.startswith(one)
