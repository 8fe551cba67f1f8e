"""A fact as proposed by a model, before it is checked."""

from __future__ import annotations

from pydantic import BaseModel, Field

from ..notes.fact import CATEGORIES, RULE

LOG = "log"
LOG_DAYS = 30  # the lifetime of a log line without a stated end

FILES = {**{name: f"{name}.md" for name in CATEGORIES}, RULE: "rules.md"}
"""Category → its note in knowledge/."""


class DraftFact(BaseModel):
    """One proposed fact. `messages`: the numbers (from 1) of its sources; `quote`: a passage of one
    of them; `expires`: the first day on which it is no longer true, "" for none.

    An invalid category or day is not an error here: `ground` rejects only that fact.
    """

    text: str
    category: str = Field(json_schema_extra={"enum": [*CATEGORIES, RULE]})
    messages: list[int] = Field(default_factory=list)
    quote: str = ""
    confidence: float = 0.9
    expires: str = ""
