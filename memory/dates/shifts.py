"""Read by how much something shall be earlier or later than it was set: "an hour earlier", "by two
days". The words are in clock_words.py. Pure.
"""

from __future__ import annotations

import re

from ..infra.lazy_pattern import lazy_pattern
from . import clock_words as words
from .calendar import Delay
from .clock import any_of, delay

_LONGEST = 60  # characters
_AFTER = "後"  # behind a delay in a script without spaces


def shift(text: str, *, postpones: bool = False) -> Delay | None:
    """Return by how much the text says that something shall be earlier; negative for later. None if
    it says anything else. `postpones`: "by an hour" alone, or "an hour", means later."""
    said = text.strip(" .!,。")
    if not said or len(said) > _LONGEST:
        return None
    for pattern in (_SHIFT, _SHIFT_UNSPACED, _SHIFT_BEHIND):
        if (found := pattern.fullmatch(said)) and (wait := _length(found["wait"])):
            return wait if found["sooner"] else _negative(wait)
    alone = _BY.fullmatch(said)
    wait = _length(alone["wait"]) if postpones and alone else None
    return _negative(wait) if wait else None


def is_vague_shift(text: str) -> bool:
    """Return whether the text only says that something shall be a bit earlier or later, but not by
    how much. "Later" alone is a time."""
    return _VAGUE_SHIFT.fullmatch(text.strip(" .!,")) is not None


def _length(text: str) -> Delay | None:
    for said in (f"in {text}", f"{text}{_AFTER}"):
        if (found := delay(said)) and found[1:] == (0, len(said)):
            return found[0]
    return None


def _negative(wait: Delay) -> Delay:
    return Delay(-wait.minutes, -wait.days, -wait.months)


_I = re.IGNORECASE
_BY_WORDS = rf"(?:d['’]|(?:{any_of(words.SHIFTED_BY)})\s+)?"
_SOONER, _LATER = any_of(words.SOONER), any_of(words.LATER)
_SHIFT = lazy_pattern(
    rf"{_BY_WORDS}(?P<wait>\S.{{0,50}}?)\s+(?:(?P<sooner>{_SOONER})|(?:{_LATER}))(?!\w)", _I
)
_SHIFT_UNSPACED = lazy_pattern(r"(?:(?P<sooner>提前|早)|推[迟遲]|延[后後]|晚)(?P<wait>\w.{0,20})")
_SHIFT_BEHIND = lazy_pattern(r"(?P<wait>\w.{0,20}?)(?:(?P<sooner>早く|早めて)|遅く|後に)(?:して)?")
_BY = lazy_pattern(rf"{_BY_WORDS}(?P<wait>\S.{{0,50}})", _I)
_VAGUE_SHIFT = lazy_pattern(
    rf"(?:{any_of(words.A_BIT)})\s+(?:{_SOONER}|{_LATER})|{any_of(words.EARLIER_ALONE)}", _I
)
