"""The input and output of a summariser: a request, and a draft of a section."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo
from typing import Protocol, TypeVar

from pydantic import BaseModel, Field

from ..knowledge.draft import DraftFact
from ..log import Message

EARLIER = 8  # messages before those of a batch that show what these mean
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


Numbered = TypeVar("Numbered", DraftBullet, DraftFact)


class SummaryDraft(BaseModel):
    """The content of a summary; an empty `summary` without bullets means that nothing was worth
    keeping. `facts`: lasting facts that the owner stated; most batches have none.
    """

    summary: str = ""
    bullets: list[DraftBullet] = Field(default_factory=list)
    facts: list[DraftFact] = Field(default_factory=list)

    def of_batch(self) -> SummaryDraft:
        """Return the draft without bullets and facts that cite only messages before the batch."""

        def own(items: Sequence[Numbered]) -> list[Numbered]:
            return [item for item in items if any(number > 0 for number in item.messages)]

        return self.model_copy(update={"bullets": own(self.bullets), "facts": own(self.facts)})

    def own_facts(self) -> list[DraftFact]:
        """Return the facts, each by the messages of the batch alone: what earlier ones say may have
        been forgotten or deleted since, and they are not among its sources."""
        return [
            fact.model_copy(update={"messages": [number for number in fact.messages if number > 0]})
            for fact in self.facts
        ]

    def renumbered(self, by: int) -> SummaryDraft:
        """Return the draft with all numbers of messages larger by so much."""

        def moved(items: Sequence[Numbered]) -> list[Numbered]:
            return [
                item.model_copy(update={"messages": [number + by for number in item.messages]})
                for item in items
            ]

        return self.model_copy(update={"bullets": moved(self.bullets), "facts": moved(self.facts)})


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
    before: tuple[Message, ...] = ()
    """The last messages before these, which earlier batches have: "make that six" means nothing on
    its own."""

    @property
    def shown(self) -> tuple[Message, ...]:
        """The messages before these, and these."""
        return (*self.before, *self.messages)

    def halves(self) -> tuple[SummaryRequest, SummaryRequest]:
        """Return two requests for the first and the second half of the messages; before the second
        are those of the first."""
        middle = (len(self.messages) + 1) // 2
        first, second = self.messages[:middle], self.messages[middle:]
        before = (*self.before, *first)[-EARLIER:]
        return replace(self, messages=first, ended=False), replace(
            self, messages=second, before=before
        )


class Summarise(Protocol):
    """Messages → a draft. Raises SamError if it fails for now; it is tried again later."""

    @property
    def mark(self) -> str:
        """Return the remark for the section on how it was made; '' for none."""
        ...

    async def __call__(self, request: SummaryRequest) -> SummaryDraft:
        """Return the draft; its numbers refer to `request.messages`, from 1, and to
        `request.before`, of which the last one has the number 0."""
        ...
