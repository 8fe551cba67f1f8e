"""The button that moves entries of MEMORY.md to a note."""

from __future__ import annotations

from memory.maintenance import long_memory
from memory.text import plural

from ...markdown_escape import escape
from ...prompt.token_budget import LONGEST
from ..protocol import Outcome, Press, Shown

FITS = "All of MEMORY.md fits: nothing was moved."


async def move(press: Press) -> Outcome:
    """Move what does not fit now."""
    note, count = await long_memory.move(press.profile.memory, LONGEST)
    if not count:
        return Outcome(toast=FITS)
    moved = plural(count, "entry", "entries")
    text = f"Moved {moved} to {note}. /undo brings them back."
    return Outcome("Moved.", replace=Shown(escape(text)))
