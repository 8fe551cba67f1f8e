"""Decide by Haiku what new facts do to the known ones: one call for all facts of a batch.

It implements `Decide` of memory.knowledge. The model only chooses: it is given the new statements
and letters for the known ones, and what is written is the statement itself. docs/dev/prompts.md
says why each sentence of the prompt is there.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from pydantic import BaseModel, Field

from memory import Clock, Decision, Proposal, decide_by_rules
from memory.text import disarm

from ...claude.client import Claude
from ...errors import AnswerUnusable, BudgetSpent, ModelDeclined, ModelDown, ModelRefused
from ...prompt.prompt_files import is_chinese, parts

log = logging.getLogger(__name__)

PATIENCE = timedelta(hours=6)  # facts wait at most so long for a model that is down
MAX_TOKENS = 4_000  # thinking included


class Choice(BaseModel):
    """What becomes of the new statement with that number."""

    statement: int
    action: Literal["add", "keep", "update", "delete", "contradict"]
    known: str = ""


class Choices(BaseModel):
    """One choice for each new statement."""

    choices: list[Choice] = Field(default_factory=list)


class DecideByModel:
    """`Decide` by a model, or by plain rules without one."""

    def __init__(self, claude: Claude | None, clock: Clock, *, model: str) -> None:
        self._claude, self._clock, self._model = claude, clock, model

    async def __call__(self, proposals: Sequence[Proposal], since: datetime) -> dict[int, Decision]:
        """Raises ModelDown or ModelRefused while waiting for a model makes sense."""
        if self._claude is not None:
            try:
                return await self._by_model(self._claude, proposals)
            except (BudgetSpent, ModelDeclined, AnswerUnusable) as why:
                log.info("facts are merged without a model: %s", why)
            except (ModelDown, ModelRefused) as why:
                if self._clock() - since < PATIENCE:
                    raise
                log.warning("facts are merged without a model since=%s: %s", since, why)
        return await decide_by_rules(proposals, since)

    async def _by_model(self, claude: Claude, proposals: Sequence[Proposal]) -> dict[int, Decision]:
        chinese = is_chinese(each.found.text for each in proposals)
        (prompt,) = parts("decide", chinese=chinese)
        given = await claude.parse(
            self._model,
            prompt,
            format_proposals(proposals),
            Choices,
            max_tokens=MAX_TOKENS,
            purpose="facts",
        )
        by_number = dict(enumerate(proposals, 1))
        return {
            by_number[choice.statement].id: Decision(
                choice.action, choice.known.strip("[]^ ").lower() or None
            )
            for choice in given.choices
            if choice.statement in by_number
        }


def format_proposals(proposals: Sequence[Proposal]) -> str:
    """Format the new statements, each with the known ones below it: `   [f7k2mx] day text`."""
    rows = []
    for number, each in enumerate(proposals, 1):
        rows.append(f"{number}. ({each.found.day}) {_line(each.found.text)}")
        for known in each.nearest:
            day = f"{known.fact.updated} " if known.fact.updated else ""
            rows.append(f"   [{known.fact.id}] {day}{_line(known.fact.text)}")
    return "\n".join(rows)


def _line(text: str) -> str:
    return " ".join(disarm(text).split())
