"""Show a proposed change of the owner's files in his chat, to accept or reject it.

Each is shown once: its key goes with the message into the durable outbox.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from memory import EditRefused, Memory, is_group
from memory.notes import lines, redaction
from memory.text import clipped, difference, reveal, tr

from ...inbox import Button
from ...markdown_escape import code_block, escape

if TYPE_CHECKING:
    from memory.log import ProposedChange

Say = Callable[..., Awaitable[None]]
"""A `Speak` of bot/assistant/unprompted.py."""

REASON = 300  # characters


async def has_unshown_proposal(memory: Memory) -> bool:
    """Return whether there is a proposal that the owner was not shown."""
    if is_group(memory.profile.name):
        return False
    return bool(await memory.log.proposals.open(not_shown=True))


async def show_proposals(memory: Memory, speak: Say) -> None:
    """Show each new proposal. Raises ChatError if nobody can be asked."""
    proposals = memory.log.proposals
    guidance = memory.guidance
    for change in await proposals.open(not_shown=True):
        try:
            before, after = await guidance.texts(change)
        except EditRefused:  # the owner has changed the note in the meantime
            await proposals.decide(change.id, "unfit")
            continue
        if before == after:  # or he has made the change himself
            await proposals.decide(change.id, "accepted")
            continue
        text = await format_proposal(memory, change)
        await speak(text, key=f"proposal:{change.id}", keyboard=(buttons([change]),))
        await proposals.mark_shown(change.id)


async def format_proposal(memory: Memory, change: ProposedChange) -> str:
    """Return the proposal as it is shown: the note, the reason, and what would differ, without
    private lines around it. Raises EditRefused where it no longer fits."""
    before, after = await memory.guidance.texts(change)
    head = tr("Should I change **{path}**?", path=escape(change.path))
    if not before:
        head = tr("Should I write **{path}**?", path=escape(change.path))
    reason = escape(clipped(change.reason, REASON))
    hidden = redaction.withheld(before, change.path, memory.vault.sam_dir)
    private = {
        reveal(row).rstrip() for number, row in enumerate(lines(before), 1) if number in hidden
    }
    # What is said in a chat is seen by a model. Changed lines stay: they are its own words.
    rows = [
        row
        for row in difference(before, after)
        if not (row.startswith("  ") and row[2:] in private)
    ]
    return "\n\n".join(filter(None, (head, reason, code_block("\n".join(rows), "diff"))))


def buttons(changes: Sequence[ProposedChange], number: str = "") -> tuple[Button, ...]:
    """Return the two buttons of proposals decided together; `number`: their place in a list."""
    named = {"proposals": [change.id for change in changes]}
    return (
        Button(tr("Accept {number}", number=number).strip(), "proposal.accept", named),
        Button(tr("Reject {number}", number=number).strip(), "proposal.reject", named),
    )
