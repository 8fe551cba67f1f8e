"""A fact as a model proposes it, before it is checked."""

from __future__ import annotations

from pydantic import BaseModel, Field

RULE = "rule"
CATEGORIES = ("biographical", "preference", "task", "relationship", "contextual")
"""The categories of facts; each is a note, knowledge/NAME.md."""

LOG = "log"
LOG_DAYS = 30  # the life of a line of the log, where nobody said until when

FILES = {**{name: f"{name}.md" for name in CATEGORIES}, RULE: "rules.md"}
"""Category → its note in knowledge/."""


class DraftFact(BaseModel):
    """One proposed fact. `messages`: the numbers (from 1) of those that say it; `quote`: a passage
    of one of them; `expires`: the first day on which it is no longer so, "" for none.

    A wrong category or day is not an error here: `ground` refuses the fact, and keeps the others.
    """

    text: str
    category: str = Field(json_schema_extra={"enum": [*CATEGORIES, RULE]})
    messages: list[int] = Field(default_factory=list)
    quote: str = ""
    confidence: float = 0.9
    expires: str = ""
