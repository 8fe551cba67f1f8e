"""The answer without a model: what was recalled, quoted with its date and source. Pure.

It claims nothing: it says why no model answers, quotes, and says where each quote is from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memory.log import Message
from memory.recall import Hit

from .events import Cite, Done, sources_line
from .notes import passage

MOST = 5  # quotes: more is a list, and no answer
LONGEST = 400  # characters of one

NOTHING = "I recall nothing about it. Your message is kept, and can be searched."
SOMETHING = "This is what I recall, word for word:"


def answer(why: str, hits: Sequence[Hit], messages: Mapping[int, Message]) -> Done:
    """The answer of origin `recall`; `why` is the sentence that says why there is no model."""
    quotes, sources = [], []
    for number, hit in enumerate(hits[:MOST], 1):
        found = passage(hit, messages)
        sources.append(Cite(found.source, found.title, number))
        quotes.append((_quote(hit.text), number))
    if not quotes:
        text = f"{why} {NOTHING}"
        return Done(text, text, "recall")
    head = f"{why} {SOMETHING}"
    text = "\n".join([head, "", *(f"- {quote}" for quote, _ in quotes)])
    shown = "\n".join([head, "", *(f"- {quote} [{number}]" for quote, number in quotes)])
    return Done(text, f"{shown}\n\n{sources_line(sources)}", "recall", tuple(sources))


def _quote(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[:LONGEST].rsplit(None, 1)[0] + " …"
