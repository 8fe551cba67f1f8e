"""Decide whether a newer statement replaces an older one. Pure.

A fitted model weighs how similar the two are, how well both answer the question, which of its words
each has, whether the newer one mentions a change ("moved", "from now on", "instead"), and whether
the question asks for something that changes (model.py). What the owner corrects at once is always
replaced. Rules exclude the rest: a statement whose numbers all occur in the older one repeats it;
what is said on one day is alike without replacing anything; what a line of `knowledge/` or
`MEMORY.md` still says is true until that line is superseded, so only a statement about the same
thing replaces it, with a change or a value of the same form. Such a line is short, and names its
subject: lengths do not count beside it, it shares a word with what it replaces or with the
question, and it replaces nothing that has more of the question's words. Who says "7:15 now, half an
hour more in bed" relies on Sam to know what that is about: Sam's reply ("The flight to Málaga is at
7:15 now.") counts as a part of what the owner said.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache, lru_cache
from operator import mul
from typing import NamedTuple

from ...text.change_words import LONGEST_CORRECTION, uncorrected
from ...text.clause_words import names_of
from ...text.tokenize import flat, length
from ..candidates.query import LONGEST_REPLY, Hit
from .likeness import Likeness
from .model import BY_LOCAL_VECTORS, BY_VECTORS, BY_WORDS, Features
from .subjects import (
    covered,
    mentions_change,
    number_forms,
    numbers,
    share_subject,
    shared,
    subjects,
)

LEAST_ODDS = -0.25
"""From these log-odds on, a statement is taken to replace another: an answer that is out of date
does more harm than a newer statement before it."""
CORRECTED = 2.0  # log-odds of what the owner corrects at once
OTHER_SPEAKER = -2.0
"""Added when another person said the newer message: what Rui does now seldom replaces what Ana
does. Not fitted, since the people of the fit chat with Sam alone."""
SAME_SUBJECT = 0.5
"""Share of the words of a line of knowledge/ or MEMORY.md that a newer statement must have to
replace a hit that says the same as the line."""
_MOST_WORDS = 0.7
_FEW_WORDS = 12
_PLACE_OR_PERSON = re.compile(
    r"^\W*(?:(?:and|so|und|et|y|e|en|i|и)\s+)?(?:where|who|whose|whom|wo|wer|wem|wen|wessen|où|qui"
    r"|dónde|donde|quién|quien|onde|quem|dove|chi|waar|wie|gdzie|kto|где|кто)\b|在哪|谁|誰|どこ",
    re.IGNORECASE,
)
"""The beginning of a question whose answer needs no number. German "wie" is Dutch for "who"."""
_LEAST = 0.001  # lower scores are raised to this
_LINES_DATE = re.compile(r"^- \d{4}-\d\d-\d\d: ", re.MULTILINE)  # of MEMORY.md
_BURST = 2  # places in the log between two messages of the owner, with an answer between them


class _Statement(NamedTuple):
    """A text, its words without those that mention a change, how its numbers are written, one more
    than its number of words, and whether it mentions a change, or is a line that is kept up to date
    anyway."""

    text: str
    words: frozenset[str]
    forms: frozenset[str]
    length: int
    tells_change: bool


class ReplacementOdds:
    """Which of some hits replace which others."""

    def __init__(
        self,
        hits: Sequence[Hit],
        likeness: Likeness,
        question: str,
        changeability: float | None = None,
        scores: Mapping[int, float] | None = None,
    ) -> None:
        """`hits`: best first; similarities with all of them count. `scores`: by the linear model,
        with which the weights were fitted; that of the hit where there is none."""
        self._likeness, self._changeability = likeness, changeability
        known = scores or {}
        self._scores = {
            hit.chunk_id: math.log(max(known.get(hit.chunk_id, hit.score), _LEAST)) for hit in hits
        }
        self._places = {hit.chunk_id: place for place, hit in enumerate(hits, 1)}
        self._replies = _replies(hits)
        self._stated = [hit for hit in hits if hit.role != "assistant" and hit.date]
        self._asked = subjects(question)
        self._names = names_of(question)
        self._needs_number = _PLACE_OR_PERSON.search(question) is None
        self._forms = number_forms(question)
        self._current = [subjects(hit.text) for hit in hits if hit.is_current]
        self._statements: dict[int, _Statement] = {}
        self._covers: dict[frozenset[str], float] = {}

    def odds(self, new: Hit, old: Hit) -> float:
        """Return the log-odds that one hit replaces another, less `LEAST_ODDS`; negative infinity
        if it cannot. The original scores count, whatever the two have by now.

        About sixty pairs are compared for a question, so that texts are only compared if what is
        known without them leaves room for a replacement.
        """
        if not _is_later(new, old):
            return -math.inf
        if self._corrects(new, old):
            return CORRECTED  # whatever the question
        near = self._near(new, old)
        weights, odds = BY_WORDS, -LEAST_ODDS
        if near is not None:
            known = self._changeability is not None
            weights = BY_LOCAL_VECTORS if known else BY_VECTORS
            odds += self._changeability or 0.0
        if new.is_message and old.is_message and new.author != old.author:
            odds += OTHER_SPEAKER
        if odds + self._at_most(weights, new, old, near or 0.0) <= 0.0:
            return -math.inf
        if self._is_ruled_out(new, old, near):
            return -math.inf
        return sum(map(mul, weights, self.features(new, old)), start=odds)

    def _at_most(self, weights: Features, new: Hit, old: Hit, near: float) -> float:
        """Return what the features add at most: both rivals are at most `near`, and each other
        feature that depends on the newer statement's text is at most 1."""
        return (
            weights.score * self._scores[new.chunk_id]
            + weights.old_score * self._scores[old.chunk_id]
            + weights.place * math.log(self._places[new.chunk_id] / 2)
            + near * (weights.near + weights.rival + weights.old_rival)
            + weights.old_cover * self._cover(subjects(old.text))
            + _most_of_rest(weights)
            + weights.one
        )

    def is_open(self, new: Hit, old: Hit) -> bool:
        """Return whether no rule says that one replaces the other, or that it cannot."""
        if not _is_later(new, old) or self._corrects(new, old):
            return False
        return not self._is_ruled_out(new, old, self._near(new, old))

    def features(self, new: Hit, old: Hit) -> Features:
        """Return the features of a pair; `near` and those after it are 0 without vectors."""
        near, rival, old_rival = self._similarities(new, old)
        said, before = self._statement(new), self._statement(old)
        old_words = subjects(old.text)
        lacks_number = self._needs_number and not said.forms and bool(number_forms(old.text))
        is_line = new.is_current or old.is_current  # such lines are short; nothing mentions less
        shorter = 0.0 if is_line else math.log(before.length / said.length)
        fewest = min(said.length, before.length)
        return Features(
            self._scores[new.chunk_id],
            self._scores[old.chunk_id],
            math.log(self._places[new.chunk_id] / 2),
            near,
            rival,
            old_rival,
            shared(said.text, old.text),
            self._cover(said.words),
            self._cover(old_words),
            float(mentions_change(said.text)),
            float(self._has_same_form(new, old)),
            float(lacks_number),
            float(not ((self._names & old_words) <= said.words)),
            max(0.0, min(1.0, shorter)),
            math.log(max(1.0, fewest / _FEW_WORDS)),
            float(_is_of_one_burst(new, old) and not _is_correction(new.text)),
            float(not share_subject(said.words, self._asked | old_words)),
        )

    def _statement(self, hit: Hit) -> _Statement:
        """Return what is compared of a hit's text, with Sam's reply to it."""
        if hit.chunk_id not in self._statements:
            reply = self._replies.get(hit.chunk_id)
            text = hit.text if reply is None else f"{hit.text}\n{reply.text}"
            self._statements[hit.chunk_id] = _Statement(
                text,
                subjects(text),
                number_forms(_LINES_DATE.sub("", text)),
                1 + length(flat(text)),
                hit.is_current or mentions_change(text),
            )
        return self._statements[hit.chunk_id]

    def _similarities(self, new: Hit, old: Hit) -> tuple[float, float, float]:
        """Return `near`, `rival` and `old_rival` of a pair."""
        near = self._near(new, old)
        if near is None:
            return 0.0, 0.0, 0.0
        others = [hit for hit in self._stated if hit.chunk_id not in (new.chunk_id, old.chunk_id)]
        of_new = self._likeness.get(new.chunk_id, {})
        of_old = self._likeness.get(old.chunk_id, {})
        older = [hit for hit in others if hit.date and new.date and hit.date <= new.date]
        rival = max((of_new.get(hit.chunk_id, 0.0) for hit in older), default=0.0)
        old_rival = max((of_old.get(hit.chunk_id, 0.0) for hit in others), default=0.0)
        return near, near - max(0.0, rival), near - max(0.0, old_rival)

    def _has_same_form(self, new: Hit, old: Hit) -> bool:
        """Return whether one has a number that is written like one of the other's, and not like one
        of the question's."""
        return not self._statement(new).forms.isdisjoint(number_forms(old.text) - self._forms)

    def _cover(self, words: frozenset[str]) -> float:
        """Return the share of the question's words that are among some words; 0 if it has none."""
        if words not in self._covers:
            self._covers[words] = covered(self._asked, words) if self._asked else 0.0
        return self._covers[words]

    def _is_ruled_out(self, new: Hit, old: Hit, near: float | None) -> bool:
        """Return whether one cannot replace the other, however similar they are."""
        if old.kind == "summary":
            return True  # it states several things
        if (_repeats(new, old) or new.date == old.date) and not self._statement(new).tells_change:
            return True  # what is said on one day is alike without replacing anything
        words, old_words = self._statement(new).words, subjects(old.text)
        if near is None and not share_subject(old_words, self._asked | words):
            return True  # found by the words of its neighbours, and about something else
        if near is None and new.is_current and self._asks_for_more(words, old_words):
            return True  # such a line is compared before it has a vector
        if any(covered(line, words) < SAME_SUBJECT for line in self._lines_of(old)):
            return True
        if (
            old.is_current
            and not self._statement(new).tells_change
            and not self._has_same_form(new, old)
        ):
            return True  # such a line would say by now what is only mentioned
        # A line that is kept up to date names its subject.
        is_other = not share_subject(words, self._asked | old_words)
        return new.is_current and (is_other or self._has_less(words, old_words))

    def _has_less(self, words: Set[str], old_words: Set[str]) -> bool:
        """Return whether the older statement has all of the question's words, and the newer one
        less than most of them."""
        lacks = bool(self._asked) and covered(self._asked, words) < _MOST_WORDS
        return lacks and covered(self._asked, old_words) >= 1.0

    def _asks_for_more(self, words: Set[str], old_words: Set[str]) -> bool:
        """Return whether the older statement has few of the question's words, and the newer one has
        no other word of it: the two may share a name alone."""
        few = bool(self._asked) and covered(self._asked, old_words) < SAME_SUBJECT
        return few and not share_subject(words - self._asked, old_words)

    def _lines_of(self, hit: Hit) -> Iterator[Set[str]]:
        """Yield the words of the current lines that say what the hit says."""
        said = subjects(hit.text)
        return (line for line in self._current if line and covered(line, said) >= 1.0)

    def _near(self, new: Hit, old: Hit) -> float | None:
        """Return the similarity of two hits, or that with Sam's reply to the newer one if larger;
        None without vectors."""
        near, reply = self._likeness.get(old.chunk_id, {}), self._replies.get(new.chunk_id)
        own = near.get(new.chunk_id)
        if own is None or reply is None:
            return own
        return max(own, near.get(reply.chunk_id, own))

    def _corrects(self, new: Hit, old: Hit) -> bool:
        """Return whether the owner corrected one with the other at once: "I meant Marta, not
        Magda". It is short, and lacks what the question asks for. After an answer of Sam's, "no"
        alone may be about that."""
        if not _is_of_one_burst(new, old) or not _is_correction(new.text):
            return False
        if new.message_ids[0] - old.message_ids[-1] > 1 and not self._statement(new).tells_change:
            return False
        return share_subject(subjects(new.text), subjects(old.text))


@cache
def _most_of_rest(weights: Features) -> float:
    """Return what the features from `shared` on add at most, without `old_cover`. Each is from 0
    to 1, but `wordy`, whose weight is negative."""
    rest = weights._replace(score=0.0, old_score=0.0, place=0.0, near=0.0, rival=0.0, old_rival=0.0)
    return sum(max(0.0, weight) for weight in rest._replace(old_cover=0.0, one=0.0))


def _replies(hits: Sequence[Hit]) -> dict[int, Hit]:
    """Map the owner's messages among the hits to Sam's short replies, if those are hits, too."""
    said = {(hit.message_ids, hit.chat): hit for hit in hits if hit.role == "user"}
    found = {}
    for reply in hits:
        if reply.role == "assistant" and length(flat(reply.text)) <= LONGEST_REPLY:
            hit = said.get(((reply.message_ids[0] - 1,), reply.chat))
            if hit is not None and hit.date == reply.date:
                found[hit.chunk_id] = reply
    return found


def _is_later(new: Hit, old: Hit) -> bool:
    """Return whether people said one on a later day, or later in the same chat on the same day."""
    if "assistant" in (new.role, old.role) or new.date is None or old.date is None:
        return False
    said = bool(new.message_ids and old.message_ids) and new.chat == old.chat
    same_day = new.date == old.date
    return new.date > old.date or (same_day and said and new.message_ids > old.message_ids)


def _is_of_one_burst(new: Hit, old: Hit) -> bool:
    """Return whether the owner said one right after the other, on the same day."""
    if new.date != old.date or not (new.is_message and old.is_message):
        return False
    return new.message_ids[0] - old.message_ids[-1] <= _BURST


@lru_cache(maxsize=1024)
def _is_correction(text: str) -> bool:
    return length(flat(text)) <= LONGEST_CORRECTION and uncorrected(text) != text


def _repeats(new: Hit, old: Hit) -> bool:
    said = numbers(new.text)
    return bool(said) and said <= numbers(old.text)
