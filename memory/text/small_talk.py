"""Detect small talk: formulas without information, of people and assistants; and messages that
are only about Sam's last answer.

The words of each language are `courtesies` and `acknowledgements`, and from `source_questions` to
`repeat_requests`, in `languages/`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from .change_words import uncorrected
from .languages.phrase_tables import WORD, composed, folded, phrases_of, tables

FollowUp = Literal["source", "more", "again"]
_FOLLOW_UPS: dict[FollowUp, str] = {
    "source": "source_questions",
    "more": "more_requests",
    "again": "repeat_requests",
}
_LONGEST_FOLLOW_UP = 120  # characters, with "please" and the like around it
YES = frozenset(["yes", "y", "ok", "ja", "oui", "sí", "si", "sim", "tak", "да", "はい", "好"])
NO = frozenset(["no", "nein", "non", "não", "nee", "nie", "нет", "いいえ"])

_STRETCHED = re.compile(r"(.)\1(?:\1+|$)")  # "thaaanks", "heyy"
_LAUGHTER = re.compile(
    r"(?:b|m?u|bu)?[aeа]?(ha|he|hi|ho|ja|je|ji|ха|хе|хи)\1+[hх]?|[ha]{4,}|[ах]{4,}|lo+l|lmf?ao"
    r"|rofl|x+d+|k{3,}|(?:rs){2,}|w{2,}|笑+|草+"
)
_NAMES = 2  # words of a name after a formula


def is_small_talk(text: str) -> bool:
    """Return whether a text consists of greetings, thanks, acknowledgements, laughter or emoji.

    Answers like "I don't know" count as well. A name may follow a courtesy. A number or any other
    word excludes a text; so do "yes" and "no", which may answer a question.
    """
    text = folded(text)
    first = WORD.search(text)
    if first is None or text.lstrip().startswith("/"):
        return first is None and bool(text.strip())
    if not _begins_formula(relaxed(first[0].lower())):
        return False  # most messages: their first word begins no formula
    words = WORD.findall(text.lower())
    known, found = tables(), list[re.Match[str]]()
    # A depth-first search: the longest formula at a place may leave a rest that is none ("noted
    # that", where a shorter one leaves "that is amazing").
    ways, seen = [(0, False)], set[tuple[int, bool]]()
    while ways:
        at, said = way = ways.pop()
        if at >= len(words):
            if said:
                return True
        elif way not in seen:
            seen.add(way)
            if formulas := _formulas(words, at):
                for formula in reversed(formulas):
                    after = at + formula.count(" ") + 1
                    if after < len(words) and known.formulas[formula]:
                        found = found or list(WORD.finditer(text))
                        after = _after_name(text, found, words, after)
                    ways.append((after, True))
            elif known.fillers.contain(words[at]):
                ways.append((at + 1, said))
            elif _LAUGHTER.fullmatch(words[at]):
                ways.append((at + 1, True))
            elif (word := relaxed(words[at])) != words[at]:
                words[at] = word
                seen.discard(way)
                ways.append(way)
    return False


def follow_up_kind(text: str) -> FollowUp | None:
    """Return what a message asks of Sam's last answer, whatever that is: its source, more, or the
    same again; None if it says anything else."""
    if len(text) > _LONGEST_FOLLOW_UP:
        return None
    said = [folded(found[0].lower()) for found in WORD.finditer(composed(text))]
    behind = phrases_of("trailing").end(said)
    while said:
        for whole in (" ".join(said), " ".join(said[: len(said) - behind])):
            for kind, field in _FOLLOW_UPS.items():
                if whole in phrases_of(field).first:
                    return kind
        polite = phrases_of("politeness").begin(said)
        is_opener = said[0] in tables().openers or tables().fillers.contain(said[0])
        if not polite and not is_opener:
            break
        said = said[polite or 1 :]
    return None


def is_yes(text: str) -> bool:
    """Return whether a text is nothing but a word for "yes"."""
    return text.strip(" .!").casefold() in YES


def is_no(text: str) -> bool:
    """Return whether a text is nothing but a word for "no"."""
    return text.strip(" .!").casefold() in NO


def is_no_name(word: str) -> bool:
    """Return whether a word is no name, although it may have a capital: "Sorry", "Finally"."""
    is_listed = folded(word.lower()) in tables().no_names
    return is_listed or is_small_talk(word) or uncorrected(word) != word


def relaxed(word: str) -> str:
    """Undo a drawn-out letter ("thaaanks"); return other words unchanged."""
    if not _STRETCHED.search(word):
        return word
    spelt = (_STRETCHED.sub(letters, word) for letters in (r"\1", r"\1\1"))
    return next(filter(_begins_formula, spelt), word)


def _begins_formula(word: str) -> bool:
    known = tables()
    begins = word in known.longest or known.fillers.contain(word)
    return begins or bool(_LAUGHTER.fullmatch(word))


def _formulas(words: Sequence[str], at: int) -> list[str]:
    """Return the small-talk formulas at a position, the longest first."""
    known = tables()
    longest = min(known.longest.get(words[at], 0), len(words) - at)
    every = (" ".join(words[at : at + size]) for size in range(longest, 0, -1))
    return [formula for formula in every if formula in known.formulas]


def _after_name(text: str, found: list[re.Match[str]], words: list[str], at: int) -> int:
    """Return the position after an optional name: a title, and up to two words."""
    known, names = tables(), 0
    while at < len(found) and names < _NAMES:
        word, gap = found[at][0], text[found[at - 1].end() : found[at].start()]
        if gap.strip(" ,、،." if words[at - 1] in known.abbreviations else " ,、،"):
            break
        if not word[0].isupper() or (word.isupper() and len(word) > 1) or not word[-1].isalpha():
            break
        if words[at] in known.no_names or _formulas(words, at):
            break
        names += words[at] not in known.abbreviations
        at += 1
    return at
