"""Split a message into parts that are about different things, and tell which one is asked for.
Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..clause_words import grammatical_words, language_of
from ..tokenize import STOP_WORDS
from ..word_forms import folded, share_beginning, words

_BUT = "but sondern sino mais ma bensì mas maar tylko lecz а"
ADVERSATIVE = frozenset(folded(_BUT).split())
"""Words between what is denied and what is right: "nicht rot, sondern blau"."""
JOINING = ADVERSATIVE | frozenset(folded("and und y et e en a и").split())
_BETWEEN = re.compile(
    rf"[,;.!?–—](?!\d)|(?<=\s)(?:{'|'.join(sorted(JOINING))})(?=\s)", re.IGNORECASE
)


def parts_of(text: str) -> list[str]:
    """Return what is between the commas, full stops and "and"s of a text."""
    return _BETWEEN.split(text)


def asks_for_another_part(question: str, text: str, is_it: Callable[[str], bool]) -> bool:
    """Return whether a question has words of other parts of a text, and none of the only one that
    `is_it`: of "My bike is at Anton's, and I have 4 keys", "where is my bike?" is not about the
    number. A part without a subject of its own belongs to what is before it: "and paid 4 euros"."""
    found = [(is_it(part), _shares_word(question, part)) for part in parts_of(text)]
    own = [part for part in parts_of(text) if is_it(part)]
    if len(own) != 1 or not _stands_alone(own[0], text):
        return False
    asked = [is_one for is_one, is_asked in found if is_asked]
    return bool(asked) and not any(asked)


def telling_words(text: str) -> set[str]:
    """Return the words of a text that say something about its subject."""
    return {*words(folded(text))} - grammatical_words(text) - STOP_WORDS


def _stands_alone(part: str, text: str) -> bool:
    language, said = language_of(text), {*words(folded(part))}
    if not said.isdisjoint(language.others):
        return False  # "and it was 4 euros"
    return not said.isdisjoint(language.selves | language.plurals | language.auxiliaries)


def _shares_word(question: str, part: str) -> bool:
    said = telling_words(part)
    return any(share_beginning(word, each) for word in telling_words(question) for each in said)
