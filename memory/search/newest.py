"""The newest statement of a subject first: what it replaces stands behind it. Pure.

Two statements are of one subject where their passages are much alike; a newer one that says that
something changed ("moved", "from now on", "instead") need be less so. It leads where it states
another value: where the older one has numbers, one that the older one lacks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..text.tokenize import STOP_WORDS, terms
from .candidates.query import Hit

Alike = Callable[[Hit, Hit, bool], bool]
"""Whether two passages are of one subject; the flag says that the newer one tells a change."""

DEVIATIONS = (2.5, 1.5)
"""How far the cosine of two passages of one subject is above the mean of the index's passages among
themselves; the second, where the newer one tells a change."""
SHARED = (0.5, 0.3)
"""Without vectors: the share of the shorter one's words that the other one has."""
WORTH = 0.03  # of the older one's score is what the newer one has at least
LED = 3  # hits, the best ones, before which a newer one may be put
DEPTH = 12  # hits, the best ones, among which one is looked for

_CHANGED = re.compile(
    r"\b(?:now|instead|no longer|any ?more|moved|changed|swapped|switched|replaced|postponed|new"
    r"|actually|after all|turns out|back to|from \w+(?: \w+)? on"
    r"|jetzt|nun|statt|stattdessen|neue?[rsnm]?|nicht mehr|verschoben|doch|ab \w+"
    r"|maintenant|désormais|nouve\w+|ne \w+ plus|plutôt|ahora|ya no|nuev[oa]s?|cambi\w+"
    r"|agora|nov[oa]s?|mudou|mudei|nu|niet meer|nieuwe?|teraz|już nie|now[yae]|adesso|nuov[oaie]"
    r"|теперь|уже не|нов\w+)\b|変わ|新し|今は",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")


def newest_first(hits: Sequence[Hit], alike: Alike) -> list[Hit]:
    """Put each newer statement before the best ones that it replaces; those get its day as `until`.

    Only what the owner, or another person, said or noted is looked at: Sam's answers repeat.
    """
    order, left = list(hits), list(hits[DEPTH:])
    order = order[:DEPTH]
    at = 0
    while at < min(LED, len(order)):
        old = order[at]
        newer = [new for new in order[at + 1 :] if _replaces(new, old, alike)]
        if not newer:
            at += 1
            continue
        lead = max(newer, key=lambda hit: (str(hit.date), hit.chunk_id))
        order.remove(lead)
        order.insert(at, lead._replace(score=max(lead.score, old.score)))
    for place, old in enumerate(order):
        leads = [new for new in order[: min(place, LED)] if _replaces(new, old, alike)]
        if leads:
            order[place] = old._replace(until=min(new.date for new in leads if new.date))
    return [*order, *left]


def _replaces(new: Hit, old: Hit, alike: Alike) -> bool:
    if "assistant" in (new.role, old.role) or new.date is None or old.date is None:
        return False
    if new.date <= old.date or new.score < WORTH * old.score:
        return False
    numbers = set(_NUMBER.findall(old.text))
    if numbers and numbers.issuperset(_NUMBER.findall(new.text)):
        return False
    return alike(new, old, bool(_CHANGED.search(new.text)))


def alike_by_words(new: Hit, old: Hit, changed: bool) -> bool:
    """Whether two passages share enough of their words, where there are no vectors."""
    one, other = (set(terms(hit.text)) - STOP_WORDS for hit in (new, old))
    fewest = min(len(one), len(other))
    return bool(fewest) and len(one & other) / fewest >= SHARED[changed]
