"""Information about an answer: its cost, and the owner's feedback."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from memory import Memory, Message
from memory.text import counted, tn, tr

LATELY = timedelta(days=30)
NAMED = 3  # notes


async def describe_answer(memory: Memory, answer: Message) -> list[str]:
    """Return the lines about one of Sam's answers; none for another message."""
    if answer.role != "assistant":
        return []
    usd = await memory.log.usage.of_turn(answer.turn_id)
    rows = [tr("This answer cost ${usd:.4f}.", usd=usd)] if usd else []
    marked = await memory.log.feedback.of(answer.id)
    if marked is not None:
        day = f"{marked.at.astimezone(memory.zone):%Y-%m-%d}"
        rows.append(tr("You marked it with 👎 on {day}.", day=day))
    return rows


async def dislike_report(memory: Memory) -> list[str]:
    """Return a line about recently marked answers, and their sources."""
    marked = await memory.log.feedback.disliked(memory.clock() - LATELY)
    if not marked:
        return []
    notes = Counter(path for each in marked for path in each.sources)
    line = tr(
        "marked with 👎 in the last {days} days: {answers}",
        days=LATELY.days,
        answers=tn("{count} answer", "{count} answers", len(marked)),
    )
    named = dict(notes.most_common(NAMED))
    return [
        tr("{line}; shown with them: {counted}", line=line, counted=counted(named))
        if named
        else line
    ]
