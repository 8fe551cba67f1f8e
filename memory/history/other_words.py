"""Decide which word of a message the owner's next one replaces: "no, it's red" after "my car is
blue". Pure.

Only where that is clear: the next one says nothing else, and what it names fits in the same place,
behind the same verb or preposition, or as the only other name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple

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
_A = "a an ein eine einen einem un une una uno um uma een"
_INDEFINITE = frozenset(_A.split())
_IT = frozenset(
    folded("it that this es das c ce ça cela eso esto è isso isto het dat to это").split()
)
_NO_VALUE = """
sam late enough true fine all over raining snowing spät genug wahr alles tarde cierto verdad todo
tard assez vrai tout tardi vero tutto laat waar alles późno wszystko поздно всё
god gott dios dieu dio deus boże боже alexa siri google mum mom mama dad papa maman mamá papá mamma
papà mamãe papai mãe pai tato мама папа
"""
_NO_VALUES = frozenset(folded(_NO_VALUE).split())
"""What is said of anything ("sorry, it's late"), a call on somebody, or a cry."""
_COLOUR = """
red blue green yellow black white grey gray brown orange purple pink silver gold golden beige
rot blau grün gelb schwarz weiß grau braun lila rosa violett silber
rojo roja azul verde amarillo amarilla negro negra blanco blanca gris marrón naranja morado morada
rouge bleu bleue vert verte jaune noir noire blanc blanche brun brune violet violette rose argenté
rosso rossa blu giallo gialla nero nera bianco bianca grigio grigia marrone viola
vermelho vermelha amarelo amarela preto preta branco branca cinza cinzento castanho castanha roxo
rood blauw groen geel zwart wit grijs bruin oranje paars roze zilver
czerwony czerwona niebieski niebieska zielony zielona żółty żółta czarny czarna biały biała szary
szara brązowy brązowa
красный красная синий синяя голубой голубая зелёный зелёная жёлтый жёлтая чёрный чёрная белый белая
серый серая коричневый коричневая
"""
_COLOURS = frozenset(folded(_COLOUR).split())
"""A thing has one of these, while "it's broken" may be as true as that it is blue."""
_IS_SHORT = {"s": "is", "re": "are"}
_CRY = re.compile(r"\W*(?:oh|ach|ay|о)\W+(?:no|nein|non|não|nee|nie|нет)\b", re.IGNORECASE)
_PAUSES = tuple(",;:–—-")
_POSSESSIVE = re.compile("^['’]s\\b")
_LONGEST = 25  # words of the older message: in a longer one, it is not clear what is meant
_Article = Literal["", "definite", "indefinite"]


class _WordPlace(NamedTuple):
    """A word or two of the older message that another may replace, as written. `lead`: the verb or
    preposition before it; `article`: the kind of article between them."""

    text: str
    lead: str
    article: _Article


def with_other_word(new: str, old: str) -> str | None:
    """Return the older message with the word that its owner's next one replaces; None if it
    replaces none, or it is not clear which."""
    if len(words(old)) > _LONGEST or is_question(old) or is_small_talk(old):
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
    return len(others) <= _MOST and any(word[:1].isupper() or old.islower() for word in others)


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
    if right[0][:1].isupper() != denied[1][:1].isupper():
        return None  # "not Anna, sadly"
    return _replaced(old, wrong.pop(), " ".join(right))


def _is_form(one: str, other: str) -> bool:
    return folded(one) == folded(other) or is_inflected(folded(one), folded(other))


def _renamed(new: str, old: str) -> str | None:
    """Return the older message with what a correction names in its place: "no, in York"."""
    corrected = uncorrected(new)
    said = [_IS_SHORT.get(word, word) for word in words(corrected)]
    content = _content(said, f"{old} {new}")
    if corrected == new or _CRY.match(new):
        return None
    if not 0 < len(content) <= _MOST or said[-len(content) :] != content:
        return None
    capitals = [word[:1].isupper() for word in content]
    if is_small_talk(corrected) and not (capitals[0] and len(said) > len(content)):
        return None  # "sorry, Thanks", but not "non, à Nice"
    if is_small_talk(new) and not capitals[0]:
        return None
    if capitals[0] and not (all(capitals) or old.islower()):
        return None  # "sorry, Mum called"
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
    article = _article(bare)
    if any(word not in _ARTICLES | language.adverbs | language.possessives for word in bare):
        return False
    if lead and place.lead not in lead:
        return False
    if article != place.article:
        return False  # "actually she's great" is no other word for "a nurse"
    has_capital = content[0][:1].isupper()
    if place.lead in _copulas() and not (place.article or place.text[:1].isupper()):
        old_words = map(folded, words(place.text))
        if _COLOURS.isdisjoint(map(folded, content)) or _COLOURS.isdisjoint(old_words):
            return False  # "no, it's broken"
    if not (lead or place.lead in _copulas() or place.text[:1].isupper() or names_home(old)):
        return False  # "no luck"
    return old.islower() or has_capital == place.text[:1].isupper()


def _article(said: Sequence[str]) -> _Article:
    """Return the kind of the article among these words; "" without one."""
    found = [word for word in map(folded, said) if word in _ARTICLES]
    if not found:
        return ""
    return "definite" if _INDEFINITE.isdisjoint(found) else "indefinite"


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
            article = _article(rest[:1])
            value = value[:ends]
            if 0 < len(value) <= _LONGEST_VALUE and " ".join(value) in old:
                found.append(_WordPlace(" ".join(value), word, article))
    said_of = statement(old)  # also behind "is called" and the like
    if said_of is not None and len(words(said_of.value)) <= _MOST:
        lead = folded(words(old[: old.rindex(said_of.value)])[-1])
        if lead not in _copulas():
            found.append(_WordPlace(said_of.value, lead, ""))
    return [each for each in found if not frame_and_values(each.text)[1]]


def _ends(old: str) -> frozenset[str]:
    """Return the words that end what a verb or a preposition has behind it: another of these."""
    language = language_of(old)
    return language.prepositions | language.breaks | _copulas() | language.auxiliaries | JOINING
