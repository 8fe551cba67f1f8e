"""Compute the days of time expressions with two parts: a range, two days of one month, or a
day or week next to another day."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from .calendar import MAIN_DAY, Span, add, dated, name_in
from .days import MEANINGS, counted
from .letters import FUTURE, PAST
from .parts import SATURDAY, DayPhrase, working_day, yearly


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


def beside(one: DayPhrase, two: DayPhrase, by: int) -> list[Span]:
    """Return what is before (`by` -1) or after a day or a holiday: "the week before
    Christmas", "two days after 5 May", "the Monday after Easter"."""

    def in_year(year: int) -> Span | None:
        if two.has("noO"):
            span = dated(year, two.get("MN"), two.get("noO"))
        else:
            name = two.get("FN")
            span = name_in(year, MAIN_DAY.get(name, name))
        return _next_to(one, span, by) if span else None

    if two.has("IKH") or not two.has("MFN"):
        kind = "date" if two.has("IKH") else "of_month"
        return [_next_to(one, span, by) for span in MEANINGS[kind](two)]
    return yearly(two, in_year)


def _next_to(one: DayPhrase, span: Span, by: int) -> Span:
    edge = span[0] if by < 0 else span[1]
    if one.has("§"):
        day = working_day(edge, by * (one.get("Oo") if one.has("Oo") else counted(one)[1]))
        return day, day
    if one.has("eWV"):
        weekday = SATURDAY + (by < 0) if one.has("e") else one.get("WV")
        day = add(edge, by * (((weekday - edge.weekday()) * by - 1) % 7 + 1))
        return _in_order(day, add(day, by)) if one.has("e") else (day, day)
    if not one.has("nckg"):
        return _in_order(add(edge, by), add(edge, 7 * by))
    unit, least, most = counted(one)
    is_rough = unit != "d" and least == most and one.tense != FUTURE
    days, around = (1 if unit == "d" else 7), (3 if is_rough else 0)
    first, last = _in_order(add(edge, by * least * days), add(edge, by * most * days))
    return add(first, -around), add(last, around)


def _in_order(one: date, two: date) -> Span:
    return min(one, two), max(one, two)


def _share_month(one: DayPhrase, two: DayPhrase) -> None:
    """Add the month and the year to the day that lacks them."""
    for short, full in ((one, two), (two, one)):
        if short.has("noO") and not short.has("MN"):
            short.value.update({at: full.value[at] for at in "MNYLTXy" if at in full.value})
