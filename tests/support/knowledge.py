"""Test doubles for knowledge/: a summariser that proposes a fact per message, and file readers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from memory.core import Memory
from memory.errors import SamError
from memory.knowledge import Decision, DraftFact, Proposal
from memory.summaries.draft import DraftBullet, SummaryDraft, SummaryRequest
from tests.support.memories import log_exchange

RULE = "(confidence:: 0.9) (evidence:: [[a]])"
"""What a proposed rule needs to be accepted."""
_ID = re.compile(r"\^([a-z0-9]+)$", re.MULTILINE)


class FactPerMessage:
    """Implement `Summarise`: each of the owner's messages becomes a bullet, and a fact.

    The text before a colon is the fact's category ("rule: …"); without it, the category is
    biographical.
    """

    mark = ""

    async def __call__(self, request: SummaryRequest) -> SummaryDraft:
        bullets, facts = [], []
        for number, message in enumerate(request.messages, 1):
            if message.role == "user":
                category, colon, text = message.text.partition(": ")
                bullets.append(DraftBullet(text=message.text, messages=[number]))
                facts.append(
                    DraftFact(
                        text=text if colon else message.text,
                        category=category if colon else "biographical",
                        messages=[number],
                        quote=message.text,
                    )
                )
        return SummaryDraft(summary="What was said", bullets=bullets, facts=facts)


class ScriptedDecisions:
    """Implement `Decide` with the given decisions, in order; record the proposals in `asked`."""

    def __init__(self, *given: Decision, fails: bool = False) -> None:
        self.given, self.fails, self.asked = given, fails, list[Sequence[Proposal]]()

    async def __call__(self, proposals: Sequence[Proposal], since: datetime) -> dict[int, Decision]:
        self.asked.append(proposals)
        if self.fails:
            raise SamError("no model today")
        return {each.id: one for each, one in zip(proposals, self.given, strict=False)}


async def learn_facts(memory: Memory, *texts: str, decide: ScriptedDecisions | None = None) -> None:
    """Say the texts as the owner, summarise them, and consolidate the resulting facts."""
    for text in texts:
        await log_exchange(memory, text, "I see.")
    await memory.summarise(FactPerMessage(), reason="asked")
    if decide is not None:
        await memory.knowledge.consolidate(decide)
    else:
        await memory.knowledge.consolidate()


def facts_of(folder: Path, name: str = "biographical") -> list[str]:
    """Return the fact lines of a note in knowledge/, with block ids replaced by ^ID."""
    return _lines(folder / "vault" / "knowledge" / f"{name}.md")


def archived(folder: Path, name: str = "biographical") -> list[str]:
    """Return the fact lines of a note in archive/knowledge/, with block ids replaced by ^ID."""
    return _lines(folder / "vault" / "archive" / "knowledge" / f"{name}.md")


def ids_of(folder: Path, name: str = "biographical") -> list[str]:
    """Return the block ids of a note in knowledge/, in order."""
    return _ID.findall((folder / "vault" / "knowledge" / f"{name}.md").read_text("utf-8"))


def _lines(file: Path) -> list[str]:
    if not file.exists():
        return []
    rows = [row for row in file.read_text("utf-8").splitlines() if row.startswith("- ")]
    return [re.sub(r"\^[a-z0-9]{6,8}", "^ID", row) for row in rows]
