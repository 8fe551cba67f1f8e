"""What a batch that is summarised again may not change: what the owner deleted, what was said
later."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from memory.core import Memory
from memory.knowledge import DraftFact
from memory.maintenance.edited_messages import revert_outdated
from memory.summaries.draft import SummaryDraft, SummaryRequest
from tests.support.knowledge import facts_of
from tests.support.memories import Clock, log_exchange, opened

pytestmark = pytest.mark.usefixtures("engine")


class Quoting:
    """Implement `Summarise`: each of the texts is a fact wherever its quote occurs."""

    mark = ""

    def __init__(self, facts: Mapping[str, str]) -> None:
        self.facts = facts  # quote → text

    async def __call__(self, request: SummaryRequest) -> SummaryDraft:
        found = [
            DraftFact(text=text, category="biographical", messages=[number], quote=quote)
            for number, message in enumerate(request.messages, 1)
            for quote, text in self.facts.items()
            if message.role == "user" and quote in message.text
        ]
        return SummaryDraft(summary="What was said", facts=found)


async def summarise(memory: Memory, *texts: str, facts: Mapping[str, str]) -> None:
    """Say the texts, a minute apart, summarise what is pending, and write the facts."""
    for text in texts:
        memory.clock.forward(minutes=1)  # type: ignore[attr-defined]
        await log_exchange(memory, text, "I see.")
    await memory.summarise(Quoting(facts), reason="asked")
    await memory.knowledge.consolidate()


async def edit(memory: Memory, old: str, new: str) -> None:
    """Edit a message, so that its batch is summarised again."""
    memory.clock.forward(minutes=1)  # type: ignore[attr-defined]
    said = [row.text for row in await memory.log.messages.recent(99)]
    await memory.log.messages.edit(f"test:{said.index(old)}", new, memory.clock())
    assert await revert_outdated(memory) == 1


def texts_of(folder: Path) -> list[str]:
    return [row[2:].partition(" (")[0] for row in facts_of(folder)]


CAT = "I own a cat called Tom and my rent is 900 euros"


async def test_a_deleted_fact_does_not_return_in_other_words(tmp_path: Path) -> None:
    said = {"cat called Tom": "owns a cat called Tom", "rent is 900": "rent is 900 euros"}
    async with opened(tmp_path, clock=Clock()) as memory:
        await summarise(memory, CAT, "I like green tea", facts=said)
        note = tmp_path / "vault" / "knowledge" / "biographical.md"
        rows = [row for row in note.read_text("utf-8").splitlines() if "Tom" not in row]
        note.write_text("\n".join([*rows, ""]), "utf-8")
        await memory.knowledge.learn()
        await edit(memory, "I like green tea", "I like black tea")
        again = said | {"cat called Tom": "has a cat called Tom", "black tea": "likes black tea"}
        await summarise(memory, facts=again)
        assert texts_of(tmp_path) == ["Rent is 900 euros", "Likes black tea"]
        # What he says since then is new.
        await edit(memory, CAT, "I own a dog called Rex and my rent is 900 euros")
        await summarise(memory, facts=again | {"dog called Rex": "owns a dog called Rex"})
        assert sorted(texts_of(tmp_path)) == [
            "Likes black tea",
            "Owns a dog called Rex",
            "Rent is 900 euros",
        ]
        again = {"a cat called Tom": "has a cat called Tom"}
        await summarise(memory, "I have a cat called Tom again", facts=again)
        assert "Has a cat called Tom" in texts_of(tmp_path)


async def test_an_older_value_of_the_same_day_does_not_replace_a_newer_one(tmp_path: Path) -> None:
    said = {"rent is 900": "rent is 900 euros", "rent is 950": "rent is 950 euros"}
    async with opened(tmp_path, clock=Clock()) as memory:
        await summarise(memory, "My rent is 900 euros", "I like green tea", facts=said)
        await summarise(memory, "My rent is 950 euros now", facts=said)
        await edit(memory, "I like green tea", "I like black tea")
        await summarise(memory, facts=said)
        assert texts_of(tmp_path) == ["Rent is 950 euros"]
        await summarise(memory, "My rent is 900 euros again", facts=said)
        assert texts_of(tmp_path) == ["Rent is 900 euros"]
