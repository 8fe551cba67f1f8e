"""Detect facts that use the owner's words and do not say what the owner said. Pure.

Grounding finds the words of a fact in its sources; this compares what the clauses that have them
do: deny, ask, suppose, plan, look back, or speak of somebody else. A fact that does not do the same
is a misreading. What no clause shows, like irony, is not detected.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache

from ..text.clause_words import ClauseWords, Mark, function_words, is_jest, language_of, states
from ..text.clauses import Clause, Subject, clauses, marks, subject_of
from ..text.grammar.units import measures
from ..text.tokenize import STOP_WORDS
from ..text.word_forms import folded, is_inflected, is_same_name, is_unspaced, words

_Homes = dict[str, list[Clause]]
"""A fact's words → the clauses of its sources that have them."""

_NEAR = 5  # words after "was" that are examined
_LEAST_SHARE = 0.4  # of a fact's words that one clause has, for its marks to matter
_NO_PAST = frozenset(("have", "ve", "has", "been", "to"))  # "I've lived here since", "had to"
_LASTING = frozenset(("always", "immer", "toujours", "siempre"))  # "I've always lived here"
_WHEN = "after before when last nach seit als despues desde apres depuis"
_TIMES = frozenset(_WHEN.split())
_PARTICIPLES = ("ed", "en", "born", "ado", "ada", "ido", "ida")  # "I was diagnosed with"
_FRAMES = frozenset(("owner", "user", "the", "a", "an", "is", "are", "was", "has", "been"))
_NEGATIVE: frozenset[Mark] = frozenset(("denied", "averse", "over", "past"))
_FITTING: dict[Mark, frozenset[Mark]] = {
    "denied": _NEGATIVE,
    "averse": frozenset(("denied", "averse", "over")),
    "supposed": frozenset(("supposed", "wished")),
    "wished": frozenset(("supposed", "wished", "coming")),
    "coming": frozenset(("supposed", "wished", "coming")),
    "past": frozenset(("denied", "over", "past")),
    "asked": frozenset(("supposed",)),
}
"""Marks of a clause → those of a fact that fit it."""


def misread(text: str, sources: Sequence[str], *, authors: Collection[str], is_goal: bool) -> str:
    """Return how a fact misreads its sources; "" if no clause shows that it does.

    The kinds: `subject` for somebody else's, `unit` for a number of something else, `positive` for
    a negation that was not said, `jest`, and otherwise the mark of a clause. `is_goal`: the fact is
    a goal, so that it may be a wish.
    """
    if is_unspaced(text) or any(map(is_unspaced, sources)):
        return ""
    serious = [each for each in sources if not is_jest(each)]
    if not serious:
        return "jest"
    said = [clause for each in serious for clause in _clauses(each)]
    telling = dict.fromkeys(w for w in words(folded(text)) if w not in STOP_WORDS)
    homes = {word: found for word in telling if (found := [c for c in said if _has(c, word)])}
    names = frozenset(folded(word) for author in authors for word in words(author))
    return (
        _measured(text, serious)
        or _other_subject(text, homes, serious, names)
        or _marked(text, homes, serious, is_goal=is_goal)
        or _ended(text, homes, serious)
        or _ceased(text, homes, serious)
    )


@lru_cache(maxsize=64)
def _clauses(text: str) -> tuple[Clause, ...]:
    return tuple(clauses(text))


@lru_cache(maxsize=256)
def _folded(said: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for each in said for word in words(folded(each)))


def _has(clause: Clause, word: str) -> bool:
    return any(_is_same(word, each) for each in _folded(clause.words))


def _is_same(one: str, other: str) -> bool:
    return one == other or (not one.isdecimal() and is_inflected(one, other))


def _count(text: str, sources: Sequence[str]) -> int:
    """Return the number of a fact's words that are no function words in the sources' language."""
    known = STOP_WORDS.union(*map(function_words, sources))
    return sum(word not in known for word in words(folded(text)))


# ── what a clause does with it ───────────────────────────────────────────────────────────────


def _marked(text: str, homes: _Homes, sources: Sequence[str], *, is_goal: bool) -> str:
    """Return the mark of the clauses that have a fact's words, if the fact has none that fits."""
    every = [clause for found in homes.values() for clause in found]
    own = frozenset[Mark]().union(*(marks(f"owner {text}", like=each) for each in sources))
    if any(word in states(each) for each in sources for word in words(folded(text))):
        own |= {"past"}
    if "denied" in own and not _is_negated(every, sources):
        return "positive"
    own |= {"wished"} if is_goal else set()
    last = next(reversed(homes), "")
    for mark, fitting in _FITTING.items():
        bad = [clause for clause in every if mark in clause.marks]
        for no_denial in ("averse", "over"):  # "I'm not allergic": "allergic" is no denial of it
            if mark != no_denial and any(no_denial in clause.marks for clause in bad):
                fitting -= {no_denial}
        if not bad or own & fitting:
            continue
        if max(map(every.count, bad)) < _LEAST_SHARE * _count(text, sources):
            continue
        only_bad = {w for w, found in homes.items() if all(mark in c.marks for c in found)}
        only_good = {w for w, found in homes.items() if not any(mark in c.marks for c in found)}
        is_other = bool(only_bad) and (last in only_bad or not only_good)
        if is_other and (mark != "coming" or _is_state(text, sources)):
            return mark
    return ""


def _is_negated(every: Sequence[Clause], sources: Sequence[str]) -> bool:
    """Return whether a clause with the fact's words has a negation, or one with no others: "No, I
    don't"."""
    return any(clause.marks & _NEGATIVE for clause in every) or any(
        clause.marks & _NEGATIVE and STOP_WORDS.issuperset(_folded(clause.words))
        for each in sources
        for clause in _clauses(each)
    )


def _is_state(text: str, sources: Sequence[str]) -> bool:
    """Return whether a fact states what lasts, without a day: "works at Siemens"."""
    said = words(folded(text))
    present = {verb for each in sources for verb in states(each).values()}
    return bool(said) and said[0] in present and not any(map(str.isdecimal, said))


def _ended(text: str, homes: _Homes, sources: Sequence[str]) -> str:
    """Return "past" for a present state of which only the past was said ("I lived in Rome")."""
    first = next((word for word in words(folded(text)) if word not in _FRAMES), "has")
    first = "has" if text.casefold().startswith("has ") else first
    for source in sources:
        past = {verb for verb, present in states(source).items() if present == first}
        for clause in _clauses(source) if past else ():
            said = _folded(clause.words)
            for at, word in enumerate(said):
                around = {*said[max(0, at - 1) : at], *said[at + 1 : at + 2]}
                if word not in past or first in said or around & _NO_PAST or _LASTING & {*said}:
                    continue
                shared = [w for w in homes if w != first and clause in homes[w]]
                if all(homes[w] == [clause] for w in shared) and (shared or _count(text, ()) == 1):
                    return "past"
    return ""


def _ceased(text: str, homes: _Homes, sources: Sequence[str]) -> str:
    """Return "over" or "past" for what somebody stopped or was, if the fact does not say so: "I
    quit smoking", "I was a teacher"."""
    own = frozenset[Mark]().union(*(marks(f"owner {text}", like=each) for each in sources))
    first = next((word for word in homes if word not in _FRAMES), "")
    if not first or own & _NEGATIVE:
        return ""
    language = language_of(" ".join(sources))
    if all(_is_after(first, each, language, _ended_activity) for each in homes[first]):
        return "over"
    said = words(folded(text))
    past = {*language.copulas, *language.past_states}
    if any(map(str.isdecimal, said)) or not past.isdisjoint(said):
        return ""
    is_former = all(_is_after(first, each, language, _former_state) for each in homes[first])
    return "past" if is_former else ""


def _is_after(
    first: str, clause: Clause, language: ClauseWords, places: Callable[..., set[int]]
) -> bool:
    said = _folded(clause.words)
    found = {at for at, word in enumerate(said) if _is_same(first, word)}
    return "denied" not in clause.marks and found <= places(said, clause, language)


def _ended_activity(said: Sequence[str], clause: Clause, language: ClauseWords) -> set[int]:
    """Return the places of the words for what has ended: "smoking" in "I quit smoking"."""
    found = set[int]()
    ends = language.prepositions | language.breaks | _TIMES
    for first, last in language.cessations.spans(said):
        found |= {*range(first + 1, last)}
        for at in range(last, len(said)):
            if said[at] in ends:
                break
            found.add(at)
    return found


def _former_state(said: Sequence[str], clause: Clause, language: ClauseWords) -> set[int]:
    """Return the places of the words for what the speaker was: "a teacher" in "I was a teacher"."""
    copula = next((at for at, word in enumerate(said) if word in language.copulas), len(said))
    found = set[int]()
    for at in range(copula + 1, min(len(said), copula + 1 + _NEAR)):
        word = said[at]
        if word in language.prepositions | _LASTING or clause.subject.who == "other":
            break
        if not word.endswith(_PARTICIPLES) and not (word.startswith("ge") and word.endswith("t")):
            found.add(at)
    return found


# ── whom it is about ─────────────────────────────────────────────────────────────────────────


def _other_subject(
    text: str, homes: _Homes, sources: Sequence[str], authors: Collection[str]
) -> str:
    """Return "subject" if a word of the fact occurs only in clauses about somebody else."""
    own = subject_of(text, like=" ".join(sources))
    said = words(folded(text))
    for word, found in homes.items():
        if word not in own.names and all(_differs(c, own, said, authors) for c in found):
            return "subject"
    return ""


def _differs(clause: Clause, own: Subject, said: Sequence[str], authors: Collection[str]) -> bool:
    """Return whether a clause states the same of somebody else."""
    subject = clause.subject
    if not own.verb or not any(_is_same(own.verb[0], verb) for verb in subject.verbs):
        return False
    if subject.who == "other":
        if subject.names:
            return not any(is_same_name(name, each) for name in subject.names for each in said)
        return not own.names and not own.who
    if subject.who == "self" and own.names:
        is_author = any(is_same_name(a, n) for a in authors for n in own.names)
        mentioned = any(is_same_name(n, w) for n in own.names for w in _folded(clause.words))
        return not (is_author or mentioned or clause.has_other)
    return False


# ── what a number counts ─────────────────────────────────────────────────────────────────────


def _measured(text: str, sources: Sequence[str]) -> str:
    """Return "unit" if a number counts something else in the fact than in its sources."""
    said = [measure for source in sources for measure in measures(source)]
    for number, unit, noun in measures(text):
        units = {each for n, each, _ in said if n == number and each}
        numbers = {n for n, _, each in said if each == noun}
        if unit and units and unit not in units:
            return "unit"
        if noun and numbers and number not in numbers:
            return "unit"
    return ""
