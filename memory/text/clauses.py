"""Split a text into clauses, and tell whom each is about and whether it states what it says. Pure.

"I'm not vegan", "if I were vegan", "am I vegan?", "I used to be vegan" and "my sister is vegan" all
contain the words of "vegan", and none of them says that the speaker is. Languages without spaces
between words are not split.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from .clause_words import BREAK, ClauseWords, Mark, language_of, plain, spelled
from .languages.phrase_tables import WORD, tables
from .sentences import is_marked, is_question, split_sentences

_QUOTED = re.compile(r"[“„«]([^“”„«»]+)[”“»]|(?<!\w)\"([^\"]+)\"|(?<!\w)'([^']{3,})'(?!\w)")
_SPOKEN = re.compile(r"([^:\"“„«]+):\s+([^\"“„«]+)")  # "Tom said: I work nights"
_LEADING = 3  # words before a subject: "Yesterday", "by the way"
_LISTED = 2  # words behind "and" that continue a list: "cats and dogs"
_SCOPE = 3  # last words of a clause: "think", "the case", "glaube ich nicht"
_SHOWN = 12  # words of a question that are looked at
_PARTITIVE = frozenset(("of", "von", "de", "di", "van", "z", "из"))
_JOINS = frozenset(("and", "und", "et", "y", "e", "en", "i", "и"))


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a clause is about. `who`: `self`, `other`, or "" if it has no known subject; `names`:
    the words for somebody else, none for a pronoun; `verb`: the next words, at most three; `verbs`:
    the words of which one is its verb."""

    who: Literal["self", "other", ""] = ""
    names: frozenset[str] = frozenset()
    verb: tuple[str, ...] = ()
    verbs: frozenset[str] = frozenset()


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
    """A part of a sentence. `lower`: its words, `plain`; `opener`: the word that begins it, like
    "but" or "that", or ""; `continues`: no punctuation precedes it."""

    words: list[str]
    lower: list[str]
    opener: str
    continues: bool


def clauses(text: str) -> list[Clause]:
    """Return the clauses of a text."""
    language = language_of(text)
    return [clause for part in split_sentences(text) for clause in _of_sentence(part, language)]


def marks(text: str, like: str) -> frozenset[Mark]:
    """Return all marks of a short statement as a whole, in the language of `like`."""
    return language_of(like).marks_of(plain(spelled(text)))


def only_supposes(text: str) -> bool:
    """Return whether each clause of a text is a supposition: "I would live in Rome"."""
    return bool(found := clauses(text)) and all("supposed" in each.marks for each in found)


def subject_of(text: str, like: str) -> Subject:
    """Return whom a short statement is about, in the language of `like`."""
    return _subject(spelled(text), language_of(like), leading=0)


def _of_sentence(sentence: str, language: ClauseWords) -> Iterator[Clause]:
    quoted, sentence = _of_quotations(sentence, language)
    yield from quoted
    asked = _asked(sentence, language)
    pieces = [each for part in BREAK.split(sentence) for each in _broken(spelled(part), language)]
    opening = language.opening_marks(pieces[0].lower if pieces else [])
    before: Clause | None = None
    unfinished = Subject()  # "My sister Clara, …"
    dependent = _dependent(pieces, language)
    for number, piece in enumerate(pieces):
        found = language.marks_of(piece.lower) | opening | dependent.get(number, frozenset())
        is_disclosed = False  # "Did I tell you | that …?"
        if before is not None and piece.opener in language.that:
            found |= _inherited(before, piece.opener, language)
            said = plain(before.words)
            is_disclosed = any(end == len(said) for _, end in language.disclosures.spans(said))
        if not is_disclosed and (asked == "all" or (asked and number == len(pieces) - 1)):
            found |= {"asked"}
        subject, unfinished = _subject_of_piece(piece, before, unfinished, language)
        has_other = not (language.others | language.plurals).isdisjoint(piece.lower)
        before = Clause(tuple(piece.words), found, subject, has_other)
        yield before


def _dependent(pieces: Sequence[_Piece], language: ClauseWords) -> dict[int, frozenset[Mark]]:
    """Mark the pieces that are so only if another one is, by their numbers: "I move to Oslo, if …",
    "If …, I move to Oslo", "I'll quit | unless …"; not "I bike | unless …"."""
    found: set[int] = set()
    for number, piece in enumerate(pieces):
        before = pieces[number - 1].lower if number else []
        rest = range(number + 1, len(pieces))
        if language.begins_condition(piece.lower):
            if rest and (len(before) <= _LEADING or piece.opener):  # "In May, if …, we marry"
                found.update(rest)
            if number and not (piece.opener and (rest or piece.opener in _JOINS)):
                found.add(number - 1)
        elif language.begins_exception(piece.opener, piece.lower):
            found |= {number - 1} if "coming" in language.marks_of(before) else set()
    return {n: frozenset({"supposed"}) for n in found if not language.habits.occur(pieces[n].lower)}


def _of_quotations(sentence: str, language: ClauseWords) -> tuple[list[Clause], str]:
    """Return the clauses that a sentence quotes, and the sentence without them."""
    spoken = _SPOKEN.fullmatch(sentence)
    if spoken and not language.reports.isdisjoint(plain(spelled(spoken[1]))[-2:]):
        sentence = f'{spoken[1]} "{spoken[2]}"'
    around = spelled(_QUOTED.sub(" ", sentence))
    quoted = [
        (each[0], spelled(next(filter(None, each.groups())))) for each in _QUOTED.finditer(sentence)
    ]
    if _works_on_words(around):  # 'How do you say "I'm allergic to nuts" in Spanish?'
        asked: frozenset[Mark] = frozenset({"asked"})
        found = [Clause(tuple(words), asked, Subject(), has_other=False) for _, words in quoted]
        return found, _QUOTED.sub(" ", sentence)
    found, speaker = [], _subject(around, language)
    if speaker.who != "other" or language.reports.isdisjoint(plain(around)):
        return found, sentence
    for text, words in quoted:  # 'Tom said: "I work nights"' is about Tom
        lower = plain(words)
        if not language.selves.isdisjoint(lower):
            verb = _subject(words, language).verb
            subject = Subject("other", speaker.names, verb, frozenset(verb[:1]))
            found.append(Clause(tuple(words), language.marks_of(lower), subject, has_other=True))
            sentence = sentence.replace(text, " ")
    return found, sentence


def _subject_of_piece(
    piece: _Piece, before: Clause | None, unfinished: Subject, language: ClauseWords
) -> tuple[Subject, Subject]:
    """Return whom a piece is about, and the subject that has no verb so far. `before`: the clause
    before it; `unfinished`: a subject before it that has no verb."""
    lower, is_that = piece.lower, piece.opener in language.that
    if before is not None and (antecedent := _antecedent(before.words, piece, language)):
        verbs = frozenset(lower)
        if is_that:  # "el año que viene cumplo 40"
            verbs = frozenset(_verb(lower, lower[0] == piece.opener, language)[:1])
        return Subject(antecedent.who, antecedent.names, verbs=verbs), unfinished
    subject = _subject(piece.words, language)
    if subject.who:
        end, names = _named(piece.words, lower, 0, language)
        return subject, subject if names and end == len(lower) else Subject()
    if unfinished.who:
        return _about(unfinished, lower, language), unfinished
    if before is not None and piece.continues and (not is_that or _is_verb(lower[0], language)):
        return _about(before.subject, lower, language), unfinished  # not "dice que trabajo mal"
    return subject, unfinished


def _about(subject: Subject, lower: Sequence[str], language: ClauseWords) -> Subject:
    """Return that subject with the words of another clause about it."""
    verb = _verb(lower, 0, language)
    return Subject(subject.who, subject.names, verb, frozenset(verb[:1]))


def _antecedent(before: Sequence[str], piece: _Piece, language: ClauseWords) -> Subject | None:
    """Return whom a relative clause is about: "a colleague | who lives in Oslo". None for others,
    such as "he says | that I live in Oslo"."""
    lower = piece.lower
    own = language.selves | language.plurals  # "the house | that I bought"
    if piece.opener not in language.relative_pronouns or not lower or not own.isdisjoint(lower):
        return None
    if language.capitalises_nouns:  # its verb is the last word: "die Stadt ist schön" is none
        is_last = _is_verb(lower[-1], language) or lower[-1].endswith(("t", "en"))
        is_noun = len(lower) == _LEADING and piece.words[1][0].isupper()
        if not (is_last and piece.words[-1].islower()) or (
            is_noun and lower[-1] not in language.auxiliaries
        ):
            return None
    elif _subject(piece.words, language).who:
        return None
    words = list(before)
    if len(words) > _LISTED and plain(words)[-2] in language.prepositions:
        words = words[:-2]  # "a friend of mine"
    known = plain(words)
    if not known or known[-1] in language.selves:
        return Subject("self")
    if known[-1] in language.others:
        return Subject("other")
    at = len(words)
    while at and (
        _named(words[at - 1 :], known[at - 1 :], 0, language)[1]
        or (words[at - 1][0].isupper() and known[at - 1] not in language.vocabulary)
    ):
        at -= 1
    names = frozenset(known[at:])
    if not names and (
        piece.opener not in language.that or not language.determiners.isdisjoint(known[-2:-1])
    ):
        names = frozenset(known[-1:])
    return Subject("other", names) if names else None


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
    pieces = [part for part in BREAK.split(sentence) if WORD.search(part)]
    if not pieces:
        return ""
    yes_or_no = tables().non_statements.begin  # "est-ce"
    for kind, text in (("all", sentence), ("last", pieces[-1])):
        words = plain(spelled(text))
        presupposes = words[0] in language.interrogatives and not yes_or_no(words[:1])
        supposed = language.thoughts | language.reports  # "Do you think I'm vegan?"
        if presupposes or (words[1:2] == ["you"] and supposed.isdisjoint(words[2:4])):
            continue
        if kind == "all" and len(pieces) > 1 and words[0][0] == "i" and words[0] in language.selves:
            continue  # "I'm vegan, can I eat honey?"
        begun = " ".join(words[:_SHOWN])
        is_long = len(words) > _SHOWN and yes_or_no(words)
        if is_question(text) or (is_question(f"{begun}?") and is_long):
            return "all" if kind == "all" else "last"
    return ""


def _broken(words: list[str], language: ClauseWords) -> Iterator[_Piece]:
    """Yield the parts between words like "but" and "and", and before what is thought or disclosed:
    "I think | I'm allergic"."""
    lower = ["sí" if word.lower() == "sí" else plain([word])[0] for word in words]  # not "si"
    begins = language.breaks | language.relative_pronouns
    start, opener = 0, lower[0] if lower and lower[0] in begins else ""
    asides = language.asides(lower)
    disclosed = {end for _, end in language.disclosures.spans(lower)}
    for at, word in enumerate(lower):
        if at == start:
            continue
        is_thought = at in disclosed or lower[at - 1] in language.thoughts
        if at in asides or (is_thought and _begins_subject(words, lower, at, language)):
            yield _Piece(words[start:at], lower[start:at], opener, continues=start > 0)
            start, opener = at, "" if at in asides else min(language.that)
            continue
        if word not in language.breaks:
            continue
        following = lower[at + 1 : at + 2]
        is_list = word in _JOINS and (
            len(words) - at - 1 <= _LISTED
            or (at <= _LEADING and not language.selves.isdisjoint(following))  # "my wife and I"
        )
        if not is_list:
            yield _Piece(words[start:at], lower[start:at], opener, continues=start > 0)
            start, opener = at + 1, word
    if words[start:]:
        yield _Piece(words[start:], lower[start:], opener, continues=start > 0)


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
    at = 0
    while at < min(leading + 1, len(lower)):
        word = lower[at]
        if word in language.selves or word in language.plurals:
            return _of_self(lower, at + 1, language)
        end, names = _named(words, lower, at, language)
        if names and not language.selves.isdisjoint(lower[end : end + 2]):
            return _of_self(lower, end + 2, language)  # "Tom and I"
        if names and not _is_object(lower, at, language):
            if language.relatives.isdisjoint(names) and (later := _inverted(words, end, language)):
                return later  # "Gestern hat mein Bruder geheiratet"
            return _of_other(names, lower, at, end, language)
        if names:  # "in Rome"
            at = end
            continue
        if word in language.others - language.possessives:
            return _of_other((), lower, at, at + 1, language)
        if _is_verb(word, language):
            if leading and (later := _inverted(words, at, language)):
                return later
            break
        at += 1
    return Subject(verb=_verb(lower, 0, language))


def _inverted(words: Sequence[str], start: int, language: ClauseWords) -> Subject | None:
    """Return the relative behind a verb, if the language has the subject there: "Ayer se casó mi
    hermano"; None if there is none, or if "I" is there."""
    lower = plain(words)
    if not language.inverts or not language.selves.isdisjoint(lower):
        return None
    for at in range(start, len(lower)):
        if lower[at] in language.possessives and not _is_object(lower, at, language):
            end, names = _named(words, lower, at, language)
            if not language.relatives.isdisjoint(names):
                return _of_other(names, lower, at, end, language)
    return None


def _is_object(lower: Sequence[str], at: int, language: ClauseWords) -> bool:
    """Return whether a preposition precedes; not if it is the one of "some of my friends"."""
    return at > 0 and lower[at - 1] in language.prepositions - _PARTITIVE


def _of_self(lower: Sequence[str], end: int, language: ClauseWords) -> Subject:
    end += not language.selves.isdisjoint(lower[end : end + 1])  # "bin ich"
    verb = _verb(lower, end, language)
    return Subject("self", verb=verb, verbs=frozenset(verb[:1]))


def _of_other(
    names: Iterable[str], lower: Sequence[str], at: int, end: int, language: ClauseWords
) -> Subject:
    """Return the subject from `at` to `end`."""
    verb = _verb(lower, end, language)
    is_attached = not language.prepositions.isdisjoint(verb[:1])  # "a friend of mine works"
    verbs = frozenset(verb if is_attached else verb[:1])
    return Subject("other", frozenset(names), verb, verbs.union(lower[: language.inverts * at]))


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
        elif word not in language.determiners or names:
            break
        at += 1
    return at, names if known else set()


def _is_verb(word: str, language: ClauseWords) -> bool:
    states = language.past_states
    known = word in language.auxiliaries or word in language.reports
    return known or word in states or word in states.values()


def _verb(lower: Sequence[str], at: int, language: ClauseWords) -> tuple[str, ...]:
    """Return three words after a subject, without auxiliaries, articles, and "says that he"."""
    skipped = language.auxiliaries | language.adverbs | language.determiners
    is_report = not language.reports.isdisjoint(lower[at : at + 1])
    if is_report and not language.others.isdisjoint(lower[at + 1 : at + 3]):
        skipped |= language.reports | language.others | language.breaks
    rest = [word for word in lower[at:] if word not in skipped]
    return tuple(rest[:3])
