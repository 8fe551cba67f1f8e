"""Split statements like "My dentist is Dr. Bell" into their subject and what they say of it. Pure.

Two such statements are about different things if their subjects differ ("blood pressure", "boiler
pressure"). With the same subject, another name is another value: "My dentist is Dr. Ruiz".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from ..languages.phrase_tables import every_phrase
from ..word_forms import folded, is_inflected, is_unspaced, words

_VERBS = re.compile(
    r"\s(?:is|are|was|were|ist|sind|war|heißt|heisst|beträgt|est|sont|était|s['’]appelle|es|son|era"
    r"|se llama|è|sono|si chiama|é|são|chama-se|se chama|zijn|heet|jest|są|to|ma na imię"
    r"|nazywa się|зовут|это|—|–)(?: (?:now|called|named|jetzt|nun|ahora|agora|adesso|nu|teraz"
    r"|maintenant|теперь))*\s"
    r"|(?<=[\u3040-\u30ff\u3400-\u9fff])(?:是|叫|は)",
    re.IGNORECASE,
)
_OWN = frozenset(
    folded(
        """
        my our his her their the a an owner user s mein meine meinen unser unsere der die
        das mon ma mes notre le la l les mi mis nuestro nuestra el los las il lo mio mia
        nostro nostra o os as meu minha nosso nossa mijn onze ons de het mój moja moje nasz
        nasza мой моя мое моего мою наш наша correction korrektur remember that dass que che
        """
    ).split()
)
_ARTICLE = """
a an the s der die das ein eine le la les un une el los las una il lo o os as um uma de het een
"""
_ARTICLES = frozenset(_ARTICLE.split())
_OF = frozenset(("of", "von", "vom", "de", "du", "des", "di", "del", "della", "do", "da", "van"))
_IT = frozenset(folded("it this er sie es il elle ella lui lei ele ela het ono он она оно").split())
_CHANGING = frozenset(
    folded(
        "has have changed change was hat sich geändert a changé ha cambiado cambió è cambiato"
        " mudou is veranderd się zmienił zmieniła изменился изменилась изменилось"
    ).split()
)
_TITLE = re.compile(
    r"(?:(?:le|la|el|der|die|den|il|o|a|de) )?"
    r"(?:dra?|mr|mrs|ms|miss|prof|professor|sir|herr|frau|hr|fr|mme|mlle|m|monsieur|madame|docteur"
    r"|sr|sra|srta|señor|señora|don|doña|dott|dottor|dottoressa|signor|signora|sig|dona|senhor"
    r"|senhora|dhr|mevr|mevrouw|meneer|pan|pani|д-р|доктор|г-н|г-жа)\b\.?\s*",
    re.IGNORECASE,
)
_TITLED = re.compile(r"(?:医生|醫生|大夫|先生|女士|老师|老師|教授|さん|様|先生です)(?:です)?。?$")
_NAME = re.compile(r"[^\W\d_a-zß-öø-ÿ][\w'’.-]*")
_OURS = re.compile("^(?:我们的|我們的|我的|我家的?|私の|僕の|俺の)")
_JOINED = "de da do dos di del della la le van von der den el al bin zu"
_JOINING = frozenset(_JOINED.split())
_MOST = 4  # words of a name
_NOW = (
    *("from now on", "now", "ab jetzt", "jetzt", "nun", "maintenant", "désormais", "ahora"),
    *("adesso", "agora", "nu", "teraz", "теперь"),
)
_NOUNS = re.compile(r"\s(?:ist|sind|war)\s")  # German: there every noun has a capital


@dataclass(frozen=True, slots=True)
class SubjectAndValue:
    """`subject`: its folded words, without articles and possessives; `value`: the text after the
    verb; `is_noun`: a capital in the value does not make a name."""

    subject: tuple[str, ...]
    value: str
    is_noun: bool = False


def statements(text: str) -> Iterator[SubjectAndValue]:
    """Yield what a sentence says of what, for each of its verbs that may link the two."""
    for match in _VERBS.finditer(text):
        head = text[: match.start()].rpartition(":")[2].rpartition(",")[2]
        subject = tuple(word for word in words(folded(_OURS.sub("", head))) if word not in _OWN)
        if subject and _IT.issuperset(subject):  # "My locker has changed, it is number 204"
            before = words(folded(text[: match.start() - len(head)].rpartition(":")[2]))
            subject = tuple(word for word in before if word not in _OWN | _CHANGING)
        value = _without_now(text[match.end() :])
        is_noun = _NOUNS.match(match[0].lower()) is not None
        if subject and value:
            yield SubjectAndValue(subject, value, is_noun)


def _without_now(value: str) -> str:
    bare = value.strip().rstrip(".!。").rstrip()
    for word in _NOW:
        if bare.casefold().endswith(f" {word}"):
            return bare[: -len(word)].rstrip(" ,")
    return bare


def statement(text: str) -> SubjectAndValue | None:
    """Return the first of the statements; None if a text has no such form."""
    return next(statements(text), None)


def differ_in_subject(one: str, other: str) -> bool:
    """Return whether each statement has a word in its subject that the other does not have."""
    first, second = statement(one), statement(other)
    if first is None or second is None:
        return False
    return _lacks(one, second.subject) and _lacks(other, first.subject)


def _lacks(text: str, subject: tuple[str, ...]) -> bool:
    said = words(folded(text))
    return not all(
        word in said or any(is_inflected(word, each) for each in said) for word in subject
    )


def rewords(one: str, other: str) -> bool:
    """Return whether two statements say the same in almost the same words: with other articles, or
    with the two sides of "is" exchanged: "The code of my locker is 4411", "4411 is my locker code".
    """
    first, second = words(folded(one)), words(folded(other))
    if {*first} - _ARTICLES - _OF != {*second} - _ARTICLES - _OF:
        return False
    if [w for w in first if w not in _ARTICLES] == [w for w in second if w not in _ARTICLES]:
        return True
    said, known = statement(one), statement(other)
    return said is not None and known is not None and _sides(said) == _sides(known)


def _sides(said: SubjectAndValue) -> set[tuple[str, ...]]:
    """Return the words of subject and value, without articles and possessives, and what belongs to
    something after it: "code of my locker" → ("locker", "code")."""
    found = set[tuple[str, ...]]()
    for side in (said.subject, words(folded(said.value))):
        parts: list[list[str]] = [[]]
        for word in side:
            if word in _OF:
                parts.insert(0, [])
            elif word not in _OWN:
                parts[0].append(word)
        found.add(tuple(word for part in parts for word in part))
    return found


def names_another(new: str, old: str) -> bool:
    """Return whether two statements name different people or places for the same subject, of which
    there is one: a dentist, a bakery, but not a friend or a brother."""
    first, second = statement(new), statement(old)
    if first is None or second is None or first.subject != second.subject:
        return False
    several = _several()
    if any(each in several or each.rstrip("s") in several for each in first.subject):
        return False
    name, other = _name(first), _name(second)
    if not name or not other or bool(_title(first)) != bool(_title(second)):
        return False  # "is British" is no other name than "is Dr. Bell"
    return name != other


@cache
def _several() -> frozenset[str]:
    """Return the words for people and animals of which one may have several."""
    return frozenset(map(folded, every_phrase("several")))


def _title(said: SubjectAndValue) -> str:
    found = (_TITLED.search if is_unspaced(said.value) else _TITLE.match)(said.value)
    return found[0] if found else ""


def _name(said: SubjectAndValue) -> str:
    """Return the folded name that a statement states, without its title; "" if it is none."""
    title = _title(said)
    if is_unspaced(said.value):
        return folded(_TITLED.sub("", said.value)) if title else ""
    parts = _TITLE.sub("", said.value).split()
    is_name = all(_NAME.fullmatch(part) or part in _JOINING for part in parts)
    if not 0 < len(parts) <= _MOST or not is_name or (said.is_noun and not title):
        return ""
    return " ".join(words(folded(" ".join(parts))))
