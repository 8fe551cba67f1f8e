"""Write policy: others' words must not be stored as the owner's. Pure.

Writing tools check here, with everything the model has seen in this turn. `None`: there is no turn
(another program, over MCP), which the owner has connected and trusts.
"""

from __future__ import annotations

from ..errors import EditRefused
from ..notes.markdown import lines
from .provenance import Foreign, Provenance, mostly_in

_SAY = "the owner has to say so in words of his own: ask him"


def source_of_note(seen: Provenance | None, content: str) -> Foreign | None:
    """Return the source to which a note is attributed; None if that is the owner."""
    return seen.source(content) if seen else None


def check_new(seen: Provenance | None, text: str) -> None:
    """Raise EditRefused if the text comes from someone other than the owner."""
    if seen and (found := seen.source(text)):
        raise EditRefused(f"That is not the owner's word, but {found.who}'s: {_SAY}.")


def check_edit(seen: Provenance | None, old: str, new: str) -> None:
    """Raise EditRefused if the change originates from someone other than the owner."""
    if seen is None:
        return
    there, after = set(lines(old)), set(lines(new))
    gone = "\n".join(row for row in lines(old) if row not in after)
    others = seen.messages or seen.notes
    if others and gone.strip() and not seen.owner_mentioned(gone):
        raise EditRefused(f"The owner has not spoken of what stands there: {_SAY}.")
    known = {word for row in lines(old) for word in row.split()}
    added = [row for row in lines(new) if row not in there]
    check_new(seen, " ".join(word for row in added for word in row.split() if word not in known))


def check_proposal(seen: Provenance | None, old: str, new: str) -> None:
    """Raise EditRefused for a change of the owner's files that other people's text may have caused.

    If the turn shows other people's text, the change must consist mostly of the owner's own words.
    The owner has to accept it, but may not look closely.
    """
    check_edit(seen, old, new)
    if seen is None or not seen.messages:
        return
    known = {word for row in lines(old) for word in row.split()}
    added = " ".join(word for row in lines(new) for word in row.split() if word not in known)
    if added and not mostly_in(added, [*seen.own, *seen.names]):
        raise EditRefused(f"Others' words are in view, and these are not the owner's: {_SAY}.")


def check_done(seen: Provenance | None, old: str, new: str) -> None:
    """Raise EditRefused if only someone else said that the task is done."""
    after = set(lines(new))
    task = "\n".join(row for row in lines(old) if row not in after)
    if seen and seen.messages and task and not seen.owner_mentioned(task):
        raise EditRefused(f"The owner has not spoken of that task: {_SAY}.")
