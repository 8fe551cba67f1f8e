"""Lookup tables of the phrases of all languages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, partial

from . import languages
from .language import phrases

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
"""Matches a word; "n'est-ce" counts as one."""

_MARKS = re.compile("[\u0300-\u036f\u3099\u309a]")  # accents, which writers leave out


AROUND = " \t\n,;:，；：、。！!-–—"
"""What may surround the object of a command."""


ARRIVAL = re.compile(
    r"when (?:(?:i|we) (?:get|come|leave|arrive|wake|see|finish|reach|am|are)|i'm|we're)\b.* to \w"
)
"""Matches what begins a condition, not a question: "remind me when I get home to feed the cat"."""


class Before(Enum):
    """What must follow the full stop of an abbreviation so that it does not end the sentence."""

    ANYTHING = "abbreviations"
    NUMBER = "number_abbreviations"
    SMALL = "soft_abbreviations"  # a number, or a lower-case letter


@dataclass(frozen=True, slots=True)
class Endings:
    """A set of words and of suffixes ("…str")."""

    words: frozenset[str]
    ends: tuple[str, ...]

    @classmethod
    def of(cls, found: frozenset[str]) -> Endings:
        """Split the entries of a table into words and suffixes, which begin with an ellipsis."""
        ends = {each for each in found if each.startswith("…")}
        return cls(found - ends, tuple(sorted(each[1:] for each in ends)))

    def contain(self, word: str) -> bool:
        """Return whether it is one of the words, or has one of the suffixes."""
        return word in self.words or word.endswith(self.ends)


class Openings:
    """Phrases that begin a sentence; a run of `*` matches as many words of any kind."""

    def __init__(self, phrases: frozenset[str]) -> None:
        """`phrases`: those of a table."""
        self.phrases = phrases
        self.starred: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
        """By the words before a run of `*`: how many they are, and the words after them."""
        for each in phrases:
            if stars := each.count("*"):
                before, _, after = each.partition(" *" * stars)
                self.starred.setdefault(before, []).append((stars, tuple(after.split())))
        self.first = frozenset(each.partition(" ")[0] for each in phrases)
        self.longest = max(each.count(" ") + 1 for each in phrases)

    def begin(self, words: Sequence[str]) -> int:
        """Return how many of the words are a phrase that they begin with; 0 for none."""
        if not words or words[0] not in self.first:
            return 0
        for size in range(1, min(self.longest, len(words)) + 1):
            begun = " ".join(words[:size])
            if begun in self.phrases:
                return size
            for stars, after in self.starred.get(begun, ()):
                end = size + stars + len(after)
                if tuple(words[size + stars : end]) == after:
                    return end
        return 0


class Tables:
    """The fields of `Language`, merged over all languages."""

    def __init__(self) -> None:
        self.abbreviations = {
            each: kind for kind in reversed(Before) for each in every_phrase(kind.value)
        }
        self.second_parts = frozenset(
            each.split()[-1] for each in self.abbreviations if " " in each
        )
        """The last words of two-word abbreviations ("p. ex")."""
        self.number_ends = Endings.of(every_phrase("number_abbreviations")).ends
        self.before_ordinals = every_phrase("before_ordinals")
        self.after_ordinals = every_phrase("after_ordinals")
        self.questions = Openings(every_phrase("questions"))
        self.exclamations = Openings(every_phrase("exclamations"))
        self.news = Openings(every_phrase("news"))
        self.interrogatives = every_phrase("interrogatives")
        self.openers = every_phrase("openers")
        self.expletives = every_phrase("expletives")
        split = (each.rpartition(" ") for each in sorted(every_phrase("unspaced_questions")))
        self.unspaced_questions = tuple((begin, end) for begin, _, end in split)
        self.unspaced_ends = tuple({end for _, end in self.unspaced_questions})
        self.politeness = Openings(_every_folded("politeness"))
        dictates = _every_folded("remembers") | _every_folded("todos")
        self.dictates = Openings(frozenset(each for each in dictates if "…" not in each))
        """Phrases before what Sam is to remember, or to put on the list."""
        self.non_statements = Openings(every_phrase("non_statements"))
        self.tags = Endings.of(every_phrase("tags"))
        self.tag_lasts = frozenset(each.split()[-1] for each in every_phrase("tags"))
        """The last words of tags."""
        self.fillers = Endings.of(_every_folded("fillers"))
        denials = Endings.of(every_phrase("denials"))
        self.denials, self.denial_ends = Openings(denials.words), denials.ends
        self.no_names = _every_folded("no_names")
        courtesies = _every_folded("courtesies") | _every_folded("empty_answers")
        self.formulas = dict.fromkeys(_every_folded("acknowledgements"), False)
        self.formulas |= dict.fromkeys(courtesies, True)
        """Small-talk formula, `folded` → whether a name may follow it."""
        self.longest = _longest_by_first_word(self.formulas)
        """First word of a formula → the number of words of the longest formula with it."""


@cache  # built at the first use: `sam --help` does not need them
def tables() -> Tables:
    """Return the tables of all languages."""
    return Tables()


@cache
def every_phrase(field: str) -> frozenset[str]:
    """Return the phrases of a field of all languages."""
    return frozenset(each for language in languages() for each in phrases(getattr(language, field)))


def _every_folded(field: str) -> frozenset[str]:
    return frozenset(map(folded, every_phrase(field)))


def _longest_by_first_word(formulas: Iterable[str]) -> dict[str, int]:
    longest: dict[str, int] = {}
    for each in formulas:
        first = each.partition(" ")[0]
        longest[first] = max(longest.get(first, 0), each.count(" ") + 1)
    return longest


def folded(text: str) -> str:
    """Return the text without accents, which people often omit."""
    if text.isascii():
        return text
    return _MARKS.sub("", unicodedata.normalize("NFD", text)).replace("’", "'")


composed: Callable[[str], str] = partial(unicodedata.normalize, "NFC")
"""Return the text in NFC, with composed accents, as in the tables."""


def lowered(text: str) -> str:
    """Return a `composed` text in lower case, with the apostrophes of the tables."""
    return text.lower().replace("’", "'")


class Phrases:
    """Phrases of one kind: those before their object, `folded`, and those after it, longest first.

    `longest`: the number of words of the longest in `first`. `around`: the words of those that
    surround their object, before and after it, by their first word; longest first. `parts`: what is
    before and after the object in a script without spaces, longest first.
    """

    def __init__(self, field: str) -> None:
        """Merge a field of all languages."""
        every = every_phrase(field)
        after = {phrase[1:] for phrase in every if phrase.startswith("…")}
        last = {folded(each) if each.startswith(" ") else each for each in after}
        self.last = sorted(last, key=len, reverse=True)
        self.first = frozenset(folded(phrase) for phrase in every if "…" not in phrase)
        self.longest = max((phrase.count(" ") + 1 for phrase in self.first), default=0)
        self.around: dict[str, list[tuple[list[str], list[str]]]] = {}
        for phrase in sorted(each for each in every if " … " in each):
            begin, end = (part.split() for part in folded(phrase).split(" … "))
            self.around.setdefault(begin[0], []).append((begin, end))
        for pairs in self.around.values():
            pairs.sort(key=lambda pair: len(pair[0]) + len(pair[1]), reverse=True)
        attached = sorted((each for each in every if "…" in each and " " not in each), key=len)
        parts = (each.partition("…") for each in reversed(attached))
        self.parts = [(begin, end) for begin, _, end in parts]

    def object_of(self, text: str) -> tuple[str, int]:
        """Return the object of the longest phrase around it, in a script without spaces, and the
        length of that phrase; "" and 0 for none."""
        for begin, end in self.parts:
            size = len(begin) + len(end)
            if len(text) > size and text.startswith(begin) and text.endswith(end):
                return text[len(begin) : len(text) - len(end)].strip(AROUND), size
        return "", 0

    def end(self, words: Sequence[str]) -> int:
        """Return how many words the longest phrase at the end has; 0 for none."""
        for size in range(min(self.longest, len(words) - 1), 0, -1):
            if " ".join(words[-size:]) in self.first:
                return size
        return 0

    def surround(self, words: Sequence[str]) -> tuple[int, int]:
        """Return how many words surround the object, before and after it; zeros for none."""
        for begin, end in self.around.get(words[0], ()) if words else ():
            if (
                len(words) > len(begin) + len(end)
                and words[: len(begin)] == begin
                and words[-len(end) :] == end
            ):
                return len(begin), len(end)
        return 0, 0

    def around_object(self, words: Sequence[str]) -> tuple[int, int]:
        """Return how many words are before and after the object, on one side or both."""
        before, after = self.surround(words)
        if before or (before := self.begin(words)):
            return before, after
        sizes = (each.count(" ") for each in self.last if f" {' '.join(words)}".endswith(each))
        return 0, next(sizes, 0)

    def begin_misspelt(self, words: Sequence[str]) -> int:
        """Return how many words a phrase at the beginning has whose first word is misspelt ("rmind
        me"); 0 for none. The phrase has several words, or parts ("rapelle-moi")."""
        for meant in sorted({each.partition(" ")[0] for each in self.first}):
            if words and _is_misspelt(words[0], meant):
                size = self.begin([meant, *words[1:]])
                if size > 1 or (size and "-" in meant):
                    return size
        return 0

    def begin(self, words: Sequence[str]) -> int:
        """Return how many words the longest phrase at the beginning has; 0 for none."""
        for size in range(min(self.longest, len(words)), 0, -1):
            if " ".join(words[:size]) in self.first:
                return size
        return 0


_LEAST = 6  # letters of a word in which a mistake is recognised


def _is_misspelt(said: str, meant: str) -> bool:
    """Return whether a word has one mistake: a letter too many, too few or another, or two letters
    in the wrong order. Its ending is not one: "reminds me" and "lembro-me" tell something."""
    said, *ends = said.split("-")
    meant, *meant_ends = meant.split("-")
    if ends != meant_ends or len(meant) < _LEAST or abs(len(said) - len(meant)) > 1:
        return False
    same = next(
        (n for n, both in enumerate(zip(said, meant, strict=False)) if len({*both}) > 1), -1
    )
    one, two = said[same:], meant[same:]
    if same < 0 or (one[:2] == two[1::-1] and one[2:] == two[2:]):
        return same >= 0
    return one[-1] == two[-1] and (one[1:] == two[1:] or one[1:] == two or one == two[1:])


@cache  # built at the first use
def phrases_of(field: str) -> Phrases:
    return Phrases(field)
