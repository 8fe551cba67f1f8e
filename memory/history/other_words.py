"""Decide which word of a message the owner's next one replaces: "no, it's red" after "my car is
blue". Pure.

Only where that is clear: the next one says nothing else, and what it names fits in the same place,
behind the same verb or preposition, or as the only other name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from ..knowledge.decide import frame_and_values
from ..text.change_words import DENIED, uncorrected
from ..text.clause_words import grammatical_words, language_of
from ..text.grammar import JOINING, names_home, statement
from ..text.languages.phrase_tables import every_phrase
from ..text.sentences import is_question
from ..text.small_talk import is_small_talk
from ..text.tokenize import STOP_WORDS
from ..text.word_forms import folded, is_inflected, words

_MOST = 2  # words of a name, or another thing
_LONGEST_VALUE = 3  # words, with an article
_ARTICLE = """
a an the der die das den dem ein eine einen einem le la les l un une el los las una il lo i gli o os
as um uma de het een
"""
_ARTICLES = frozenset(_ARTICLE.split())
_IT = frozenset(
    folded("it that this es das c ce ça cela eso esto è isso isto het dat to это").split()
)
_NO_VALUE = """
sam late enough true fine all over raining snowing spät genug wahr alles tarde cierto verdad todo
tard assez vrai tout tardi vero tutto laat waar alles późno wszystko поздно всё
"""
_NO_VALUES = frozenset(folded(_NO_VALUE).split())
"""What is said of anything: "sorry, it's late"."""
_IS_SHORT = {"s": "is", "re": "are"}
_PAUSES = tuple(",;:–—-")
_POSSESSIVE = re.compile("^['’]s\\b")
_LONGEST = 25  # words of the older message: in a longer one, it is not clear what is meant


class _WordPlace(NamedTuple):
    """A word or two of the older message that another may replace, as written. `lead`: the verb or
    preposition before it; `has_article`: an article stands between."""

    text: str
    lead: str
    has_article: bool


def with_other_word(new: str, old: str) -> str | None:
    """Return the older message with the word that its owner's next one replaces; None if it
    replaces none, or it is not clear which."""
    if is_question(old) or is_small_talk(old) or len(words(old)) > _LONGEST:
        return None
    return _contrasted(new, old) or _renamed(new, old)


def says_moved(new: str, old: str) -> bool:
    """Return whether the next message says that somebody whose home the older one names has moved:
    "he moved to York"."""
    said = {folded(word) for word in words(new)}
    if not names_home(old) or _relocations().isdisjoint(said):
        return False
    if said.isdisjoint(language_of(f"{old} {new}").others):
        return False
    known = {folded(word) for word in words(old)}
    named = _content(words(uncorrected(new)), f"{old} {new}")
    others = [word for word in named if folded(word) not in known | _relocations()]
    return len(others) <= _MOST and any(word[:1].isupper() or new.islower() for word in others)


@cache
def _relocations() -> frozenset[str]:
    return frozenset(map(folded, every_phrase("relocations")))


def _content(said: Sequence[str], like: str) -> list[str]:
    """Return the words that name something, as written, in the language of `like`."""
    small = STOP_WORDS | grammatical_words(like) | _ARTICLES | _IT | _copulas()
    small |= language_of(like).prepositions | language_of(like).adverbs
    return [word for word in said if folded(word) not in small]


@cache
def _copulas() -> frozenset[str]:
    """Return the words for "is" and "are"."""
    return frozenset(map(folded, every_phrase("copulas_before_times")))


def _contrasted(new: str, old: str) -> str | None:
    """Return the older message with one word for another that the new one denies: "not red but
    blue", "Peter, not Paul"."""
    denials = list(DENIED.finditer(new))
    if len(denials) != 1 or frame_and_values(new)[1]:
        return None
    denied, like = denials[0], f"{old} {new}"
    after = _POSSESSIVE.sub("", new[denied.end() :])
    said = [*map(folded, words(after))]
    before, behind = (
        [word for word in _content(words(uncorrected(part)), like) if folded(word) not in JOINING]
        for part in (new[: denied.start()], after)
    )
    has_pause = after.lstrip()[:1] in _PAUSES or not JOINING.isdisjoint(said[:1])
    right = before or behind
    if (before and said) or (behind and not has_pause) or not 0 < len(right) <= _MOST:
        return None
    wrong = {word for word in _content(words(old), like) if _is_form(word, denied[1])}
    if len(wrong) != 1 or not _is_new(right, old):
        return None
    return _replaced(old, wrong.pop(), " ".join(right))


def _is_form(one: str, other: str) -> bool:
    return folded(one) == folded(other) or is_inflected(folded(one), folded(other))


def _renamed(new: str, old: str) -> str | None:
    """Return the older message with what a correction names in its place: "no, in York"."""
    corrected = uncorrected(new)
    said = [_IS_SHORT.get(word, word) for word in words(corrected)]
    content = _content(said, f"{old} {new}")
    if corrected == new or not 0 < len(content) <= _MOST or said[-len(content) :] != content:
        return None
    has_capital = content[0][:1].isupper()
    if (is_small_talk(new) or is_small_talk(corrected)) and not has_capital:
        return None  # "sorry, Nice" may be the town
    if frame_and_values(corrected)[1] or new.lstrip().startswith("*"):
        return None  # "*fri" corrects the spelling of any word
    if not _is_new(content, old) or not _NO_VALUES.isdisjoint(map(folded, content)):
        return None
    lead = [folded(word) for word in said[: -len(content)]]
    places = [each for each in _places(old) if _fits(each, lead, content, new, old)]
    if len({each.text for each in places}) != 1:
        return None
    return _replaced(old, places[-1].text, " ".join(content))


def _is_new(named: Sequence[str], old: str) -> bool:
    known = [folded(word) for word in words(old)]
    return not any(is_inflected(folded(word), each) for word in named for each in known)


def _replaced(old: str, wrong: str, right: str) -> str:
    head, _, end = old.rpartition(wrong)
    return f"{head}{right}{end}"


def _fits(
    place: _WordPlace, lead: Sequence[str], content: Sequence[str], new: str, old: str
) -> bool:
    """Return whether words may stand in a place of the older message."""
    language = language_of(f"{old} {new}")
    bare = [word for word in lead if word not in language.others | _IT | {place.lead}]
    has_article = any(word in _ARTICLES for word in bare)
    if any(word not in _ARTICLES | language.adverbs | language.possessives for word in bare):
        return False
    if lead and place.lead not in lead:
        return False
    if lead and place.lead in _copulas() and has_article != place.has_article:
        return False  # "actually she's great" is no other word for "a nurse"
    if not (lead or place.lead in _copulas() or place.text[:1].isupper() or names_home(old)):
        return False  # "no luck"
    if old.islower() or language.capitalises_nouns or (lead and new.islower()):
        return True
    return content[0][:1].isupper() == place.text[:1].isupper()


def _places(old: str) -> list[_WordPlace]:
    """Return what stands behind a verb that links it with its subject, or behind a preposition."""
    found, language = list[_WordPlace](), language_of(old)
    for clause in re.split(r"[,;.!()]\s|[.!]$", old):
        said = words(clause)
        plain = [_IS_SHORT.get(folded(word), folded(word)) for word in said]
        for at, word in enumerate(plain[:-1], 1):
            if at == 1 or word not in _copulas() | language.prepositions:
                continue
            rest = said[at:]
            value = [each for each in rest if folded(each) not in _ARTICLES]
            ends = next(
                (n for n, each in enumerate(value) if folded(each) in _ends(old)), len(value)
            )
            has_article = len(value) < len(rest)
            value = value[:ends]
            if 0 < len(value) <= _LONGEST_VALUE and " ".join(value) in old:
                found.append(_WordPlace(" ".join(value), word, has_article))
    said_of = statement(old)  # also behind "is called" and the like
    if said_of is not None and len(words(said_of.value)) <= _MOST:
        lead = folded(words(old[: old.rindex(said_of.value)])[-1])
        if lead not in _copulas():
            found.append(_WordPlace(said_of.value, lead, has_article=False))
    return [each for each in found if not frame_and_values(each.text)[1]]


def _ends(old: str) -> frozenset[str]:
    """Return the words that end what a verb or a preposition has behind it: another of these."""
    language = language_of(old)
    return language.prepositions | language.breaks | _copulas() | language.auxiliaries | JOINING
