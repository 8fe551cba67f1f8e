"""The gate before memory: what is not the owner's word does not become his. Pure.

A tool that writes asks here, with what the model has seen in this turn. `None` for a turn means
that none is known (another program, by MCP): its owner has connected it, and answers for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .errors import EditRefused
from .foreign import own_part
from .log.rows import Message
from .note import lines
from .sight import Foreign, Sight, names, parts, whose

if TYPE_CHECKING:
    from .summarize import DraftBullet, SummaryDraft

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


def attributed(draft: SummaryDraft, messages: Sequence[Message]) -> SummaryDraft:
    """The draft, in which what others said is said to be theirs, and none of it is to be done.

    `messages`: the batch's, in the order in which the bullets number them from 1.
    """
    said = [parts(row) if row.role == "user" else ([], []) for row in messages]
    own = [*(text for texts, _ in said for text in texts), *names(messages)]
    foreign = [each for _, others in said for each in others]
    if not foreign:
        return draft
    summary = draft.summary
    if summary.strip() and (found := whose(summary, own, foreign)):
        summary = found.says(summary.strip())
    bullets = [_bullet(bullet, messages, said, own, foreign) for bullet in draft.bullets]
    return draft.model_copy(update={"summary": summary, "bullets": bullets})


def _bullet(
    bullet: DraftBullet,
    messages: Sequence[Message],
    said: Sequence[tuple[list[str], list[Foreign]]],
    own: Sequence[str],
    foreign: Sequence[Foreign],
) -> DraftBullet:
    numbers = [n for n in bullet.messages if 1 <= n <= len(messages)]
    # What it names as its sources may be as invented as the rest: the words count as well.
    found = whose(bullet.text, own, foreign)
    others = [each for n in numbers for each in said[n - 1][1]]
    if found is None and others and not any(_own(messages[n - 1]) for n in numbers):
        found = others[0]
    if found is None or not bullet.text.strip():
        return bullet
    source = next(n for n, (_, there) in enumerate(said, 1) if found in there)
    says = found.says(bullet.text.strip())
    return bullet.model_copy(
        update={"text": says, "messages": sorted({*numbers, source}), "action": False}
    )


def _own(row: Message) -> bool:
    """Whether the owner, or Sam, says anything in that message."""
    if row.role == "assistant":
        return True
    return row.origin == "owner" and bool(own_part(row.text).strip())
