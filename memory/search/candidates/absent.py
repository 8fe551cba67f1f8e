"""Find what an index has instead of a word that occurs nowhere in it.

That may be another spelling of it ("Gedächtnis", "Gedaechtnis"), another form ("wohne", "wohnt"),
or a part: a "Heizkessel" may have been called "Kessel".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from ...embedding.models.vocabulary import are_words
from ...infra.sqlite import Connection
from ...text.tokenize import flat, match_query, terms
from .sql import COLUMN_GROUPS, has_match, indexed_terms

_STEM, _ENDING = 4, 2  # letters: the least that two forms of a word share, the most that differ
_ENDINGS = re.compile(f"[aeioumnrsty]{{0,{_ENDING}}}")
"""The letters of most endings: "wohne" and "wohnt" are forms of a word, "college" and "collect" are
not."""
_LONGEST, _MOST = 40, 12  # letters of a word, and words of a question: each costs many lookups
_PART = 4  # letters: a shorter word is no part of a compound, as it occurs in many by chance
_LINKS = ("", "s", "n", "en", "es", "er")  # between the parts: "Tasche-n-lampe"
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def in_indexed_words(db: Connection, question: str, words: Sequence[str]) -> list[str]:
    """Return the question's `words`, each word that the index lacks replaced by the similar ones
    that it has, if any. A text too long to be a question is returned unchanged."""
    if len(words) > _MOST:
        return list(words)
    written = _without_umlauts(question)
    found: dict[str, None] = {}
    for word in words:
        is_left = not word.isalpha() or not _STEM <= len(word) <= _LONGEST or _occurs(db, word)
        instead = [] if is_left else _instead(db, word, written.get(word, word))
        found.update(dict.fromkeys(instead or [word]))
    return list(found)


def _instead(db: Connection, word: str, written: str) -> list[str]:
    narrow = word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
    if spelt := [each for each in (written, narrow) if each != word and _occurs(db, each)]:
        return spelt
    stem = word[: max(_STEM, len(word) - _ENDING)]
    is_form = _ENDINGS.fullmatch(word, len(stem)) is not None
    found = indexed_terms(db, stem) if is_form else []
    forms = [each for each in found if _ENDINGS.fullmatch(each, len(stem))]
    return [min(forms, key=len)] if forms else _parts(db, word)


def _without_umlauts(question: str) -> dict[str, str]:
    """Map the words of a question that have umlauts, as the index has them, to their spelling with
    two letters."""
    words = flat(unicodedata.normalize("NFC", question)).split()
    return {term: word.translate(_UMLAUTS) for word in words for term in terms(word)}


def _parts(db: Connection, word: str) -> list[str]:
    """Return the two parts of a compound; [] if the index has neither.

    If it has one, the other must be a word. A long word at the end tells enough by itself.
    """
    known: list[str] = []
    for head, tail in _cuts(word):
        has_head, has_tail = _occurs(db, head), _occurs(db, tail)
        if has_head and has_tail:
            return [head, tail]
        tells = (has_tail and len(tail) > _PART) or all(are_words([head, tail]))
        if not known and (has_head or has_tail) and tells:
            known = [head, tail]
    return known


def _cuts(word: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs of words that a compound may consist of."""
    for cut in range(_PART, len(word) - _PART + 1):
        for link in _LINKS:
            head = word[:cut].removesuffix(link)
            if len(head) >= _PART and word[:cut] == head + link:
                yield head, word[cut:]


def _occurs(db: Connection, word: str) -> bool:
    return has_match(db, f"{COLUMN_GROUPS[0]} : ({match_query([word])})")
