"""Lookup tables of the phrases of all languages, for `memory.text.sentences`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache, partial

from .languages import LANGUAGES
from .languages.language import phrases

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
"""A word, "n'est-ce" as a whole."""

_MARKS = re.compile("[\u0300-\u036f\u3099\u309a]")  # accents, which writers leave out


class Before(Enum):
    """What must follow a full stop after an abbreviation for the sentence to go on."""

    ANYTHING = "abbreviations"
    NUMBER = "number_abbreviations"
    SMALL = "soft_abbreviations"  # a number, or a small letter


@dataclass(frozen=True, slots=True)
class Endings:
    """Whole words, and ends of words ("…str")."""

    words: frozenset[str]
    ends: tuple[str, ...]

    @classmethod
    def of(cls, found: frozenset[str]) -> Endings:
        """Divide what a table holds: an ellipsis stands for the rest of a word."""
        ends = {each for each in found if each.startswith("…")}
        return cls(found - ends, tuple(sorted(each[1:] for each in ends)))

    def contain(self, word: str) -> bool:
        """Return whether it is one of the words, or has one of the endings."""
        return word in self.words or word.endswith(self.ends)


@dataclass(frozen=True, slots=True)
class Openings:
    """Phrases that begin a sentence; a `*` in them is any word, and at most two stand together."""

    phrases: frozenset[str]
    first: frozenset[str]
    """The words that they begin with."""
    longest: int

    @classmethod
    def of(cls, found: frozenset[str]) -> Openings:
        """Take the phrases of a table."""
        first = frozenset(each.partition(" ")[0] for each in found)
        return cls(found, first, max(each.count(" ") + 1 for each in found))

    def begin(self, words: Sequence[str]) -> bool:
        """Whether one of them stands at the beginning of the words."""
        if not words or words[0] not in self.first:
            return False
        for size in range(1, min(self.longest, len(words)) + 1):
            if " ".join(words[:size]) in self.phrases:
                return True
            for any_ in range(1, size - 1):
                for after in (any_ + 1, any_ + 2):
                    stars = ["*"] * (after - any_)
                    if (
                        after < size
                        and " ".join((*words[:any_], *stars, *words[after:size])) in self.phrases
                    ):
                        return True
        return False


@dataclass(frozen=True, slots=True)
class Tables:
    """The fields of `Language`, for all languages together."""

    abbreviations: dict[str, Before]
    second_parts: frozenset[str]
    """The last words of those abbreviations that have two: "p. ex"."""
    number_ends: tuple[str, ...]
    before_ordinals: frozenset[str]
    after_ordinals: frozenset[str]
    questions: Openings
    exclamations: Openings
    interrogatives: frozenset[str]
    unspaced_questions: tuple[tuple[str, str], ...]
    unspaced_ends: tuple[str, ...]
    non_statements: Openings
    tags: Endings
    tag_lasts: frozenset[str]
    """The words that tags end with."""
    fillers: Endings
    denials: Openings
    denial_ends: tuple[str, ...]
    no_names: frozenset[str]
    formulas: dict[str, bool]
    """Each formula of small talk, `folded`: whether a name may follow it."""
    longest: dict[str, int]
    """The first word of a formula: how many words the longest has that begins with it."""


@lru_cache(maxsize=1)  # built at the first use: `sam --help` does not need them
def tables() -> Tables:
    """The tables, made of LANGUAGES."""

    def every(field: str) -> frozenset[str]:
        written = (getattr(language, field) for language in LANGUAGES)
        return frozenset(phrase for each in written for phrase in phrases(each))

    def folded_all(field: str) -> frozenset[str]:
        return frozenset(map(folded, every(field)))

    formulas = dict.fromkeys(folded_all("acknowledgements"), False)
    formulas |= dict.fromkeys(folded_all("courtesies") | folded_all("empty_answers"), True)
    longest: dict[str, int] = {}
    for each in formulas:
        first = each.partition(" ")[0]
        longest[first] = max(longest.get(first, 0), each.count(" ") + 1)
    abbreviations = {each: kind for kind in reversed(Before) for each in every(kind.value)}
    denials = Endings.of(every("denials"))
    split = (each.rpartition(" ") for each in sorted(every("unspaced_questions")))
    unspaced_questions = tuple((begin, end) for begin, _, end in split)
    return Tables(
        abbreviations=abbreviations,
        second_parts=frozenset(each.split()[-1] for each in abbreviations if " " in each),
        number_ends=Endings.of(every("number_abbreviations")).ends,
        before_ordinals=every("before_ordinals"),
        after_ordinals=every("after_ordinals"),
        questions=Openings.of(every("questions")),
        interrogatives=every("interrogatives"),
        exclamations=Openings.of(every("exclamations")),
        unspaced_questions=unspaced_questions,
        unspaced_ends=tuple({end for _, end in unspaced_questions}),
        non_statements=Openings.of(every("non_statements")),
        tags=Endings.of(every("tags")),
        tag_lasts=frozenset(each.split()[-1] for each in every("tags")),
        fillers=Endings.of(folded_all("fillers")),
        denials=Openings.of(denials.words),
        denial_ends=denials.ends,
        no_names=folded_all("no_names"),
        formulas=formulas,
        longest=longest,
    )


def folded(text: str) -> str:
    """The text without accents, as writers in a hurry spell it."""
    if text.isascii():
        return text
    return _MARKS.sub("", unicodedata.normalize("NFD", text)).replace("’", "'")


composed: Callable[[str], str] = partial(unicodedata.normalize, "NFC")
"""Returns the text with its accents within the letters, as the tables are written."""


def lowered(text: str) -> str:
    """A `composed` text in lower case, spelt as the tables are."""
    return text.lower().replace("’", "'")
