"""Log conversations, and summarise them with every message repeated verbatim."""

from __future__ import annotations

from memory.core import Memory
from memory.summaries.draft import DraftBullet, SummaryDraft, SummaryRequest
from tests.support.memories import log_exchange

DAY = "memories/2026-02-12.md"
"""The daily note of the tests' clock."""


class Echo:
    """Summarise with one verbatim bullet per message; `both` adds a bullet that covers them all."""

    mark = ""

    def __init__(self, *, both: str = "") -> None:
        self.both = both

    async def __call__(self, request: SummaryRequest) -> SummaryDraft:
        texts = [message.text for message in request.messages]
        bullets = [
            DraftBullet(text=text, messages=[number]) for number, text in enumerate(texts, 1)
        ]
        if self.both:
            everything = list(range(1, len(texts) + 1))
            bullets.append(
                DraftBullet(text=self.both, messages=everything, quote=texts[0], action=True)
            )
        return SummaryDraft(summary="Spoke of things", bullets=bullets)


async def talk(memory: Memory, *texts: str, chat: str = "terminal") -> int:
    """Log the texts as a session of its own, and return its id."""
    turns = [await log_exchange(memory, text, f"heard {text}", chat=chat) for text in texts]
    await memory.end_session(chat, memory.clock())
    return turns[0].session_id
