"""The gate before memory: what is not the owner's word does not become his. Pure.

A tool that writes asks here, with what the model has seen in this turn. `None` for a turn means
that none is known (another program, by MCP): its owner has connected it, and answers for it.
"""

from __future__ import annotations

from ..errors import EditRefused
from ..notes.markdown import lines
from .provenance import Foreign, Sight

_SAY = "the owner has to say so in words of his own: ask him"


def saved_as(seen: Sight | None, content: str) -> Foreign | None:
    """Whose word a note is, if not the owner's: then it is written down as theirs."""
    return seen.source(content) if seen else None


def check_new(seen: Sight | None, text: str) -> None:
    """EditRefused for a line of others' words."""
    if seen and (found := seen.source(text)):
        raise EditRefused(f"That is not the owner's word, but {found.who}'s: {_SAY}.")


def check_edit(seen: Sight | None, old: str, new: str) -> None:
    """EditRefused for a change that only somebody else speaks of, or that holds their words."""
    if seen is None:
        return
    there, after = set(lines(old)), set(lines(new))
    gone = "\n".join(row for row in lines(old) if row not in after)
    others = seen.messages or seen.notes
    if others and gone.strip() and not seen.spoke_of(gone):
        raise EditRefused(f"The owner has not spoken of what stands there: {_SAY}.")
    known = {word for row in lines(old) for word in row.split()}
    added = [row for row in lines(new) if row not in there]
    check_new(seen, " ".join(word for row in added for word in row.split() if word not in known))


def check_done(seen: Sight | None, old: str, new: str) -> None:
    """EditRefused for a task that only somebody else says is done."""
    after = set(lines(new))
    task = "\n".join(row for row in lines(old) if row not in after)
    if seen and seen.messages and task and not seen.spoke_of(task):
        raise EditRefused(f"The owner has not spoken of that task: {_SAY}.")
