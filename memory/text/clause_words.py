"""The words of each language that tell what a clause does, for `memory.text.clauses`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from typing import Literal

from .languages import Language, languages
from .languages.language import phrases
from .languages.phrase_tables import WORD, composed, lowered
from .sentences import split_sentences
from .tokenize import terms
from .word_forms import folded

Mark = Literal["denied", "averse", "over", "supposed", "wished", "coming", "past", "asked"]
"""`denied`, disliked (`averse`), ended (`over`); a possibility (`supposed`), a plan (`wished`),
something to come (`coming`), something `past`; a question (`asked`)."""

_ELIDED = re.compile(r"\b([jnldsmtc]|qu)['’](?=\w{2})", re.IGNORECASE)
BREAK = re.compile(r"[,;:()–—…、，；：]+|\s-+\s|[.!?](?=\s)")
"""What separates clauses."""
_SHORT = 2  # words of a clause that is looked at as a whole: "as if"
_WORD_PARTS = re.compile(r"\w+")  # of "est-ce"
_ELISION = re.compile(r"\b(\w{1,2})['’](?=\w)")
_LONGEST_OPENING = 6  # words: "what do you remember about the"
_SHORTENED = re.compile(r"(?<!\w)[^\W\d_]/(?:[^\W_](?!\w)|(?!\w))")
"""Letters that are no words: "w/" is not the Polish preposition, nor "w/o"; "и/или" has words."""


@dataclass(frozen=True, slots=True)
class PhraseSet:
    """Phrases by their first word, each a sequence of words; `*` is any number of words, "…ed" any
    word that ends so."""

    by_first: dict[str, list[list[str]]]
    ends: tuple[str, ...]

    @classmethod
    def of(cls, written: str) -> PhraseSet:
        """Read a field of `Language`."""
        by_first: dict[str, list[list[str]]] = {}
        every = [folded(phrase) for phrase in phrases(written) if not phrase.startswith("…")]
        for phrase in every:
            by_first.setdefault(phrase.split()[0], []).append(phrase.split())
        ends = (folded(phrase[1:]) for phrase in phrases(written) if phrase.startswith("…"))
        return cls(by_first, tuple(ends))

    def spans(self, words: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield where phrases occur: the positions of their first word, and after their last."""
        for at, word in enumerate(words):
            if self.ends and word.endswith(self.ends):
                yield at, at + 1
            for phrase in self.by_first.get(word, ()):
                if (end := _end(words, at, phrase)) is not None:
                    yield at, end

    def occur(self, words: Sequence[str]) -> bool:
        """Return whether any of them occurs."""
        return next(self.spans(words), None) is not None


def _ends(word: str, part: str) -> bool:
    """Return whether a word has the ending that "…ed" means, `folded`."""
    return part.startswith("...") and word.endswith(part[3:])


def _end(words: Sequence[str], at: int, phrase: Sequence[str]) -> int | None:
    """Return the position after a phrase that begins at `at`; None if it does not."""
    is_open = False
    for part in phrase:
        if part == "*":
            is_open = True
        elif is_open:
            if part not in words[at:]:
                return None
            at, is_open = list(words).index(part, at) + 1, False
        elif at < len(words) and (words[at] == part or _ends(words[at], part)):
            at += 1
        else:
            return None
    return at


class ClauseWords:
    """The fields of one language that concern clauses, `folded`. `code`: of ISO 639-1.

    `vocabulary`: the words by which the language of a short text is recognised.
    """

    def __init__(self, language: Language) -> None:
        """Read the fields of a language."""

        def words(written: str) -> frozenset[str]:
            return frozenset(map(folded, phrases(written)))

        self.code = language.code
        self.common = words(language.common)
        self.selves = words(language.selves)
        self.plurals = words(language.plurals)
        self.others = words(language.others)
        self.relatives = words(language.relatives)
        self.possessives = words(language.possessives)
        self.determiners = self.possessives | words(language.quantifiers)
        self.auxiliaries = words(language.auxiliaries)
        self.adverbs = words(language.adverbs)
        self.breaks = words(language.breaks)
        self.reports = words(language.reports)
        self.interrogatives = words(language.interrogatives)
        self.recalls = words(language.recalls)
        self.that = words(language.that)
        self.relative_pronouns = words(language.relative_pronouns)
        self.prepositions = words(language.prepositions)
        self.thoughts = words(language.thoughts)
        self.copulas = words(language.copulas)
        self.disclosures = PhraseSet.of(language.disclosures)
        self.cessations = PhraseSet.of(language.cessations)
        self.conditions = PhraseSet.of(language.conditions)
        self.exceptions = PhraseSet.of(language.exceptions)
        self.habits = PhraseSet.of(language.habits)
        self.jests = PhraseSet.of(language.jests)
        self.orders = PhraseSet.of(language.orders)
        marks: dict[Mark, str] = {
            "denied": language.negations,
            "averse": language.aversions,
            "over": language.endings,
            "supposed": language.suppositions,
            "wished": language.wishes,
            "coming": language.futures,
            "past": language.formerly,
        }
        self.marks = {mark: PhraseSet.of(written) for mark, written in marks.items()}
        self.marks["denied"] = PhraseSet.of(f"{language.negations}, {language.nearly}")
        self.idioms: dict[Mark, PhraseSet] = {
            "denied": PhraseSet.of(language.no_negations),
            "supposed": PhraseSet.of(language.no_suppositions),
        }
        pairs = (folded(pair).partition("=") for pair in phrases(language.past_states))
        self.past_states = {past: present for past, _, present in pairs}
        self.capitalises_nouns, self.inverts = language.capitalises_nouns, language.inverts
        self.vocabulary = frozenset[str]().union(
            *(self.common, self.selves, self.plurals, self.others, self.relatives),
            *(self.possessives, self.auxiliaries, self.adverbs, self.breaks, self.reports),
            *(self.interrogatives, self.recalls, self.past_states, self.past_states.values()),
            *(each.split() for written in marks.values() for each in words(written)),
            (each.split()[0] for each in words(language.conditions)),
        )

    def marks_of(self, words: Sequence[str]) -> frozenset[Mark]:
        """Return the marks of the words of a clause."""
        found: set[Mark] = {
            mark for mark, known in self.marks.items() if any(self._meant(mark, known, words))
        }
        if list(self._conditions_in(words)) and not self.habits.occur(words):
            found.add("supposed")
        if "coming" in found and self.exceptions.occur(words):
            found.add("supposed")
        return frozenset(found)

    def opening_marks(self, words: Sequence[str]) -> frozenset[Mark]:
        """Return the marks that the clauses of a sentence share with its first one: "Perhaps, …",
        but not "I'd say". Conditions have clauses of their own."""
        if not self.selves.isdisjoint(words[:1]) or self.conditions.occur(words[:1]):
            return frozenset()
        found = self.marks_of(words[:1] if len(words) > _SHORT else words)
        return found & {"supposed", "past"}

    def asides(self, words: Sequence[str]) -> set[int]:
        """Return where idioms begin that only look like a condition: "if you want"."""
        return {first for first, _ in self.idioms["supposed"].spans(words)}

    def begins_condition(self, words: Sequence[str]) -> bool:
        """Return whether a clause is a condition: "if I get the job", "and if …"."""
        starts = (0, 1) if self.breaks.intersection(words[:1]) else (0,)
        return any(first in starts for first in self._conditions_in(words))

    def begins_exception(self, opener: str, words: Sequence[str]) -> bool:
        """Return whether a clause begins with "unless", which may be the word that opens it."""
        opens = self.exceptions.occur([opener])
        return opens or any(first == 0 for first, _ in self.exceptions.spans(words))

    def _conditions_in(self, words: Sequence[str]) -> Iterator[int]:
        """Yield where conditions begin; "si" alone means yes."""
        for first, last in self._meant("supposed", self.conditions, words):
            if last < len(words) or sum(map(len, words[first:last])) > len("si"):
                yield first

    def _meant(
        self, mark: Mark, known: PhraseSet, words: Sequence[str]
    ) -> Iterator[tuple[int, int]]:
        """Yield where phrases occur that are not part of an idiom that only looks like the mark."""
        spans = list(known.spans(words))
        idioms = list(self.idioms[mark].spans(words)) if spans and mark in self.idioms else []
        for first, last in spans:
            if not any(begin <= first < end for begin, end in idioms):
                yield first, last

    def last_marks(self, words: Sequence[str]) -> frozenset[Mark]:
        """Return the marks, except negation, of phrases that end with the last word or the one
        before it: "I hope that", "dudo que"."""
        last = len(words) - 1
        every = {mark: {end for _, end in known.spans(words)} for mark, known in self.marks.items()}
        return frozenset(
            mark for mark, ends in every.items() if mark != "denied" and ends & {last, last + 1}
        )


@lru_cache(maxsize=1)  # built at the first use: `sam --help` does not need them
def clause_languages() -> tuple[ClauseWords, ...]:
    """Return the words of the languages that write spaces between words."""
    return tuple(ClauseWords(each) for each in languages() if each.selves)


@lru_cache(maxsize=64)
def language_of(text: str) -> ClauseWords:
    """Return the language whose words occur most in a text; English if none do. A word that several
    languages have counts less."""
    found = _occurrences(text)
    return clause_languages()[found.index(max(found))]


_CLEARLY = 1.0  # words of only one language, more than of any other


@lru_cache(maxsize=64)
def clear_language(text: str) -> str:
    """Return the code of the language that a text is clearly in; empty if it is too short, or in an
    unknown one."""
    found = _occurrences(text)
    second, most = sorted(found)[-2:]
    return clause_languages()[found.index(most)].code if most - second > _CLEARLY else ""


def _occurrences(text: str) -> list[float]:
    """Return for each language how many of its words occur in a text; shared ones count less."""
    known, found = _weights(), [0.0] * len(clause_languages())
    for word in plain(spelled(_SHORTENED.sub(" ", text))):
        for at, weight in known.get(word, ()):
            found[at] += weight
    return found


@lru_cache(maxsize=1)
def _weights() -> dict[str, list[tuple[int, float]]]:
    """Map each word to the places of the languages that have it, and its weight there."""
    shared = Counter(word for each in clause_languages() for word in each.vocabulary)
    found: dict[str, list[tuple[int, float]]] = {}
    for at, each in enumerate(clause_languages()):
        for word in each.vocabulary:
            found.setdefault(word, []).append((at, (1 + (word in each.common)) / shared[word]))
    return found


def spelled(text: str) -> list[str]:
    """Return the words as written, with elided ones apart: "j'ai" → "j'", "ai"."""
    found = []
    for word in WORD.findall(text.replace("’", "'")):
        match = _ELIDED.match(word)
        found += [match[0], word[match.end() :]] if match else [word]
    return found


def plain(words: Sequence[str]) -> list[str]:
    """Return the words `folded`."""
    return [folded(lowered(composed(word))) for word in words]


_MOCK = """
sure love adore great lovely thrilled delighted klar liebe toll super claro encanta adoro genial
ravi certo ottimo otimo конечно обожаю отлично uwielbiam swietnie dol geweldig heerlijk
"""
_MOCKING = frozenset(_MOCK.split())
"""Words that 🙄 makes ironic; with others it only complains: "my rent went up to 980 🙄"."""


def is_jest(text: str) -> bool:
    """Return whether a message takes back what it says: "just kidding". "I'm not really a runner"
    does not: "not really" and "as if" take something back only where they begin a clause."""
    words: list[str] = []
    beginnings: set[int] = set()
    for part in BREAK.split(text.replace("\n", ", ")):
        beginnings.add(len(words))
        words += plain(spelled(part))

    def takes_back(language: ClauseWords, first: int, last: int) -> bool:
        is_ordinary = language.marks["denied"].occur(words[first : first + 1]) or (
            language.marks["supposed"].occur(words[first:last])
        )
        return first in beginnings or not is_ordinary

    said = any(
        takes_back(each, *span) for each in clause_languages() for span in each.jests.spans(words)
    )
    is_mocked = "🙄" in text and not _MOCKING.isdisjoint(words)
    return said or is_mocked or text.rstrip().endswith("/s")


def function_words(like: str) -> frozenset[str]:
    """Return the words that tell what a clause does, in the language of `like`."""
    return language_of(like).vocabulary


def states(like: str) -> dict[str, str]:
    """Return the verbs for what lasts, past → present ("lived": "lives"), in the language of
    `like`."""
    return language_of(like).past_states


def grammatical_words(like: str) -> frozenset[str]:
    """Return the words of that text's language that say nothing about a subject: articles,
    pronouns, auxiliaries and question words, `folded`; parts of words too, "l" of "l'Italie"."""
    known, _ = _small_words(language_of(like).code)
    return known.union(_ELISION.findall(like.casefold()))


def asking_words(like: str) -> frozenset[str]:
    """Return the grammatical words of that text's language, and the words with which memory is
    asked ("do you know", "tell me about"), `folded`."""
    _, asking = _small_words(language_of(like).code)
    return grammatical_words(like) | asking


def without_opening(question: str) -> str:
    """Return a question without the words with which it asks for what is known: "What do I know
    about Ana?" → "Ana?". Others are returned as they are."""
    recalls = language_of(question).recalls
    ends = [found.end() for found in islice(WORD.finditer(question), _LONGEST_OPENING + 1)]
    for end in reversed(ends[1:-1]):
        opening = " ".join(map(folded, WORD.findall(question[:end])))
        if opening in recalls:
            return question[end:].lstrip()
    return question


@cache
def _small_words(code: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the grammatical words of a language, and those with which memory is asked."""
    known = next(each for each in clause_languages() if each.code == code)
    every = known.common | known.selves | known.plurals | known.others | known.possessives
    every |= known.auxiliaries | known.interrogatives
    parts = {part for phrase in every for part in (*phrase.split(), *_WORD_PARTS.findall(phrase))}
    return frozenset(parts), frozenset(word for each in known.recalls for word in each.split())


def names_of(question: str) -> set[str]:
    """Return the names of a question, in lower case.

    A name is a word with a capital that does not begin a sentence; in German, where all nouns have
    one, there are none. Nor are acronyms names, or the words of a question in which all have a
    capital.
    """
    if question.islower():
        return set()
    inside = [word for part in split_sentences(question) for word in part.split()[1:]]
    capital = [word for word in inside if _is_capitalised(word)]
    if not capital or len(capital) == len(inside) > 1 or language_of(question).capitalises_nouns:
        return set()
    return {name for word in capital for name in terms(word)}


def _is_capitalised(word: str) -> bool:
    letters = [c for c in word if c.isalpha()]
    return len(letters) > 1 and letters[0].isupper() and not word.isupper()
