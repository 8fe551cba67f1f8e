"""How long a fact holds, as a model says it: "for a week", "30 days", "until 2026-03-01". Pure."""

from __future__ import annotations

import re
from datetime import date, timedelta

from ..errors import EditRefused
from ..notes.markdown import date_in

_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_COUNTED = re.compile(r"(?:for )?(a|an|one|\d{1,4}) (day|week|month|year)s?")
LONGEST = 3653  # days


def end_of(life: str, today: date) -> date | None:
    """Return the first day on which it is no longer so; None for ever, "".

    Raises EditRefused for what is no life, or over today.
    """
    said = " ".join(life.lower().split())
    if said in ("", "for ever", "forever", "permanent"):
        return None
    if match := _COUNTED.fullmatch(said):
        days = (int(match[1]) if match[1].isdecimal() else 1) * _DAYS[match[2]]
        if 0 < days <= LONGEST:
            return today + timedelta(days=days)
    elif day := date_in(said):
        # "until" counts its day; a bare date is the first one on which it is over.
        end = day + timedelta(days=1) if said.startswith("until ") else day
        if today < end <= today + timedelta(days=LONGEST):
            return end
    raise EditRefused(f"{life!r} is no life: say `for 2 weeks`, or `until 2026-03-01`.")
