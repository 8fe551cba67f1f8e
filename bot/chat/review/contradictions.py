"""The buttons below the question which of two contradictory facts is true."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from memory.notes import plain
from memory.text import clipped, mark, one_line, tr

from ...assistant import asking
from ...markdown_escape import escape
from ..protocol import Outcome, Press, Shown

if TYPE_CHECKING:
    from memory.maintenance import Answer

LONGEST = 300  # characters of a fact
CHANGED = mark(
    "Those facts have changed since, so I left them as they are. /facts lists what I know."
)
SAID = {
    "first": mark("Noted: {0}. The other one is in archive/."),
    "second": mark("Noted: {1}."),
    "both": mark("Noted, both: {0}; {1}."),
    "neither": mark(
        "I will keep “{1}”, marked as uncertain. To turn these questions off, set "
        "CONTRADICTION_QUESTIONS=false."
    ),
}


async def answer(press: Press) -> Outcome:
    """Apply the owner's answer."""
    given = str(press.argument["answer"])
    if given not in SAID:
        return Outcome(toast=tr(CHANGED))
    doubts = asking.contradictions_of(press.profile.memory)
    doubt = await doubts.settle(str(press.argument["fact"]), cast("Answer", given))
    if doubt is None:
        return Outcome(replace=Shown(escape(tr(CHANGED))))
    texts = [clipped(one_line(plain(t)), LONGEST) for t in (doubt.older.text, doubt.newer.text)]
    return Outcome(tr("Thank you."), replace=Shown(escape(tr(SAID[given]).format(*texts))))
