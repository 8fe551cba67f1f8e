"""The summary of the messages that have left a conversation's context.

It consists of the sections of the days' files that were made of them, as they stand there now, and
of the owner's most telling sentences where a section is still to be written. No model is called.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime

from memory import Extract, Memory, Message, SummaryRequest, VaultError, VaultGone
from memory.infra import local_day

from .format_notes import readable

LATEST = 1_000  # messages that are looked at
MOST = 6_000  # characters; the latest part counts
UNWRITTEN = "Not summarised yet; what the owner said, word for word:"


async def earlier_summary(
    memory: Memory,
    session_id: int,
    *,
    shown: Collection[int],
    notes: Collection[str],
    now: datetime,
) -> str:
    """Return the summary of the session's earlier messages; "" if all of them are in the context.

    `shown`: the ids of the messages in the context; `notes`: the days' files that are, whose
    sections are left out.
    """
    first = min(shown, default=0)
    gone = await memory.log.messages.of_session(session_id, before=first, most=LATEST)
    if not gone:
        return ""
    today = memory.today(now)
    days: dict[str, list[str]] = {}
    for row in gone:
        if row.batch and row.state in ("written", "closed"):
            path = memory.day_path(local_day(row.sent_at, memory.zone))
            days.setdefault(path, []).append(row.batch)
    parts = [
        await _sections(memory, path, frozenset(batches), today)
        for path, batches in days.items()
        if path not in notes
    ]
    parts.append(await _unwritten(memory, [row for row in gone if row.state == "pending"], today))
    text = "\n\n".join(filter(None, parts))
    if len(text) > MOST:
        text = "…\n" + text[-MOST:].partition("\n")[2]
    return text


async def _sections(memory: Memory, path: str, batches: frozenset[str], today: date) -> str:
    try:
        text = await memory.vault.read_optional(path) or ""
    except VaultGone:
        raise
    except VaultError:
        return ""  # unreadable now: the turn goes on without it
    return readable(text, path, today, sam_dir=memory.vault.sam_dir, only=batches)


async def _unwritten(memory: Memory, rows: Sequence[Message], today: date) -> str:
    if not rows:
        return ""
    request = SummaryRequest(tuple(rows), today, memory.zone, "auto")
    draft = await Extract()(request)
    said = [f"- {bullet.text}" for bullet in draft.bullets]
    return "\n".join([UNWRITTEN, "", *said]) if said else ""
