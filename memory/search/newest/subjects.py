"""Words of statements: what they are about, their values, and mentions of a change. Pure."""

from __future__ import annotations

import re
from collections.abc import Set
from functools import lru_cache

from ...text.tokenize import STOP_WORDS, terms

_CHANGED = re.compile(
    r"\b(?:now|instead|no longer|no more|any ?more|moved|chang\w+|swapped|switched|replac\w+|new"
    r"|postponed|brought forward|cancel\w+|resched\w+|called off|put off|up to|down to|actually"
    r"|after all"
    r"|turn(?:s|ed) out|back to|gave up|given up|stopped|finally|wrong|mistake|meant|used to"
    r"|(?:is|are) (?:out|off|gone|over)|from \w+(?: \w+)? on"
    r"|(?:from|starting|as of) (?:today|tomorrow|next|this|\w+day"
    r"|january|february|march|april|may|june|july|august|\w+ber)"
    r"|jetzt|nun|statt|stattdessen|neue?[rsnm]?|nicht mehr|keine? \w+ mehr|ver(?:schob|leg)\w+"
    r"|vorgezogen|abgesagt|ge(?:ä|ae)ndert|gewechselt|umgezogen|aufgeh(?:ö|oe)rt|falsch|endlich"
    r"|doch|ab \w+"
    r"|maintenant|d[ée]sormais|nouve\w+|n(?:e |['’])\w+ plus|plut[ôo]t|au lieu|chang[ée]\w*"
    r"|d[ée]plac[ée]\w*|avancé\w*|repouss\w+|reporté\w*|annul[ée]\w*|d[ée]m[ée]nag[ée]|arrêté"
    r"|finalement|[àa] partir"
    r"|ahora|ya no|nuev[oa]s?|cambi\w+|en (?:vez|lugar)|al final|aplaz\w+|pospus\w+|pospuest\w+"
    r"|posterg\w+|adelant\w+|movi(?:ó|o|eron|do|da)|mud(?:[óo]|é|amos)|dej[óéoe] de"
    r"|agora|j[áa] n[ãa]o|nov[oa]s?|mud(?:ou|ei|[áa]mos|aram)|em vez|afinal|adi(?:ou|ei|ad[oa])"
    r"|antecip\w+|remarc\w+|deix(?:ou|ei) de"
    r"|nu|niet meer|geen \w+ meer|nieuwe?|verplaatst|verzet|vervroegd|uitgesteld|verhuisd|voortaan"
    r"|vanaf|in plaats"
    r"|teraz|ju[żz] nie|now[yae]|zmieni\w+|przenie\w+|prze[łl]o[żz]\w+|przesun\w+|odwo[łl]\w+"
    r"|zamiast|jednak|odt[ąa]d"
    r"|adesso|nuov[oaie]|non \w+ pi[ùu]|invece|spostat[oaie]|rimandat[oaie]|anticipat[oaie]"
    r"|annullat[oaie]"
    r"|теперь|уже не|больше не|нов\w+|вместо|перен[её]с\w*|сдвин\w+|отлож\w+|отмен\w+|измени\w+"
    r"|переех\w+)\b"
    r"|変わ|変更|新し|今は|引っ越|やめ"
    r"|现在|現在|不再|改(?!善)|换|換|搬|取消|推迟|推遲|延期|新的|其实|其實|更正",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
_DIGIT, _LETTERS = re.compile(r"\d"), re.compile(r"[^\W\d_]+")
_EDGES = ".,;:!?()\"'#+"  # of a word: no part of how a number is written
_STEM = 4  # characters; shorter words are compared whole
_ENDING = 3  # characters after a short stem: "code", "codes", but not "lock", "locksmith"
_NO_STEMS = frozenset(["ever", "every", "everyone", "everybody", "everything"])
"""Words that begin one another, and have no stem in common."""
_LONG_STEM = 6  # characters; such a word also begins its compounds


@lru_cache(maxsize=1024)  # a hit is compared with each of the others
def mentions_change(text: str) -> bool:
    """Return whether a text has a word that mentions a change, in any supported language."""
    return _CHANGED.search(text) is not None


@lru_cache(maxsize=1024)
def numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text."""
    return frozenset(_NUMBER.findall(text))


@lru_cache(maxsize=1024)
def number_forms(text: str) -> frozenset[str]:
    """Return how the numbers of a text are written: "14:52" as 00:00, "6b" as 0a."""
    if not _NUMBER.search(text):
        return frozenset()
    words = (word.strip(_EDGES) for word in text.split() if _NUMBER.search(word))
    return frozenset(_LETTERS.sub("a", _DIGIT.sub("0", word)) for word in words)


@lru_cache(maxsize=1024)
def subjects(text: str) -> frozenset[str]:
    """Return the words of a text, without stop words and those that mention a change."""
    return _content(_CHANGED.sub(" ", text)) if mentions_change(text) else _content(text)


@lru_cache(maxsize=1024)
def _content(text: str) -> frozenset[str]:
    return frozenset(terms(text)) - STOP_WORDS


def share_subject(words: Set[str], others: Set[str]) -> bool:
    """Return whether a word equals one of the others, or begins it: "code", "codes"."""
    if not words.isdisjoint(others):
        return True
    near = {word[:_STEM] for word in words} & {word[:_STEM] for word in others}
    return bool(near) and any(
        _begins(*sorted((word, other), key=len))
        for word in words
        if word[:_STEM] in near
        for other in others
    )


def _begins(short: str, long: str) -> bool:
    """Return whether a word is another one's stem, or both have one: "rehearse", "rehearsal"."""
    if short in _NO_STEMS or long in _NO_STEMS:
        return False
    differs = (n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b)
    same = next(differs, len(short))
    if same >= _LONG_STEM and same >= len(short) - 2 and len(long) - same <= _ENDING:
        return True
    ending = len(long) - len(short)
    is_stem = len(short) >= _STEM and (ending <= _ENDING or len(short) >= _LONG_STEM)
    return is_stem and same == len(short)


def covered(line: Set[str], words: Set[str]) -> float:
    """Return the share of a line's words that are among the words; its numbers count as one."""
    values = {word for word in line if _NUMBER.search(word)}
    found = sum(share_subject({word}, words) for word in line - values)
    found += bool(values) and values <= words
    return found / (len(line - values) + bool(values))


def shared(one: str, other: str) -> float:
    """Return the share of the shorter text's words, without stop words, that the other has."""
    words, others = _content(one), _content(other)
    fewest = min(len(words), len(others))
    return len(words & others) / fewest if fewest else 0.0
