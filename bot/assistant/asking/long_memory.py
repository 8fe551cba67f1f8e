"""Tell the owner once that MEMORY.md no longer fits into a prompt, with a button that moves the
entries that do not to a note.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory import Memory, is_group
from memory.maintenance import long_memory
from memory.notes import plain
from memory.text import clipped, one_line, tn, tr

from ...inbox import Button
from ...markdown_escape import escape
from ...prompt.token_budget import LONGEST
from ...settings import Settings
from .proposals import Say

ASKED = "long_memory_asked"
LISTED = 5  # entries, with the beginning of their words
SHOWN = 100  # characters of one


async def is_too_long(memory: Memory, settings: Settings) -> bool:
    """Return whether MEMORY.md does not fit, and the owner was not asked. What has fitted again may
    be asked again."""
    if is_group(memory.profile.name):
        return False
    asked = await memory.log.settings.get(ASKED) or ""
    if not await long_memory.surplus(memory, LONGEST):
        if asked:
            await memory.log.settings.set(ASKED, "")
        return False
    return not asked and settings.is_active(memory.clock().astimezone(memory.zone))


async def ask_about_long_memory(memory: Memory, speak: Say) -> None:
    """Ask him. Raises ChatError where nobody can be asked."""
    entries = await long_memory.surplus(memory, LONGEST)
    if not entries:
        return
    day = memory.today().isoformat()
    button = Button(
        tr("Move {entries}", entries=tn("{count} entry", "{count} entries", len(entries))),
        "memory.move",
    )
    await speak(report(entries), key=f"long-memory:{day}", keyboard=((button,),))
    await memory.log.settings.set(ASKED, day)


def report(entries: Sequence[str]) -> str:
    """Return what does not fit, and what can be done."""
    rows = [f"- {escape(clipped(one_line(plain(each)).lstrip('-*+ '), SHOWN))}" for each in entries]
    more = [tr("- and {count} more", count=len(rows) - LISTED)] if len(rows) > LISTED else []
    head = tr(
        "**MEMORY.md** is longer than the {longest} characters of it that I see with every "
        "message. Nothing is lost, and a search finds all of it. Shall I move these entries "
        "to a note, where I see them when they fit the question?",
        longest=f"{LONGEST:,}",
    )
    return "\n\n".join([head, "\n".join([*rows[:LISTED], *more])])
