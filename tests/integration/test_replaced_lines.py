"""A line is found by the words of the archived line that it replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory import Memory, Said
from memory.knowledge import Decision
from memory.tools import MemoryTools
from memory.trust.provenance import Provenance
from tests.support.fresh_index import chunks, fresh
from tests.support.knowledge import ScriptedDecisions, learn_facts
from tests.support.memories import Clock, opened, write


async def remember(memory: Memory, *texts: str) -> None:
    """Have them remembered one after the other, as /remember does."""
    for number, text in enumerate(texts, 1):
        seen = Provenance(own_this_turn=[text], own=[text], shown=[text], asked=[number])
        await MemoryTools(memory, seen=seen).save_memory(text, source="owner")


async def test_a_remembered_line_answers_what_the_line_that_it_replaced_answered(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        await remember(memory, "I live in Berlin", "I moved to Lisbon")
        [hit] = (await memory.recall("Where do I live?")).hits
        assert "Lisbon" in hit.text and "Berlin" not in hit.text
        await remember(memory, "I moved to Rome")  # which has replaced both
        [hit] = (await memory.recall("Where do I live?")).hits
        assert (
            "Rome" in hit.text and hit.heading == "~~I moved to Lisbon; I live in Berlin~~ > Memory"
        )
        assert await chunks(memory.index) == await chunks(await fresh(memory, tmp_path / "aside"))
        last = await memory.history.last()
        assert last is not None
        await memory.history.undo(last.key)
        [hit] = (await memory.recall("Where do I live?")).hits
        assert "Lisbon" in hit.text and "Rome" not in hit.text
        assert await chunks(memory.index) == await chunks(await fresh(memory, tmp_path / "again"))


async def test_the_owner_may_edit_and_remove_what_a_line_replaced(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await remember(memory, "I live in Berlin", "I moved to Lisbon")
        archived = tmp_path / "vault/archive/MEMORY.md"
        text = archived.read_text("utf-8")
        archived.write_text(text.replace("live in", "have my home in"), "utf-8")
        await memory.reconcile()
        assert not (await memory.recall("Where do I live?")).hits
        assert (await memory.recall("Where is my home?")).hits
        archived.unlink()
        await memory.reconcile(["archive/MEMORY.md"])
        assert not (await memory.recall("Where is my home?")).hits


@pytest.mark.parametrize("mark", ["Berlin #sam/sensitive", "Berlin (privacy:: sensitive)"])
async def test_a_private_line_is_not_found_by_what_replaced_it(tmp_path: Path, mark: str) -> None:
    async with opened(tmp_path) as memory:
        await remember(memory, "I live in Berlin")
        text = await memory.vault.read("MEMORY.md")
        write(tmp_path, "MEMORY.md", text.replace("Berlin", mark))
        await remember(memory, "I moved to Lisbon")
        assert "Berlin" in await memory.vault.read("archive/MEMORY.md")
        assert not (await memory.recall("Where do I live?")).hits


async def test_a_fact_is_found_by_the_words_of_the_fact_that_it_replaced(tmp_path: Path) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        await learn_facts(memory, "Siemens has been my employer since May", "The cat likes tuna")
        old = next(f for f in await memory.knowledge.facts() if "Siemens" in f.fact.text)
        clock.forward(days=20)
        decide = ScriptedDecisions(Decision("update", old.fact.id))
        await learn_facts(memory, "Bosch hired me away from Siemens in May", decide=decide)
        [hit] = (await memory.recall("Who is my employer?", kinds=("fact",))).hits
        assert hit.text == "Bosch hired me away from Siemens in May"


@pytest.mark.parametrize(
    ("edited", "first"),
    [
        ("my locker code is 4411", "i meant 4412"),
        ("my locker code is 4499", "4499"),  # the owner's edit is newer
    ],
)
async def test_what_was_remembered_is_corrected_by_the_next_message(
    tmp_path: Path, edited: str, first: str
) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        write(tmp_path, "MEMORY.md", "# Memory\n\n%%\nWhat to keep.\n%%\n")
        for text in ("my locker code is 4411", "my plumber is Joe"):
            said = Said(text, "terminal", f"remember that {text}", clock.now)
            asked = await memory.log.messages.command(said)
            seen = Provenance(own_this_turn=[text], own=[text], shown=[text], asked=[asked.id])
            await MemoryTools(memory, seen=seen).save_memory(text, source="owner")
            clock.forward(minutes=1)
            if text.endswith("4411"):
                meant = Said("meant", "terminal", "i meant 4412", clock.now)
                await memory.log.messages.begin(meant)
        note = await memory.vault.read("MEMORY.md")
        write(tmp_path, "MEMORY.md", note.replace("my locker code is 4411", edited))
        memory.changed(["MEMORY.md"])
        await memory.catch_up()
        hits = (await memory.recall("what is my locker code?")).hits
        assert first in hits[0].text
        assert all((hit.until is None) == ("4411" not in hit.text) for hit in hits)
        [plumber] = [h for h in (await memory.recall("plumber")).hits if h.kind == "memory"]
        assert plumber.until is None and "Joe" in plumber.text
