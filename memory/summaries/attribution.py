"""Who said what a draft summarises: what others said is attributed to them. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from ..log import Message
from ..text.sanitize import own_part
from ..trust.provenance import Foreign, names, parts, whose
from .draft import DraftBullet, SummaryDraft


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
