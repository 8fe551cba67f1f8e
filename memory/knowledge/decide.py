"""Decide how a new fact affects the known ones: by a model, or by plain, pure rules.

The rules handle the common case: the same statement with another number, day or home replaces the
old one. Everything else is added, because a duplicate line does less harm than a lost one. For the
same reason a model's decision counts only if what was said supports it: a line ends only if
somebody said that something ended, and is replaced only by a statement about the same thing.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from ..log.knowledge.candidates import FactCandidate
from ..text.change_words import says_change, uncorrected
from ..text.clause_words import language_of
from ..text.clauses import clauses
from ..text.grammar import (
    SubjectAndValue,
    differ_in_subject,
    is_another_place,
    names_another,
    rewords,
    statement,
    statements,
)
from ..text.sanitize import own_part
from ..text.sentences import split_sentences
from ..text.tokenize import STOP_WORDS
from ..text.word_forms import (
    folded,
    is_inflected,
    is_unspaced,
    normal_form,
    squeezed,
    untagged,
    words,
)
from .draft import FILES, DraftFact
from .evidence import calendar_words
from .evidence.own_words import unsupported_kind
from .evidence.source_text import SourceText
from .notes import KnownFact

log = logging.getLogger(__name__)

Verdict = Literal["add", "update", "delete", "keep", "contradict"]
"""`contradict`: like `update`, but it is unclear which of the two is true."""

_OVER = frozenset(("denied", "averse", "over", "past"))  # marks of a clause
_OVER_UNSPACED = re.compile("不|没|沒|無|无|ない|やめ|辞め|終わ|取消|结束|結束|去世|亡くな")
SAME_SUBJECT = 0.5  # share of a known line's words that a statement about the same thing has
_CLAUSE_END = re.compile(r"[,;](?!\d)| \(")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A new fact, and the nearest known ones, best first. `id`: the candidate's; `said`: the
    owner's words that it comes from."""

    id: int
    found: FactCandidate
    nearest: tuple[KnownFact, ...]
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision on a proposal: `target` is the id of the known line to update, delete, keep or
    contradict; None to add the fact."""

    verdict: Verdict
    target: str | None = None


ADD = Decision("add")


class Decide(Protocol):
    """Proposals → decisions by the proposal's id; may leave some out.

    Raises SamError if it cannot decide now; it is retried later."""

    async def __call__(self, proposals: Sequence[Proposal], since: datetime) -> dict[int, Decision]:
        """`since`: when the oldest proposal was made."""
        ...


async def decide_by_rules(proposals: Sequence[Proposal], since: datetime) -> dict[int, Decision]:
    """Decide by the plain rules, without a model: see `Decide`."""
    return {each.id: plain_decision(each.found, each.nearest) for each in proposals}


def plain_decision(found: FactCandidate, nearest: Iterable[KnownFact]) -> Decision:
    """Return the decision of the plain rules: keep a known fact that says the same, update one that
    has another value, or else add the new fact. `nearest`: the known facts to compare with, best
    first."""
    for known in nearest:
        if known.fact.id is None:
            continue
        if says_the_same(known.fact.text, found.text):
            return Decision("keep", known.fact.id)
        if is_replaced_by(found.text, known.fact.text):
            return Decision("update", known.fact.id)
    return ADD


def allowed(decision: Decision | None, proposal: Proposal) -> Decision:
    """Return the decision if its target is one of the proposal's nearest facts and what was said
    supports it, or else the decision of the plain rules."""
    if decision is not None:
        if decision.verdict == "add":
            return _unless_changed(proposal)
        shown = {known.fact.id: known for known in proposal.nearest if known.fact.id}
        target = shown.get(decision.target or "")
        if target is not None and _is_supported(decision.verdict, proposal, target):
            return decision
        log.info("a decision without support: %s", decision.verdict)
    return plain_decision(proposal.found, proposal.nearest)


def _unless_changed(proposal: Proposal) -> Decision:
    """Return ADD, unless the new statement says that the value of a known line has changed, or is
    another name where there is one."""
    new, changed = proposal.found.text, says_change(proposal.said)
    for known in proposal.nearest:
        old = known.fact.text
        if known.fact.id and (names_another(new, old) or (changed and is_newer(new, old))):
            return Decision("update", known.fact.id)
    return ADD


def _is_supported(verdict: Verdict, proposal: Proposal, target: KnownFact) -> bool:
    """Return whether what was said supports a decision on a known line.

    A line that ends needs somebody who said that something ended. One that is kept must have all
    numbers, days and names of the new statement. One that is replaced must be about the same thing:
    have half of its words in common, or some and be the nearest; without any, something must have
    changed. "Blood pressure is …" is about something else than "Boiler pressure is …".
    """
    is_nearest = proposal.nearest[0] == target
    shared = _shared(target.fact.text, (proposal.found.text, *proposal.said))
    match verdict:
        case "keep":
            return (is_nearest or shared > 0) and _has_values(target, proposal)
        case "delete":
            return (is_nearest or shared > 0) and _says_end((proposal.found.text, *proposal.said))
        case _:
            return not differ_in_subject(proposal.found.text, target.fact.text) and (
                shared >= SAME_SUBJECT
                or is_newer(proposal.found.text, target.fact.text)
                or (is_nearest and (shared > 0 or says_change(proposal.said)))
            )


def _shared(known: str, texts: Iterable[str]) -> float:
    """Return the share of a known line's words, without numbers, days and names, that the texts
    have."""
    if is_unspaced(known):
        said = {letter for text in texts for letter in squeezed(text)}
        frame = {letter for letter in squeezed(known) if not letter.isdecimal()}
        return len(frame & said) / len(frame) if frame else 0.0
    names = set()
    if not language_of(known).capitalises_nouns:
        names = {folded(word) for word in words(untagged(known))[1:] if word[:1].isupper()}
    frame = {word for word in frame_and_values(known)[0] if word not in STOP_WORDS}
    frame = (frame - names) or frame
    spoken = {word for text in texts for word in words(folded(text))}
    found = sum(any(is_inflected(word, each) for each in spoken) for word in frame)
    return found / len(frame) if frame else 0.0


def _says_end(texts: Sequence[str]) -> bool:
    """Return whether any of the texts says that something is not, or no longer, so."""
    return any(
        _OVER_UNSPACED.search(text) is not None
        if is_unspaced(text)
        else any(clause.marks & _OVER for clause in clauses(text))
        for text in texts
    )


def _has_values(known: KnownFact, proposal: Proposal) -> bool:
    """Return whether a known line has all numbers, days and names of a new statement."""
    line = SourceText((known.fact.text,), (known.fact.updated or proposal.found.day,))
    return unsupported_kind(proposal.found.text, line) in ("", "words")


def is_newer(new: str, old: str) -> bool:
    """Return whether `new` restates `old` with another value: the same words around another number,
    day or time, or another home or place of work."""
    frame, value = frame_and_values(uncorrected(new))
    old_frame, old_value = frame_and_values(old)
    if frame and frame == old_frame and value and old_value and value != old_value:
        return True
    return is_another_place(new, old)


def says_the_same(new: str, old: str) -> bool:
    """Return whether a statement says the same as a known one, in the same words or in others that
    `rewords` recognises."""
    return normal_form(new) == normal_form(old) or rewords(untagged(new), untagged(old))


def is_replaced_by(remembered: str, old: str) -> bool:
    """Return whether a newer statement replaces the older one: it gives another number, day, home
    or name for the same thing."""
    return is_newer(remembered, old) or names_another(remembered, old)


def corrections(messages: Mapping[int, str], known: Sequence[KnownFact]) -> Iterator[DraftFact]:
    """Yield a draft for each known fact of which a message states another value, by the plain
    rules: the known line's words with the new value.

    `messages`: number → text; what the text quotes from others is ignored.
    """
    lines = [(each, said) for each in known if (said := statement(each.fact.text)) is not None]
    for number, text in messages.items():
        for part in split_sentences(own_part(text)):
            for stated in statements(part):
                for fact, said in lines:
                    value = _CLAUSE_END.split(stated.value)[0]
                    head, found, _ = fact.fact.text.rpartition(said.value)
                    new = f"{head}{value}"
                    if (
                        found
                        and fact.category in FILES
                        and stated.subject == said.subject
                        and is_replaced_by(new, fact.fact.text)
                    ):
                        yield DraftFact(
                            text=new, category=fact.category, messages=[number], quote=part
                        )


def restates(new: str, old: str) -> bool:
    """Return whether a sentence of `old` ("By the way, my locker is number 118") has another value
    for the subject of the statement `new` ("Locker is number 204")."""
    said = statement(new)
    return said is not None and has_other_value(old, said)


def stated_changes(message: str) -> list[SubjectAndValue]:
    """Return the subjects and values in a message that mentions a change: "I was wrong, my teacher
    is Ana". Empty if it mentions none."""
    if not says_change([message]):
        return []
    parts = split_sentences(own_part(message))
    return [said for part in parts for said in statements(part) if said.subject]


def has_other_value(old: str, said: SubjectAndValue) -> bool:
    """Return whether a sentence of `old` has another value for the subject of `said`."""
    subject, new = " ".join(said.subject), _CLAUSE_END.split(said.value)[0]
    for before in (each for part in split_sentences(old) for each in statements(part)):
        if before.subject[-len(said.subject) :] != said.subject:
            continue
        value = _CLAUSE_END.split(before.value)[0]
        if is_replaced_by(f"{subject} is {new}", f"{subject} is {value}"):
            return True
    return False


def frame_and_values(text: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """Split a statement into words and values: numbers, days, months, weekdays."""
    values = {day.isoformat() for day in calendar_words.iso_days(text)}
    rest = calendar_words.ISO_DAY.sub(" ", untagged(text))
    frame = []
    for word in words(rest):
        has_capital = word[:1].isupper()
        if (
            any(map(str.isdecimal, folded(word)))
            or calendar_words.month_of(word, has_capital=has_capital)
            or calendar_words.weekday_of(word, has_capital=has_capital)
            or calendar_words.stated_numbers(word, known=())
        ):
            values.add(folded(word))
        else:
            frame.append(word)
    return tuple(normal_form(" ".join(frame)).split()), frozenset(values)
