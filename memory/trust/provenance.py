"""Provenance tracking: which sources the model has seen and who authored a text. Pure.

Decided by comparing words, not by the model's claims: an injected text may have misled it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from ..log import Message
from ..text.humanize import clipped, one_line
from ..text.sanitize import LONGEST_NAME, own_part, quoted_part, reveal, skeleton
from ..text.tokenize import STOP_WORDS, terms

if TYPE_CHECKING:
    from ..search import Hit

# Words that a model adds when it writes something down: they do not indicate the source.
_FRAMING = """owner owners user users sam said says asked asks told note want wants wanted prefer
prefers preferred like likes liked need needs needed decided plans planned called named always never
remember remembered reminder"""
_FRAME = STOP_WORDS | frozenset(_FRAMING.split())
_DATED = re.compile(r"(?:(?:19|20)\d\d|\d{1,2})(?: (?:(?:19|20)\d\d|\d{1,2}))*")
_SAYS = re.compile(r"^(?:- )?(?:Note: |\[[\d-]+\] )?(.{1,90}?) said: “(.+)”", re.MULTILINE)
_RUN = 5  # consecutive words; unlikely to be a coincidence


@dataclass(frozen=True, slots=True)
class Foreign:
    """A source other than the owner. `origin`: as in the log; `author`: a name, a path, or ""."""

    text: str
    origin: str
    author: str = ""

    @property
    def who(self) -> str:
        """Return the source for use in a sentence: `Bob (forwarded)`, `Bob`, `a quoted text`."""
        name = clipped(one_line(reveal(self.author)), LONGEST_NAME)
        if not name:
            return f"a {self.origin or 'quoted'} text"
        return name if self.origin in ("", "other") else f"{name} ({self.origin})"

    def says(self, text: str) -> str:
        """Attribute the text to that source."""
        return f"{self.who} said: “{text}”"


@dataclass(slots=True)
class Provenance:
    """Everything that one turn has shown its model so far; tools add to it.

    `own`: all words of the owner, `own_this_turn`: those of this turn, `names`: what the owner is
    called, `answer`: Sam's last one, which the owner has read. `messages`: others' words in
    messages, `foreign_this_turn`: those of this turn, `notes`: text of notes of kind `note`.
    `shown`: every text, whoever said it; `asked`: the ids of the owner's messages of this turn.
    """

    own_this_turn: list[str] = field(default_factory=list)
    own: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    answer: str = ""
    messages: list[Foreign] = field(default_factory=list)
    foreign_this_turn: list[Foreign] = field(default_factory=list)
    notes: list[Foreign] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, before: Iterable[Message], asked: Sequence[Message]) -> Provenance:
        """Start from a conversation and the messages of the turn."""
        seen = cls()
        before = list(before)
        for row in before:
            seen.message_shown(row)
            if row.role == "assistant":
                seen.answer = row.text
        seen.messages += retold_answers(before).values()
        others = len(seen.messages)
        for row in asked:
            seen.message_shown(row)
            if row.origin == "owner" and own_part(row.text).strip():
                seen.own_this_turn.append(own_part(row.text))
                seen.asked.append(row.id)
        seen.foreign_this_turn = seen.messages[others:]
        return seen

    def message_shown(self, row: Message) -> None:
        """Record that a message of the log is shown."""
        self.shown.append(row.text)
        if row.role == "user":
            own, foreign = split_speakers(row)
            self.own += own
            self.messages += foreign
            self.names += names([row])

    def note_shown(self, path: str, text: str, kind: str) -> None:
        """Record that a note's text is shown: one of kind `note`, whose author is not known, or one
        of Sam's, whose lines may quote others."""
        self.shown.append(text)
        if kind == "note":
            self.notes.append(Foreign(text, "note", path))
        self.messages += [Foreign(said, "", who) for who, said in _quoted(text)]

    def passages_shown(self, messages: Iterable[Message], hits: Iterable[Hit] = ()) -> None:
        """Record that recalled messages and passages of notes are shown."""
        messages = list(messages)
        for row in messages:
            self.message_shown(row)
        self.messages += retold_answers(messages).values()
        for hit in hits:
            if hit.kind != "message":
                self.note_shown(hit.path, hit.text, hit.kind)

    def source(self, text: str) -> Foreign | None:
        """Return the source of a text that the model wants to write down; None: the owner may have
        said it."""
        if not self.own_this_turn and self.foreign_this_turn:
            return foreign_source(text, (), self.foreign_this_turn) or self.foreign_this_turn[0]
        own = [*self.own, *self.names]
        found = foreign_source(text, own, self.messages) or foreign_source(
            text, own, self.notes, loosely=True
        )
        if found is None and self.foreign_this_turn and not mostly_in(text, own):
            # If others' text is present, only the owner's own words count as theirs: otherwise a
            # translation or paraphrase would pass.
            return self.foreign_this_turn[0]
        return found

    def owner_mentioned(self, text: str) -> bool:
        """Return whether the owner mentioned a text's content, or has just read it in Sam's
        answer."""
        if not self.own_this_turn and self.foreign_this_turn:
            return False
        words = _telling(text)
        return bool(_among(words - _among(words, self.names), [*self.own, self.answer]))


@lru_cache(maxsize=16)  # turns keep showing the same few notes, mostly unchanged
def _quoted(text: str) -> list[tuple[str, str]]:
    """Return (author, text) pairs from the attributions in Sam's own lines."""
    return _SAYS.findall(text)


def split_speakers(row: Message) -> tuple[list[str], list[Foreign]]:
    """Split a user's message into the owner's own words and those of others."""
    if row.privacy != "normal":
        return [], []
    if row.origin != "owner":
        return [], [Foreign(row.text, row.origin, row.author)]
    author, words = quoted_part(row.text)
    return [own_part(row.text)], [Foreign(words, "quoted", author)] if words else []


def retold_answers(rows: Sequence[Message]) -> dict[int, Foreign]:
    """Return Sam's answers to files and from the web, by id: they may repeat text of a picture or
    page that is not in the log."""
    files = {row.turn_id: row.author for row in rows if row.origin == "file"}
    return {
        row.id: Foreign(row.text, "file", files[row.turn_id])
        if row.turn_id in files
        else Foreign(row.text, "web")
        for row in rows
        if row.role == "assistant" and (row.turn_id in files or row.origin == "web")
    }


def names(rows: Iterable[Message]) -> list[str]:
    """Return the owner's names, which only attribute words and carry no information."""
    return list({row.author for row in rows if row.origin == "owner" and row.author})


def foreign_source(
    text: str, own: Iterable[str], foreign: Sequence[Foreign], *, loosely: bool = False
) -> Foreign | None:
    """Return the foreign source of a text; None if it may be the owner's.

    A source matches if it has most of the words that the owner has not said, or a specific one (a
    number, an address), or five consecutive words. With `loosely`, the owner's own words count too,
    and consecutive words do not: for the owner's notes, which are about the same subjects.
    """
    if not foreign:
        return None
    own = list(own)
    words = _telling(text)
    rest = words - _among(words, own)
    best, most = None, frozenset[str]()
    for each in foreign:
        shared = _among(rest, [each.text])
        if len(shared) > len(most):
            best, most = each, frozenset(shared)
    if best is not None and (
        any(map(_is_specific, most)) or 2 * len(most) >= len(words if loosely else rest)
    ):
        return best
    if not loosely:
        said = _runs(text) - {run for each in own for run in _runs(each)}
        for each in foreign:
            if said & _runs(each.text):
                return each
    return None


def mostly_in(text: str, own: Iterable[str]) -> bool:
    """Return whether at least half of a text's content words occur in `own`."""
    words = _telling(text)
    return 2 * len(_among(words, own)) >= len(words)


def _telling(text: str) -> set[str]:
    """Return the content words of a text."""
    return {word for word in terms(skeleton(text)) if word not in _FRAME and len(word) > 1}


def _among(words: set[str], texts: Iterable[str]) -> set[str]:
    """Return the words that occur in the texts, in any inflected form."""
    if not words:
        return set()
    there = {mark for text in texts for word in terms(skeleton(text)) for mark in _marks(word)}
    return {word for word in words if not there.isdisjoint(_marks(word))}


def _marks(word: str) -> set[str]:
    """Return comparison keys: `decided` and `decides` share one; a number matches only itself."""
    if len(word) < 5 or any(map(str.isdigit, word)):
        return {word}
    return {word[:length] for length in range(max(4, len(word) - 3), len(word) + 1)}


def _is_specific(word: str) -> bool:
    """Return whether the word is a number, an address or similar; not for dates and times."""
    has_digit = any(map(str.isdigit, word))
    return len(word) > 2 and has_digit and not _DATED.fullmatch(word)


def _runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", skeleton(text))
    return {tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)}
