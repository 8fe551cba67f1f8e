"""Find the words of a question that no answer can be about: nobody mentioned them, and no language
has them, such as an invented name.

A word that occurs nowhere in the index is not yet such a word: "grandmother" may be asked of
somebody who mentioned Nan. It must also be improbable in every language, and neither a misspelling
nor another form of a word, nor two words in one. In a language with many cases, only a name can be
such a word: the vocabularies lack most forms of most nouns.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from ..embedding.models.vocabulary import are_words, log_odds
from ..infra.sqlite import Connection
from ..text.clause_words import clear_language, names_of
from ..text.tokenize import flat, match_query, terms
from ..text.word_forms import is_same_name
from .candidates.sql import COLUMN_GROUPS, has_match, indexed_terms
from .evidence import missing_names

RARE = -28.0
"""Below this log-odds, and below `RARE_PER_LETTER` times the number of letters, no language has the
word. Between -26 and -29, recall is the same within a question or two."""
RARE_PER_LETTER = -3.2
"""Long words are improbable as a whole. In a compound or an inflected word ("shoplifter"), the
parts are long and each is known, so that a letter costs less than in invented words."""
COMMON = -16.0
"""Log-odds of the function words of a known language. If fewer than half of the question's words
reach it, the question is in another language, whose words all look improbable."""
_INFLECTED = frozenset(["pl", "ru"])
"""Codes of languages in which three of four everyday nouns are below `RARE` in most cases."""
_SHORTEST = 4  # letters: shorter words are often acronyms
_STEM, _SUFFIX = 4, 3  # letters: the least that two forms of a word share, the most that differ
_FIRST = 2  # letters by which the words of the index are read
_STEMMED, _LOST = 1, 4  # letters that stemming changes at the end, and that it leaves out
_LETTERS = ("abcdefghijklmnopqrstuvwxyz", "абвгдежзиклмнопрстуфхцчшщъыьэюя")
"""Alphabets of misspellings, without the marks that the index drops."""


def unknown_share(
    db: Connection, question: str, words: Sequence[str], missing: Sequence[float]
) -> float:
    """Return the share of the question's information, from 0 to 1, in words that neither the index
    nor a language has; 0.0 if no package with a vocabulary is installed.

    `words`: its content words; `missing`: the share of each that occurs nowhere (`Coverage`).
    """
    absent = {
        word: share
        for word, share in zip(words, missing, strict=True)
        if share and len(word) >= _SHORTEST and word.isalpha()
    }
    if absent and clear_language(question) in _INFLECTED:
        names = names_of(question)
        absent = {word: share for word, share in absent.items() if word in names}
    if not absent:
        return 0.0
    # The index drops accents, but the vocabularies have them.
    asked = flat(unicodedata.normalize("NFC", question)).split()
    if 2 * sum(log_odds(word) >= COMMON for word in asked) < len(asked):
        return 0.0
    return sum(
        absent.pop(term, 0.0)  # a repeated word counts once
        for word in asked
        if log_odds(word) < min(RARE, RARE_PER_LETTER * len(word))
        for term in terms(word)
        if term in absent and not _is_almost_word(word) and not _is_like_another(db, term)
    )


def unknown_names(
    db: Connection, question: str, words: Sequence[str], missing: Sequence[float]
) -> float:
    """Return `missing_names`, or 0.0 if the index has one in another case: "Кариму", "Карима"."""
    share = missing_names(question, words, missing)
    if not share or clear_language(question) not in _INFLECTED:
        return share
    return 0.0 if any(_is_declined(db, name) for name in names_of(question)) else share


def _is_declined(db: Connection, name: str) -> bool:
    if len(name) < _SHORTEST:
        return False
    return any(is_same_name(name, each) for each in indexed_terms(db, name[:-1]))


def _is_almost_word(word: str) -> bool:
    """Return whether the word is one mistake away from a frequent one, or consists of two."""
    if any(are_words([*_misspelt(word)])):
        return True
    cuts = range(_STEM, len(word) - _STEM + 1)
    halves = are_words([part for at in cuts for part in (word[:at], word[at:])])
    return any(map(all, zip(halves[::2], halves[1::2], strict=True)))


def _is_like_another(db: Connection, word: str) -> bool:
    """Return whether the index has a word that differs by one mistake, or by its ending."""
    own = f"{COLUMN_GROUPS[0]} : ({match_query(_likely(db, word))}"
    if len(word) >= _STEM + 2:
        own += f' OR "{word[: max(_STEM, len(word) - _SUFFIX)]}" *'
    return has_match(db, own + ")")


def _likely(db: Connection, word: str) -> list[str]:
    """Return those of the misspelt words that may be in the index, since most are not: looking up
    one takes as long as reading all words of the index with the same first letters."""
    first = word[:_FIRST]
    # The index has stems, whose last letters may differ from those of the word.
    stems = {
        stem[:-_STEMMED]
        for stem in indexed_terms(db, first)
        if len(stem) + _LOST >= len(word) > _LOST
    }
    return [
        each
        for each in _misspelt(word)
        if not each.startswith(first)
        or len(word) <= _LOST
        or any(each[:end] in stems for end in range(1, len(each) + 1))
    ]


def _misspelt(word: str) -> Iterator[str]:
    """Yield the words that are one mistake away: a letter left out, added or replaced, two
    swapped."""
    letters = next((each for each in _LETTERS if not set(each).isdisjoint(word)), "")
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        for letter in letters:
            yield before + letter + after
            if after:
                yield before + letter + after[1:]
        if after:
            yield before + after[1:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
