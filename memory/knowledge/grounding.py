"""Ground the facts that a model proposes in the owner's own words. Pure.

A fact is kept only if the messages that it cites are in the batch, at least one of them is the
owner's, its quote occurs in that one, and every number, date and name of its line occurs in the
owner's messages that it cites. Hallucinations have no such source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta, tzinfo

from ..infra.clock import local_day
from ..log import Message
from ..log.knowledge.candidates import FactCandidate
from ..notes.fact import RULE
from ..notes.kinds import MIN_RULE_CONFIDENCE
from ..notes.markdown import date_in
from ..text.humanize import one_line
from ..text.sanitize import own_part
from ..text.secrets import mask
from ..text.word_forms import folded, is_same_name, normal_form, words
from .draft import FILES, DraftFact
from .evidence.calendar_words import CalendarWords
from .evidence.own_words import unsupported_kind
from .evidence.source_text import SourceText, quotes
from .misreading import misread

LONGEST = 300  # characters of a fact
CONTEXTUAL_DAYS = 30  # the lifetime of contextual facts without a stated end
LONGEST_LIFE = timedelta(days=3 * 366)  # the latest accepted `expires`
LEAST_CONFIDENCE = 0.5


@dataclass(frozen=True, slots=True)
class Grounded:
    """The facts that are grounded, and why others were refused: reason → count."""

    facts: tuple[FactCandidate, ...]
    refused: Counter[str]


def ground(proposed: Sequence[DraftFact], messages: Sequence[Message], zone: tzinfo) -> Grounded:
    """Return the proposed facts that the messages support, each only once, and how many others were
    refused, by reason.

    `messages`: the batch's, in the order in which the facts number them from 1. `zone`: the
    owner's.
    """
    found: dict[str, FactCandidate] = {}
    refused: Counter[str] = Counter()
    authors = {row.author for row in messages if _is_owners(row) and row.author}
    for draft in proposed:
        numbers = dict.fromkeys(draft.messages)
        named = [messages[n - 1] for n in numbers if 1 <= n <= len(messages)]
        if not named or len(named) < len(numbers):
            refused["message"] += 1
            continue
        own = [row for row in named if _is_owners(row)]
        evidence = SourceText(
            tuple(own_part(row.text) for row in own),
            tuple(local_day(row.sent_at, zone) for row in own),
            tuple({row.author for row in own if row.author}),
        )
        if reason := unsupported_in(draft, evidence) or _lacks_subject(draft.text, authors):
            refused[reason] += 1
            continue
        made = _candidate(draft, evidence, tuple(row.id for row in own))
        form = normal_form(made.text)
        if (known := found.get(form)) is not None:
            made = replace(known, sources=tuple(sorted({*known.sources, *made.sources})))
        found[form] = made
    return Grounded(tuple(found.values()), refused)


def _lacks_subject(text: str, authors: Collection[str]) -> str:
    """Return "author" for a fact from a group that does not name one of the authors, or else ""."""
    if len(authors) < 2:
        return ""
    said = words(folded(text))
    named = (word for author in authors for word in words(folded(author)))
    return "" if any(is_same_name(name, word) for name in named for word in said) else "author"


def unsupported_in(draft: DraftFact, evidence: SourceText) -> str:
    """Return the kind of value in a fact that has no source; "" if it is fully supported."""
    text = one_line(draft.text)
    if draft.category not in FILES or not 0 < len(text) <= LONGEST or mask(text) != text:
        return "form"
    least = MIN_RULE_CONFIDENCE if draft.category == RULE else LEAST_CONFIDENCE
    if not least <= draft.confidence <= 1:
        return "confidence"
    if not evidence.texts:
        return "speaker"
    if not any(quotes(draft.quote, said) for said in evidence.texts):
        return "quote"
    is_goal = draft.category in ("task", RULE)
    return unsupported_kind(text, evidence) or misread(
        text, evidence.texts, authors=evidence.authors, is_goal=is_goal
    )


def _candidate(draft: DraftFact, evidence: SourceText, ids: tuple[int, ...]) -> FactCandidate:
    text = one_line(draft.text).rstrip(".。 ") or one_line(draft.text)
    if text.partition(" ")[0].islower():  # not of a name like "iPhone"
        text = text[:1].upper() + text[1:]
    day = max(evidence.days)
    expires = date_in(draft.expires)
    if expires is not None and not (
        day < expires <= day + LONGEST_LIFE and _names_end(evidence.calendar, expires)
    ):
        expires = None
    if draft.category == "contextual" and expires is None:
        expires = day + timedelta(days=CONTEXTUAL_DAYS)
    if draft.category == RULE:
        expires = None
    return FactCandidate(
        category=draft.category,
        text=text,
        sources=ids,
        day=day,
        expires=expires,
        confidence=round(draft.confidence, 2),
    )


def _names_end(said: CalendarWords, expires: date) -> bool:
    """Return whether the sources mention the end date, or the day before it."""
    last = expires - timedelta(days=1)
    ends = {end for _, end in said.weeks}
    return said.names_day(expires) or said.names_day(last) or bool({expires, last} & ends)


def _is_owners(row: Message) -> bool:
    return (
        row.role == "user"
        and row.origin == "owner"
        and row.privacy == "normal"
        and bool(own_part(row.text).strip())
    )
