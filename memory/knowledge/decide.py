"""Decide how a new fact affects the known ones: by a model, or by plain, pure rules.

The rules handle the common case: the same statement with another number, day or home replaces the
old one. Everything else is added, because a duplicate line does less harm than a lost one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from ..log.knowledge.candidates import FactCandidate
from ..text.wording import folded, normal_form, untagged, words
from . import calendar_words
from .notes import KnownFact

Verdict = Literal["add", "update", "delete", "keep", "contradict"]
"""`contradict`: like `update`, but it is unclear which of the two is true."""

# A person has only one home at a time: another place means a move.
_HOME = re.compile(
    r"\b(?:lives? in|living in|moved to|based in"
    r"|(?:wohnt|lebt|wohne|lebe|zieht|umgezogen) (?:\w+ ){0,3}(?:in|nach)"
    r"|habite|vi[ts] a|demenage a|viv[eo] (?:en|a)|abit[ao] (?:a|in)|mor[ao] (?:em|no|na)"
    r"|woont in|verhuist naar|mieszkam? we?"
    rf"|{folded('живу в')}|{folded('живет в')})\b"
)
_PRONOUNS = (
    "i we he she now the owner user ich wir er sie je j il elle on yo io lui lei eu ik ja я мы"
)
_HIMSELF = frozenset(map(folded, _PRONOUNS.split()))
_NAME = re.compile(r"[^\W\d_][\w'’-]*")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A new fact, and the nearest known ones, best first. `id`: the candidate's."""

    id: int
    found: FactCandidate
    nearest: tuple[KnownFact, ...]


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


async def by_rules(proposals: Sequence[Proposal], since: datetime) -> dict[int, Decision]:
    """`Decide` without a model."""
    return {each.id: plain_decision(each.found, each.nearest) for each in proposals}


def plain_decision(found: FactCandidate, nearest: Iterable[KnownFact]) -> Decision:
    """Return the decision of the plain rules."""
    for known in nearest:
        if known.fact.id is None:
            continue
        if normal_form(known.fact.text) == normal_form(found.text):
            return Decision("keep", known.fact.id)
        if is_newer(found.text, known.fact.text):
            return Decision("update", known.fact.id)
    return ADD


def allowed(decision: Decision | None, proposal: Proposal) -> Decision:
    """Return the decision if its target was shown with the proposal, or else that of the plain
    rules."""
    if decision is not None:
        shown = {known.fact.id for known in proposal.nearest}
        if decision.verdict == "add":
            return ADD
        if decision.target in shown and decision.target is not None:
            return decision
    return plain_decision(proposal.found, proposal.nearest)


def is_newer(new: str, old: str) -> bool:
    """Return whether `new` restates `old` with another value: the same words around another number,
    day or time, or another home."""
    frame, value = _parted(new)
    old_frame, old_value = _parted(old)
    if frame and frame == old_frame and value and old_value and value != old_value:
        return True
    home, old_home = _home(new), _home(old)
    return bool(home and old_home) and home != old_home


def _parted(text: str) -> tuple[tuple[str, ...], frozenset[str]]:
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


def _home(text: str) -> str:
    """Return the place where somebody lives according to the statement, folded; "" for none."""
    match = _HOME.search(folded(text))
    if match is None:
        return ""
    plain = folded(text)
    if not _HIMSELF.issuperset(words(plain[: match.start()])):
        return ""  # "Ana lives in Rome" does not state the owner's home
    return next(iter(_NAME.findall(plain[match.end() :])), "")
