"""The input and output of a summariser: a request, and a draft of a section."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Protocol

from pydantic import BaseModel, Field

from ..knowledge.draft import DraftFact
from ..log import Message

PARTS = ("goal", "done", "next")
"""What a session was for, what came of it, and what is left: lines of the summary at its end."""

IMPORT = "import"
"""The reason of a run that summarises one batch of an imported chat, instead of live ones."""


class DraftBullet(BaseModel):
    """One thing worth keeping, and the numbers of the messages that say it (from 1).

    `quote`: a passage of one of them; without one the text has to stand there itself. `part`: one
    of PARTS, or "".
    """

    text: str
    messages: list[int] = Field(default_factory=list)
    quote: str = ""
    action: bool = False
    part: str = Field(default="", json_schema_extra={"enum": ["", *PARTS]})


class SummaryDraft(BaseModel):
    """What a summary holds; an empty `summary` without bullets: nothing worth keeping. `facts`:
    what the owner said that is worth knowing for longer; most batches hold none."""

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
    """Since when this chat's summaries have failed without a success; None: they have not."""
    ended: bool = False
    """Whether these are the last messages of a session that has ended."""


class Summarise(Protocol):
    """Messages → a draft. Raises SamError when it cannot for now; it is tried again later."""

    @property
    def mark(self) -> str:
        """The remark in the section on how it was made; '' for none."""
        ...

    async def __call__(self, request: SummaryRequest) -> SummaryDraft:
        """The draft; its numbers point into `request.messages`, from 1."""
        ...
