"""Attribute other people's statements in a draft to them. Pure.

The model may invent a bullet's sources, and a translation shares no words with its original. So if
others' texts are present, a bullet counts as the owner's only if most of its content words occur in
the owner's messages that it cites.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..log import Message
from ..trust.provenance import (
    Foreign,
    foreign_source,
    mostly_in,
    names,
    retold_answers,
    split_speakers,
)
from .draft import DraftBullet, SummaryDraft

SAM = "Sam"


def attributed(draft: SummaryDraft, messages: Sequence[Message]) -> SummaryDraft:
    """Return the draft with statements of others, or only of Sam, attributed to them.

    These are never actions. `messages`: the batch's, in the order in which the bullets number them
    from 1.
    """
    again = retold_answers(messages)
    said = [
        split_speakers(row)
        if row.role == "user"
        else ([], [again[row.id]] if row.id in again else [])
        for row in messages
    ]
    owners = names(messages)
    foreign = [each for _, others in said for each in others]
    summary = draft.summary.strip()
    if foreign and summary:
        own = [*(text for texts, _ in said for text in texts), *owners]
        sams = [row.text for row in messages if row.role == "assistant"]
        found = foreign_source(summary, own, foreign)
        if found is None and not mostly_in(summary, [*own, *sams]):
            found = foreign[0]
        summary = found.says(summary) if found else summary
    bullets = [_bullet(bullet, messages, said, foreign, owners) for bullet in draft.bullets]
    return draft.model_copy(update={"summary": summary or draft.summary, "bullets": bullets})


def _bullet(
    bullet: DraftBullet,
    messages: Sequence[Message],
    said: Sequence[tuple[list[str], list[Foreign]]],
    foreign: Sequence[Foreign],
    owners: Sequence[str],
) -> DraftBullet:
    """`said`: the owner's and others' texts of each message; `foreign`: all of others'."""
    text = bullet.text.strip()
    numbers = [n for n in bullet.messages if 1 <= n <= len(messages)]
    if not text:
        return bullet
    found = _source(text, numbers, messages, said, foreign, owners)
    if found is not None:
        source = next(n for n, (_, there) in enumerate(said, 1) if found in there)
        return bullet.model_copy(
            update={
                "text": found.says(text),
                "messages": sorted({*numbers, source}),
                "action": False,
            }
        )
    if numbers and all(messages[n - 1].role == "assistant" for n in numbers):
        return bullet.model_copy(update={"text": Foreign("", "", SAM).says(text), "action": False})
    return bullet


def _source(
    text: str,
    numbers: Sequence[int],
    messages: Sequence[Message],
    said: Sequence[tuple[list[str], list[Foreign]]],
    foreign: Sequence[Foreign],
    owners: Sequence[str],
) -> Foreign | None:
    """Return the foreign source of a bullet; None: the owner, or Sam."""
    if not foreign:
        return None
    everything = [*(each for texts, _ in said for each in texts), *owners]
    if found := foreign_source(text, everything, foreign):
        return found
    named = [each for n in numbers for each in said[n - 1][0]]
    if any(each.strip() for each in named) and mostly_in(text, [*named, *owners]):
        return None
    others = [each for n in numbers for each in said[n - 1][1]]
    cited = [messages[n - 1] for n in numbers]
    is_sams = all(row.role == "assistant" for row in cited) and not others
    if is_sams and mostly_in(text, [row.text for row in cited]):
        return None
    return (others or list(foreign))[0]
