"""The button that moves entries of MEMORY.md to a note."""

from __future__ import annotations

from memory.maintenance import long_memory
from memory.text import mark, tn, tr

from ...markdown_escape import escape
from ...prompt.token_budget import LONGEST
from ..protocol import Outcome, Press, Shown

FITS = mark("All of MEMORY.md fits: nothing was moved.")


async def move(press: Press) -> Outcome:
    """Move what does not fit now."""
    note, count = await long_memory.move(press.profile.memory, LONGEST)
    if not count:
        return Outcome(toast=tr(FITS))
    moved = tn("{count} entry", "{count} entries", count)
    text = tr("Moved {moved} to {note}. /undo brings them back.", moved=moved, note=note)
    return Outcome(tr("Moved."), replace=Shown(escape(text)))
