"""Detect small talk: formulas of people and assistants without information.

The words of each language are `courtesies` and `acknowledgements` in `languages/`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .phrase_tables import WORD, folded, tables

_STRETCHED = re.compile(r"(.)\1{2,}")  # "thaaanks"
_LAUGHTER = re.compile(
    r"(?:b|m?u|bu)?[aeа]?(ha|he|hi|ho|ja|je|ji|ха|хе|хи)\1+[hх]?|[ha]{4,}|[ах]{4,}|lo+l|lmf?ao"
    r"|rofl|x+d+|k{3,}|(?:rs){2,}|w{2,}|笑+|草+"
)
_NAMES = 2  # words of a name after a formula


def is_small_talk(text: str) -> bool:
    """Return whether a text has nothing but greetings, thanks, acknowledgements, laughter or emoji.

    Answers like "I don't know" are included. A name may follow a courtesy. A number, or one word
    beyond the formulas, excludes a text; so do "yes" and "no", which may answer a question.
    """
    text = folded(text)
    first = WORD.search(text)
    if first is None or text.lstrip().startswith("/"):
        return first is None and bool(text.strip())
    if not _begins_formula(_relaxed(first[0].lower())):
        return False  # most messages: their first word is not a formula
    words = WORD.findall(text.lower())
    known, found = tables(), list[re.Match[str]]()
    at, said = 0, False
    while at < len(words):
        if formula := _formula(words, at):
            at, said = at + formula.count(" ") + 1, True
            if at < len(words) and known.formulas[formula]:
                found = found or list(WORD.finditer(text))
                at = _after_name(text, found, words, at)
        elif known.fillers.contain(words[at]):
            at += 1
        elif _LAUGHTER.fullmatch(words[at]):
            at, said = at + 1, True
        elif (word := _relaxed(words[at])) != words[at]:
            words[at] = word
        else:
            return False
    return said


def _relaxed(word: str) -> str:
    """The word as it is spelt where a letter is drawn out ("thaaanks"); else as it is."""
    if not _STRETCHED.search(word):
        return word
    spelt = (_STRETCHED.sub(letters, word) for letters in (r"\1", r"\1\1"))
    return next(filter(_begins_formula, spelt), word)


def _begins_formula(word: str) -> bool:
    known = tables()
    begins = word in known.longest or known.fillers.contain(word)
    return begins or bool(_LAUGHTER.fullmatch(word))


def _formula(words: Sequence[str], at: int) -> str:
    """The longest formula of small talk at a place; '' for none."""
    known = tables()
    for size in range(known.longest.get(words[at], 0), 0, -1):
        formula = " ".join(words[at : at + size])
        if formula in known.formulas:
            return formula
    return ""


def _after_name(text: str, found: list[re.Match[str]], words: list[str], at: int) -> int:
    """The place after the name that may stand here: a title, and up to two words."""
    known, names = tables(), 0
    while at < len(found) and names < _NAMES:
        word, gap = found[at][0], text[found[at - 1].end() : found[at].start()]
        if gap.strip(" ,、،." if words[at - 1] in known.abbreviations else " ,、،"):
            break
        if not word[0].isupper() or (word.isupper() and len(word) > 1) or not word[-1].isalpha():
            break
        if words[at] in known.no_names or _formula(words, at):
            break
        names += words[at] not in known.abbreviations
        at += 1
    return at
