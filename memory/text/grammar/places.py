"""Read from a statement where somebody lives or works, of which there is one place at a time. Pure.

"I moved to Lisbon" states another home than "I live in Berlin", though they share no word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ..change_words import says_change
from ..clause_words import grammatical_words, language_of
from ..clauses import Subject, clauses
from ..languages.phrase_tables import tables
from ..tokenize import STOP_WORDS, content_words
from ..word_forms import folded, is_same_name, is_unspaced, words
from .german_nouns import may_be_noun

PlaceKind = Literal["home", "work"]


@dataclass(frozen=True, slots=True)
class StatedPlace:
    """`name`: the folded words of the place; `verb`: the words before it; `has_begun`: it says that
    somebody came there, so that they left the place before."""

    kind: PlaceKind
    name: tuple[str, ...]
    verb: str
    has_begun: bool


# Of folded words with one space between them; the name of the place follows.
_HOME = (
    r"(?:lives?|living|based) (?:now )?(?:in|at)"
    r"|(?:wohn|leb)(?:e|t|en) (?:\w+ ){0,3}in"
    r"|(?:habit(?:e|ons)|vis|vit|vivons) (?:\w+ )?(?:a|au|aux|en)|habit(?:e|ons)"
    r"|viv(?:[eo]|imos) (?:\w+ )?en"
    r"|(?:abit(?:[ao]|iamo)|viv(?:[eo]|iamo)) (?:\w+ )?(?:a|ad|in)"
    r"|(?:mor(?:[ao]|amos)|viv(?:[eo]|emos)) (?:\w+ )?(?:em|no|na)"
    r"|(?:woont?|wonen) (?:\w+ ){0,2}in"
    r"|mieszka(?:m|my)? (?:\w+ )?we?"
    rf"|(?:{folded('живу')}|{folded('живем')}|{folded('живет')}) (?:\w+ )?{folded('в')}"
)
_MOVED = (
    r"(?:moved|relocated) (?:(?:back|over|down|up|out) )?to"
    r"|(?:in|nach) (?=(?:\w+ ){1,3}(?:um)?gezogen\b)|(?:um)?gezogen (?:in|nach)"
    r"|(?:ai|avons|viens d|viens de|venons de) (?:\w+ )?(?:de|em)menager? (?:a|au|aux|en)"
    r"|(?:suis|sommes) (?:\w+ )?installee?s? (?:a|au|aux|en)"
    r"|(?:he mudado|hemos mudado|mude|nos mudamos|he trasladado|traslade) a"
    r"|(?:sono|siamo) (?:\w+ )?trasferit[aoie] (?:a|ad|in)"
    r"|(?:mudei|mudamos)(?: me| nos)? (?:para|pra)(?: [oa])?"
    r"|naar (?=(?:\w+ ){1,3}verhuisd\b)|verhuisd naar"
    r"|przeprowadził\w+ sie do"
    rf"|{folded('переехал')}\w? {folded('в')}"
)
_WORK = (
    r"work(?:s|ing)? (?:as (?:an? )?\w+ )?(?:now )?(?:at|for)"
    r"|arbeit(?:e|et|en) (?:\w+ ){0,3}(?:bei|fur)"
    r"|(?:travaill(?:e|ons)|bosse) (?:\w+ )?(?:chez|pour)"
    r"|trabaj(?:[ao]|amos) (?:\w+ )?(?:en|para)"
    r"|lavor(?:[ao]|iamo) (?:\w+ )?(?:in|da|per|alla|presso)"
    r"|trabalh(?:[ao]|amos) (?:\w+ )?(?:em|na|no|para)"
    r"|(?:werkt?|werken) (?:\w+ ){0,2}(?:bij|voor)"
    r"|pracuj(?:e|emy) (?:\w+ )?(?:we?|dla)"
    rf"|(?:{folded('работаю')}|{folded('работает')}) (?:\w+ )?{folded('в')}"
)
_BEGUN = (
    r"started (?:work |working |a new job |my new job )?(?:at|with)"
    r"|(?:got|found) a job (?:at|with)|new (?:job|position) (?:at|with)|hired by"
    r"|bei (?=(?:\w+ ){1,3}angefangen\b)|angefangen bei|neuen job bei"
    r"|(?:ai|avons|viens de) commencer? (?:a travailler )?chez|embauchee? (?:chez|par)"
    r"|(?:he empezado|empece) (?:a trabajar )?en"
    r"|(?:ho|abbiamo) (?:iniziato|cominciato) (?:a lavorare )?(?:in|da|alla)"
    r"|assunt[oa] (?:in|da|alla)"
    r"|comecei (?:a trabalhar )?(?:em|na|no)|contratad[oa] (?:pela|pelo)"
    r"|bij (?=(?:\w+ ){1,3}begonnen\b)|begonnen bij|aangenomen bij"
    r"|zacz\w+ (?:prace|pracowac) we?"
    rf"|{folded('устроил')}\w+ (?:{folded('на работу')} )?{folded('в')}"
)
_PATTERNS: tuple[tuple[PlaceKind, bool, re.Pattern[str]], ...] = (
    ("home", False, re.compile(rf"\b(?:{_HOME}) ")),
    ("home", True, re.compile(rf"\b(?:{_MOVED}) ?")),
    ("work", False, re.compile(rf"\b(?:{_WORK}) ")),
    ("work", True, re.compile(rf"\b(?:{_BEGUN}) ?")),
)
_PLACE = "([\u3400-\u9fff·A-Za-z]{1,12}?)"
_END = r"(?=去?了|[^\w·]|$)"
_SELF = "(?<!如果)(?<!要是)我们?(?:现在|已经|刚刚?|最近)*"
_UNSPACED: tuple[tuple[PlaceKind, bool, re.Pattern[str]], ...] = (
    ("home", False, re.compile(f"{_SELF}(住在){_PLACE}{_END}")),
    ("home", True, re.compile(f"{_SELF}(搬到了?|搬去了?){_PLACE}{_END}")),
    ("work", False, re.compile(f"{_SELF}(在){_PLACE}(?=工作|上班)")),
    ("work", True, re.compile(f"{_SELF}(入职了?|跳槽到了?){_PLACE}{_END}")),
)
_ASKED_UNSPACED = re.compile(f"{_SELF}(?:现在)?住在?(?:哪[里儿裡]?|什么地方)[呢啊呀]?[？?。]?$")
_ON = tuple("上里边")  # "on the sofa"
_WHEN = frozenset(folded("when als toen quand lorsque cuando quando gdy kiedy когда").split())
"""Words before the verb of what was long ago."""
_WHERE = frozenset(folded("where wo où dónde dove onde waar gdzie где").split())
_THEN = frozenset(
    folded(
        "did used before habe früher vorher heb vroeger avant antes prima wcześniej раньше"
    ).split()
)
"""Words of a question about a former home."""
_OWNER = frozenset(("the", "owner", "user", "just", "now"))
_LIVES = re.compile(rf"^(?:{_HOME}) ")
_IN = ("in", "en", "em", "a", "w", folded("в"))
_FIRST_PERSON = ("o", "m")  # ends of verbs that need no pronoun
_WITHOUT_PRONOUN = ("es", "it", "pt", "pl")  # codes of languages
_WITH_ARTICLE = frozenset(
    ("uk", "us", "usa", "netherlands", "hague", "schweiz", "turkei", "ukraine", "niederlande")
)
_NO_PLACES = """
home night casa hause linux windows mac macos android iphone zoom teams slack signal telegram
whatsapp gmail outlook notion obsidian github
"""
_NOT_PLACES = frozenset(_NO_PLACES.split())


def is_another_place(new: str, old: str) -> bool:
    """Return whether two statements of one person state different homes, or different places of
    work of which the newer one says that it is new: there may be two."""
    for place in stated_places(new):
        counts = place.kind == "home" or place.has_begun or says_change([new])
        if counts and any(_differ(place, each) for each in stated_places(old)):
            return True
    return False


def names_home(text: str) -> bool:
    """Return whether a text says where anybody lives: "Tom lives in Leeds"."""
    plain = " ".join(words(folded(text)))
    return any(kind == "home" and pattern.search(plain) for kind, _, pattern in _PATTERNS)


def asks_for_home(question: str) -> bool:
    """Return whether a question asks where its speaker lives, and nothing else: "Where do I live?",
    but neither "Where does Ana live?" nor "Do I live with Ana?"."""
    if is_unspaced(question):
        return bool(_ASKED_UNSPACED.search(question))
    said = words(folded(question))
    if _WHERE.isdisjoint(said) or not _THEN.isdisjoint(said):
        return False
    verbs = {word for word in said if any(_LIVES.search(f"{word} {each} ") for each in _IN)}
    others = {folded(word) for word in content_words(question)} - grammatical_words(question)
    if not verbs or not others <= verbs:
        return False
    subjects = {clause.subject.who for clause in clauses(question)}
    if language_of(question).code in _WITHOUT_PRONOUN:
        return subjects <= {"", "self"} and all(verb.endswith(_FIRST_PERSON) for verb in verbs)
    return "self" in subjects


def _differ(one: StatedPlace, other: StatedPlace) -> bool:
    """Return whether both are homes, or both places of work, but of different names."""
    return one.kind == other.kind and not all(map(is_same_name, one.name, other.name))


@lru_cache(maxsize=1024)  # recall compares a statement with several others
def stated_places(text: str) -> tuple[StatedPlace, ...]:
    """Return where the speaker lives and works according to a text."""
    return tuple(_unspaced(text) if is_unspaced(text) else _spaced(text))


def _unspaced(text: str) -> Iterator[StatedPlace]:
    for kind, has_begun, pattern in _UNSPACED:
        if (found := pattern.search(text)) and not found[2].endswith(_ON):
            yield StatedPlace(kind, (folded(found[2]),), found[1], has_begun)


def _spaced(text: str) -> Iterator[StatedPlace]:
    plain = " ".join(words(folded(text)))
    patterns = [each for each in _PATTERNS if each[2].search(plain)]
    for clause in clauses(text) if patterns else ():  # to split a text takes long
        said = words(" ".join(clause.words))
        plain = " ".join(map(folded, said))
        for kind, has_begun, pattern in patterns:
            found = pattern.search(plain)
            if found is None:
                continue
            before, verb = plain[: found.start()].split(), found[0].split()
            if not _is_own(clause.subject, before, verb, text) or not _WHEN.isdisjoint(before):
                continue
            marks = clause.marks - {"over"} if has_begun else clause.marks  # "moved" ends something
            if "no" in verb and not before:
                marks -= {"denied"}  # "Moro no Porto"
            if not marks and (name := _name(said, len(before) + len(verb), text)):
                yield StatedPlace(kind, name, found[0].strip(), has_begun)


def _is_own(subject: Subject, before: Sequence[str], verb: Sequence[str], text: str) -> bool:
    """Return whether a clause is about its speaker, or has no subject, as a line about the owner.
    A verb that begins it may have been taken for a name: "Vivo a Roma"."""
    if subject.who:
        return subject.who == "self" or not subject.names.isdisjoint(verb)
    return _OWNER.issuperset(before) or language_of(text).code in _WITHOUT_PRONOUN


def _name(said: Sequence[str], at: int, text: str) -> tuple[str, ...]:
    """Return the folded name that begins there among the words; () if it is none: "I work at home".

    It has a capital, unless nothing in the text has one. "17 Castle Road" and "the UK" are names.
    """
    left = [*map(folded, said[at : at + 2])]
    if left and (left[0].isdecimal() or left[-1] in _WITH_ARTICLE - {left[0]}):
        at += 1
    if text.islower():
        names = (word for word in said[at : at + 1] if len(word) > 2)
        return tuple(word for word in names if word not in STOP_WORDS | _NOT_PLACES)
    found: list[str] = []
    for number, word in enumerate(said[at:], at):
        is_noun = language_of(text).capitalises_nouns and may_be_noun(said[:number], word, ())
        if not word[0].isupper() or is_noun or folded(word) in _NOT_PLACES | tables().no_names:
            break
        found.append(folded(word))
    return tuple(found)
