"""Look up the facts that were true on a given day, including those superseded since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from ..dates.calendar import add
from ..knowledge.folder import KnowledgeFolder
from ..knowledge.notes import KnownFact
from ..notes.fact import Fact
from ..notes.markdown import date_in, plain
from ..text.tokenize import telling_terms, terms
from ..vault import Vault


@dataclass(frozen=True, slots=True)
class PastFact:
    """A fact that was true on a day. `since`: its first day; `until`: its last one, None if it is
    still true."""

    known: KnownFact
    since: date
    until: date | None


async def as_of(vault: Vault, day: date, words: str, said_on: Mapping[str, date]) -> list[PastFact]:
    """Return the facts that were true on that day and match the words, best first; all of them if
    the words are only stop words.

    `said_on`: id → the day on which a fact was first said. A fact whose first day is unknown is
    left out, and so is one that does not count, or stands in a sealed note.
    """
    asked = telling_terms(words)
    found: list[tuple[int, PastFact]] = []
    folder = KnowledgeFolder(vault)
    now = await folder.facts()
    ids = {known.fact.id for known in now}
    then = [known for known in await folder.past() if known.fact.id not in ids]
    for known in [*now, *then]:
        if known.sealed or known.problems:
            continue
        past = _past(known, said_on.get(known.fact.id or ""))
        if past is None or day < past.since or (past.until is not None and day > past.until):
            continue
        shared = len(asked & set(terms(plain(known.fact.text))))
        if shared or not asked:
            found.append((shared, past))
    found.sort(key=lambda each: (-each[0], -each[1].since.toordinal()))
    return [past for _, past in found]


def _past(known: KnownFact, said_on: date | None) -> PastFact | None:
    fact = known.fact
    since = date_in(fact.get("valid_from")) or said_on or fact.updated
    if since is None:
        return None
    ends = [end for end in (_last_day(fact), _before(fact.expires)) if end is not None]
    return PastFact(known, since, min(ends, default=None))


def _last_day(fact: Fact) -> date | None:
    """Return the last day on which it was true. A new value is true from the day on which it was
    said, so a superseded fact ends the day before."""
    end = date_in(fact.get("valid_to"))
    return _before(end) if fact.get("superseded_by") else end


def _before(day: date | None) -> date | None:
    return add(day, -1) if day is not None else None
