"""Tell German nouns from names, since both have a capital. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path

from ..clause_words import language_of
from ..word_forms import folded, words

_DETERMINERS = frozenset(
    folded(
        """
        der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner
        keines mein meine meinen meinem meiner meines dein deine deinen deinem deiner deines sein
        seine seinen seinem seiner seines ihr ihre ihren ihrem ihrer ihres unser unsere unseren
        unserem unserer unseres euer eure euren eurem eurer dieser diese dieses diesen diesem jeder
        jede jedes jeden jedem jener jene jenes welcher welche welches mancher manche solche solcher
        alle allen aller alles beide beiden viele vielen vieler viel wenige wenigen wenig mehr
        weniger mehrere mehreren einige einigen etwas genug zwei drei vier fünf sechs sieben acht
        neun zehn elf zwölf im am zum zur beim vom ins ans aufs fürs ums übers unters durchs
        """
    ).split()
)
_ADJECTIVE = re.compile(r"[a-zß-ÿ-]+(?:e|en|er|es|em)")
_MOST_ADJECTIVES = 2
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_ENDING = re.compile(
    r"(?:ung|heit|keit|schaft|tion|nis|tum|ment|ling|chen|lein|erei|ismus|enz|anz"
    r"|logie|grafie|itat|erinnen)(?:en|e|s|se|sen|n)?$"
)
_LONG = 6  # letters of a word with such an ending
_STEM = re.compile(r"(?:en|e|n|er|es|s)$")
_PART, _REST = 4, 3  # least letters of a noun or a source's word in a compound, and of the rest
_STRANGE_TAILS = frozenset(folded("dorf land stadt see wald hof hausen markt berg burg").split())
"""These end the names of places."""
_PLACES = frozenset(
    folded(
        """
        aachen bielefeld bodensee bukarest darmstadt deutschland dortmund esslingen gelsenkirchen
        göttingen karlsruhe klagenfurt koblenz konstanz krefeld kreuzberg ludwigshafen mailand
        mannheim münchen nordsee ostsee regensburg reutlingen rosenheim rostock saarbrücken salzburg
        salzgitter schweiz solingen stockholm türkei winterthur
        """
    ).split()
)
"""Names that look like compounds, have the ending of a noun, or an article."""
# In German every noun is capitalised, so that capitals alone do not indicate names.
_ARTICLES = "der das und ist mit für nicht ein eine einen dem auf wird zum zur im"
_GERMAN = frozenset(map(folded, _ARTICLES.split()))


def has_german(text: str) -> bool | None:
    """Return whether a line is German, or has German in it; None if no word tells."""
    said = set(words(folded(text)))
    language = language_of(text)
    if _GERMAN & said or language.capitalises_nouns:
        return True
    return False if language.common & said else None


def may_be_noun(before: Sequence[str], word: str, said: Collection[str]) -> bool:
    """Return whether a German word with a capital is likely a noun: by the words `before` it, its
    ending, or as a frequent one or a compound of such or of words that were `said`, which are
    folded."""
    plain = folded(word)
    if plain in _PLACES:
        return False
    return (
        _has_determiner(before)
        or plain in _nouns()
        or (len(plain) >= _LONG and _ENDING.search(plain) is not None)
        or _has_noun(plain)
        or any(_is_compound(plain, _STEM.sub("", each)) for each in said)
    )


@cache
def _nouns() -> frozenset[str]:
    """Return frequent nouns, in the singular and the plural."""
    return frozenset(folded(Path(__file__).with_suffix(".txt").read_text("utf-8")).split())


def _has_noun(plain: str) -> bool:
    """Return whether a word begins or ends with a frequent noun."""
    lengths = range(_PART, len(plain) - _REST + 1)
    ends = (part for n in lengths for part in (plain[:n], plain[-n:]))
    return any(part in _nouns() and part not in _STRANGE_TAILS for part in ends)


def _is_compound(plain: str, part: str) -> bool:
    """Return whether a word begins or ends with a part of it."""
    rest = len(plain) - len(part)
    if len(part) < _PART or rest < _REST or part in _STRANGE_TAILS:
        return False
    return plain.endswith(part) or plain.startswith(part)


def _has_determiner(before: Sequence[str]) -> bool:
    """Return whether an article, a number or the like precedes it, possibly with adjectives."""
    for count, word in enumerate(reversed(before)):
        if folded(word) in _DETERMINERS or _NUMBER.fullmatch(word):
            return True
        if count >= _MOST_ADJECTIVES or not _ADJECTIVE.fullmatch(word):
            return False
    return False
