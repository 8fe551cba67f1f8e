"""Compute the days of time expressions with two parts: a range, or two days of one month."""

from __future__ import annotations

from dataclasses import replace

from .calendar import Span
from .days import MEANINGS
from .letters import FUTURE, PAST, DayPhrase


def between(one: DayPhrase, two: DayPhrase) -> list[Span]:
    """Return a range. Either end may supply what the other lacks: "from 3 to 9 April"."""
    _share_month(one, two)
    if not one.has("MNKHIDWVY"):
        return _days_of_month(one, two)
    if one.has("Y") and two.has("MN") and not two.has("Yy"):  # "from November 2024 to February"
        firsts = _point(one)
        ends = [_point(replace(two, today=start, tense=FUTURE))[:1] for start, _ in firsts]
        return [(start[0], end[0][1]) for start, end in zip(firsts, ends, strict=True) if end]
    spans = []
    for _, last in _point(two):
        is_fixed = one.has("DLTX")  # counted from today, not from the end
        starts = _point(one if is_fixed else replace(one, today=last, tense=PAST))
        spans += [(max(begun), last)] if (begun := [s for s, _ in starts if s <= last]) else []
    return spans


def _point(said: DayPhrase) -> list[Span]:
    """Return one end of a range."""
    if said.has("IKH") or (said.has("noO") and said.has("MN")):
        return MEANINGS["date"](said)
    if said.has("MN"):
        return MEANINGS["named"](said)
    if said.has("D"):
        return MEANINGS["day"](said)
    if said.has("WV"):
        spans = MEANINGS["weekday"](said)
        is_plain = said.tense != FUTURE and not said.has("LTX")
        # On a Wednesday, "from Monday to Wednesday" means this week.
        return [max(span for span in spans if span[0] <= said.today)] if is_plain else spans[:1]
    return MEANINGS["in_year"](said) if said.has("Y") else []


def _days_of_month(one: DayPhrase, two: DayPhrase) -> list[Span]:
    """Return "from the 3rd to the 8th", which names no month; not "from 3 to 9"."""
    if not all(said.has("o") or (said.has("ah") and said.has("n")) for said in (one, two)):
        return []
    [*ends] = MEANINGS["of_month"](two)
    starts = [MEANINGS["of_month"](replace(one, today=end, tense=PAST)) for end, _ in ends]
    return [(begun[0][0], end[1]) for begun, end in zip(starts, ends, strict=True) if begun]


def both(one: DayPhrase, two: DayPhrase) -> list[Span]:
    """Return two days of one month: "the 3rd and the 10th of May"."""
    _share_month(one, two)
    kind = "date" if one.has("MN") else "of_month"
    return [span for said in (one, two) for span in MEANINGS[kind](said)]


def _share_month(one: DayPhrase, two: DayPhrase) -> None:
    """Add the month and the year to the day that lacks them."""
    for short, full in ((one, two), (two, one)):
        if short.has("noO") and not short.has("MN"):
            short.value.update({at: full.value[at] for at in "MNYLTXy" if at in full.value})
