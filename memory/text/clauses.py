"""Split a text into clauses, and tell whom each is about and whether it states what it says. Pure.

"I'm not vegan", "if I were vegan", "am I vegan?", "I used to be vegan" and "my sister is vegan" all
contain the words of "vegan", and none of them says that the speaker is. Languages without spaces
between words are not split.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from .clause_words import ClauseWords, Mark, language_of, languages, plain, spelled
from .phrase_tables import WORD, tables
from .sentences import is_marked, is_question, split_sentences

__all__ = [
    "Clause",
    "Mark",
    "Subject",
    "clauses",
    "is_jest",
    "marks",
    "states",
    "subject_of",
]

_BREAK = re.compile(r"[,;:()–—…、，；：]+|\s-+\s|[.!?](?=\s)")
_QUOTED = re.compile(r"[“„«]([^“”„«»]+)[”“»]|(?<!\w)\"([^\"]+)\"|(?<!\w)'([^']{3,})'(?!\w)")
_LEADING = 3  # words before a subject: "Yesterday", "by the way"
_LISTED = 2  # words behind "and" that continue a list: "cats and dogs"
_SCOPE = 3  # last words of a clause: "think", "the case", "glaube ich nicht"
_SHOWN = 12  # words of a question that are looked at
_JOINS = frozenset(("and", "und", "et", "y", "e", "en", "i", "и"))


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a clause is about. `who`: `self`, `other`, or "" if it has no known subject; `names`:
    the words for somebody else, none for a pronoun; `verb`: the next words, at most three."""

    who: Literal["self", "other", ""] = ""
    names: frozenset[str] = frozenset()
    verb: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence: its words as written, its marks, whom it is about, and whether it has a
    pronoun for somebody else, or for the speaker with others."""

    words: tuple[str, ...]
    marks: frozenset[Mark]
    subject: Subject
    has_other: bool


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a sentence. `opener`: the word that begins it, like "but" or "that", or "";
    `continues`: no punctuation precedes it."""

    words: list[str]
    opener: str
    continues: bool


def clauses(text: str) -> list[Clause]:
    """Return the clauses of a text."""
    language = language_of(text)
    return [clause for part in split_sentences(text) for clause in _of_sentence(part, language)]


def marks(text: str, like: str) -> frozenset[Mark]:
    """Return all marks of a short statement as a whole, in the language of `like`."""
    return language_of(like).marks_of(plain(spelled(text)))


def is_jest(text: str) -> bool:
    """Return whether a message takes back what it says: "just kidding". "I'm not really a runner"
    does not: "not really" and "as if" take something back only where they begin a clause."""
    words: list[str] = []
    beginnings: set[int] = set()
    for part in _BREAK.split(text.replace("\n", ", ")):
        beginnings.add(len(words))
        words += plain(spelled(part))

    def takes_back(language: ClauseWords, first: int, last: int) -> bool:
        is_ordinary = language.marks["denied"].occur(words[first : first + 1]) or (
            language.marks["supposed"].occur(words[first:last])
        )
        return first in beginnings or not is_ordinary

    said = any(takes_back(each, *span) for each in languages() for span in each.jests.spans(words))
    return said or text.rstrip().endswith("/s") or "🙄" in text


def subject_of(text: str, like: str) -> Subject:
    """Return whom a short statement is about, in the language of `like`."""
    return _subject(spelled(text), language_of(like), leading=0)


def states(like: str) -> dict[str, str]:
    """Return the verbs for what lasts, past → present ("lived": "lives"), in the language of
    `like`."""
    return language_of(like).past_states


def _of_sentence(sentence: str, language: ClauseWords) -> Iterator[Clause]:
    around = spelled(_QUOTED.sub(" ", sentence))
    speaker = _subject(around, language)
    if _works_on_words(around):  # 'How do you say "I'm allergic to nuts" in Spanish?'
        for quoted in _QUOTED.finditer(sentence):
            words = spelled(next(filter(None, quoted.groups())))
            yield Clause(tuple(words), frozenset({"asked"}), Subject(), has_other=False)
        sentence = _QUOTED.sub(" ", sentence)
    if speaker.who == "other" and not language.reports.isdisjoint(plain(around)):
        for quoted in _QUOTED.finditer(sentence):  # 'Tom said: "I work nights"' is about Tom
            words = spelled(next(filter(None, quoted.groups())))
            if not language.selves.isdisjoint(plain(words)):
                subject = Subject("other", speaker.names, _subject(words, language).verb)
                found = language.marks_of(plain(words))
                yield Clause(tuple(words), found, subject, has_other=True)
                sentence = sentence.replace(quoted[0], " ")
    asked = _asked(sentence, language)
    pieces = [
        piece for each in _BREAK.split(sentence) for piece in _broken(spelled(each), language)
    ]
    opening: frozenset[Mark] = frozenset()
    first = plain(pieces[0].words) if pieces else []
    if language.selves.isdisjoint(first[:1]):  # "If I get it, I move to Oslo"; not "I'd say"
        opening = language.marks_of(first[:1] if len(first) > _LISTED else first)
        opening &= {"supposed", "past"}
    before: Clause | None = None
    for number, piece in enumerate(pieces):
        lower = plain(piece.words)
        found = language.marks_of(lower) | opening
        if before is not None and piece.opener in language.that:
            found |= _inherited(before, piece.opener, language)
        if asked == "all" or (asked == "last" and number == len(pieces) - 1):
            found |= {"asked"}
        subject = _subject(piece.words, language)
        if before is not None and piece.continues and not subject.who:
            subject = Subject(before.subject.who, before.subject.names, _verb(lower, 0, language))
        has_other = not (language.others | language.plurals).isdisjoint(lower)
        before = Clause(tuple(piece.words), found, subject, has_other)
        yield before


def _inherited(matrix: Clause, that: str, language: ClauseWords) -> frozenset[Mark]:
    """Return the marks of a clause that its that-clause shares: "I don't think that …", "Tom
    believes that …", but not "I didn't know that …"."""
    lower = plain(matrix.words)
    found = language.last_marks([*lower, that])
    if language.thoughts.isdisjoint(lower[-_SCOPE:]):
        return found
    found |= matrix.marks & {"denied", "supposed", "wished"}
    return found | {"supposed"} if matrix.subject.who == "other" else found


def _works_on_words(around: Sequence[str]) -> bool:
    """Return whether a sentence, without what it quotes, asks what, how or why, or begins with an
    order like "translate", so that what it quotes is not said."""
    language, lower = language_of(" ".join(around)), plain(around)
    if lower and lower[0] in language.interrogatives:
        return True
    return any(first < _LEADING for first, _ in language.orders.spans(lower))


def _asked(sentence: str, language: ClauseWords) -> Literal["all", "last", ""]:
    """Return which part of a sentence is a question of yes or no. Other questions presuppose what
    they say ("Why am I always tired?"); those about Sam do, too ("Can you remember that …?")."""
    if not is_marked(sentence) and not is_question(sentence):
        return ""
    pieces = [part for part in _BREAK.split(sentence) if WORD.search(part)]
    if not pieces:
        return ""
    for kind, text in (("all", sentence), ("last", pieces[-1])):
        words = plain(spelled(text))
        if words[0] in language.interrogatives or words[1:2] == ["you"]:
            continue
        begun = " ".join(words[:_SHOWN])
        is_long = len(words) > _SHOWN and tables().non_statements.begin(words)
        if is_question(text) or (is_question(f"{begun}?") and is_long):
            return "all" if kind == "all" else "last"
    return ""


def _broken(words: list[str], language: ClauseWords) -> Iterator[_Piece]:
    """Yield the parts between words like "but" and "and", and before what is thought or told: "I
    think | I'm allergic"."""
    lower = plain(words)
    start, opener = 0, lower[0] if lower and lower[0] in language.breaks else ""
    told = {end for _, end in language.disclosures.spans(lower)}
    for at, word in enumerate(lower):
        if at == start:
            continue
        is_told = at in told or lower[at - 1] in language.thoughts
        if is_told and _begins_subject(words, lower, at, language):
            yield _Piece(words[start:at], opener, continues=start > 0)
            start, opener = at, min(language.that)
            continue
        if word not in language.breaks:
            continue
        following = lower[at + 1 : at + 2]
        is_list = word in _JOINS and (
            len(words) - at - 1 <= _LISTED
            or (at <= _LEADING and not language.selves.isdisjoint(following))  # "my wife and I"
        )
        if not is_list:
            yield _Piece(words[start:at], opener, continues=start > 0)
            start, opener = at + 1, word
    if words[start:]:
        yield _Piece(words[start:], opener, continues=start > 0)


def _begins_subject(
    words: Sequence[str], lower: Sequence[str], at: int, language: ClauseWords
) -> bool:
    if lower[at] in language.selves or lower[at] in language.plurals:
        return True
    return bool(_named(words, lower, at, language)[1])


def _subject(words: Sequence[str], language: ClauseWords, *, leading: int = _LEADING) -> Subject:
    """Return whom the words are about: the first of "I", a pronoun, a relative, or a name before a
    verb. `leading`: the words that may precede it."""
    lower = plain(words)
    for at, word in enumerate(lower[: leading + 1]):
        if word in language.selves or word in language.plurals:
            return Subject("self", verb=_verb(lower, at + 1, language))
        end, names = _named(words, lower, at, language)
        if names:
            if not language.selves.isdisjoint(lower[end : end + 2]):
                return Subject("self", verb=_verb(lower, end + 2, language))  # "Tom and I"
            return Subject("other", frozenset(names), _verb(lower, end, language))
        if word in language.others and word not in language.possessives:
            return Subject("other", verb=_verb(lower, at + 1, language))
        if _is_verb(word, language):
            break
    return Subject(verb=_verb(lower, 0, language))


def _named(
    words: Sequence[str], lower: Sequence[str], at: int, language: ClauseWords
) -> tuple[int, set[str]]:
    """Return the words for somebody else from that position ("my sister Clara"), and where they
    end."""
    names: set[str] = set()
    known = False
    while at < len(words):
        word = lower[at].removesuffix("'s")
        if not language.relatives.isdisjoint((word, word.removesuffix("s"), word.split("-")[0])):
            names.add(word)
            known = True
        elif words[at][0].isupper() and len(word) > 1 and word not in language.vocabulary:
            names.add(word)
            known = known or any(_is_verb(each, language) for each in lower[at + 1 : at + 2])
        elif word not in language.possessives or names:
            break
        at += 1
    return at, names if known else set()


def _is_verb(word: str, language: ClauseWords) -> bool:
    states = language.past_states
    known = word in language.auxiliaries or word in language.reports
    return known or word in states or word in states.values()


def _verb(lower: Sequence[str], at: int, language: ClauseWords) -> tuple[str, ...]:
    """Return three words after a subject, without auxiliaries, articles, and "says that he"."""
    skipped = language.auxiliaries | language.adverbs | language.possessives
    is_report = not language.reports.isdisjoint(lower[at : at + 1])
    if is_report and not language.others.isdisjoint(lower[at + 1 : at + 3]):
        skipped |= language.reports | language.others | language.breaks
    rest = [word for word in lower[at:] if word not in skipped]
    return tuple(rest[:3])
