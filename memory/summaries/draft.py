"""The input and output of a summariser: a request, and a draft of a section."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Protocol

from pydantic import BaseModel, Field

from ..knowledge.draft import DraftFact
from ..log import Message

PARTS = ("goal", "done", "next")
"""The parts of the summary of a whole session: its purpose, its outcome, and what is left to do."""


class DraftBullet(BaseModel):
    """One thing worth keeping, and the numbers of the messages that say it (from 1).

    `quote`: a passage of one of them; without it, the text itself must occur there. `part`: one of
    PARTS, or "".
    """

    text: str
    messages: list[int] = Field(default_factory=list)
    quote: str = ""
    action: bool = False
    part: str = Field(default="", json_schema_extra={"enum": ["", *PARTS]})


class SummaryDraft(BaseModel):
    """The content of a summary; an empty `summary` without bullets means that nothing was worth
    keeping. `facts`: lasting facts that the owner stated; most batches have none.
    """

    summary: str = ""
    bullets: list[DraftBullet] = Field(default_factory=list)
    facts: list[DraftFact] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """One chat's messages of one local day, in order, to summarise."""

    messages: tuple[Message, ...]
    day: date
    zone: tzinfo
    language: str
    failing_since: datetime | None = None
    """Since when all summaries of this chat have failed; None if the last one succeeded."""
    ended: bool = False
    """Whether these are the last messages of a session that has ended."""
    rules: tuple[str, ...] = ()
    """The owner's rules for Sam; one of them may forbid that something is written down."""


class Summarise(Protocol):
    """Messages → a draft. Raises SamError if it fails for now; it is tried again later."""

    @property
    def mark(self) -> str:
        """Return the remark for the section on how it was made; '' for none."""
        ...

    async def __call__(self, request: SummaryRequest) -> SummaryDraft:
        """Return the draft; its numbers refer to `request.messages`, from 1."""
        ...
