"""The answer without a model: what was recalled, quoted with its date and source. Pure.

It claims nothing: it says why no model answers, quotes, and says where each quote is from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memory.log import Message
from memory.recall import Hit
from memory.words import STOP_WORDS, terms

from .events import Cite, Done, sources_line
from .notes import passage

MOST = 5  # quotes: more is a list, and no answer
MOST_DISTANT = 2  # of those that share no word with the question
LONGEST = 400  # characters of one

NOTHING = "I recall nothing about it. Your message is kept, and can be searched."
SOMETHING = "This is what I recall, word for word:"
DISTANT = "I recall nothing with these words. Nearest to it, word for word:"


def answer(why: str, question: str, hits: Sequence[Hit], messages: Mapping[int, Message]) -> Done:
    """The answer of origin `recall`; `why` is the sentence that says why there is no model."""
    telling = list(_telling(hits))
    wanted = _words(question)
    near = [hit for hit in telling if _share_a_word(wanted, _words(hit.text))][:MOST]
    chosen = near or telling[:MOST_DISTANT]
    if not chosen:
        text = f"{why} {NOTHING}"
        return Done(text, text, "recall")
    sources: dict[tuple[str, str], Cite] = {}
    quotes = []
    for hit in chosen:
        found = passage(hit, messages)
        new = Cite(found.source, found.title, len(sources) + 1)
        quotes.append((_quote(hit.text), sources.setdefault((found.source, found.title), new)))
    head = f"{why} {SOMETHING if near else DISTANT}\n"
    text = "\n".join([head, *(f"- {quote}" for quote, _ in quotes)])
    shown = "\n".join([head, *(f"- {quote}{source.mark}" for quote, source in quotes)])
    line = sources_line([*sources.values()])
    return Done(text, f"{shown}\n\n{line}", "recall", tuple(sources.values()))


def _telling(hits: Sequence[Hit]) -> Iterator[Hit]:
    """Each text once; a question that was asked before tells nothing."""
    seen: set[str] = set()
    for hit in hits:
        text = " ".join(hit.text.split()).casefold()
        is_question = hit.role == "user" and text.endswith(("?", "？"))
        if text not in seen and not is_question:
            seen.add(text)
            yield hit


def _words(text: str) -> set[str]:
    return set(terms(text)) - STOP_WORDS


def _share_a_word(some: set[str], others: set[str]) -> bool:
    """Whether a word of the one begins a word of the other: `dog` and `dogs` are one word."""
    return any(
        a.startswith(b) or b.startswith(a)
        for a in some
        for b in others
        if a == b or min(len(a), len(b)) > 2
    )


def _quote(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[:LONGEST].rsplit(None, 1)[0] + " …"
