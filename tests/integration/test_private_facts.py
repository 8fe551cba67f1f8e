"""Facts that are private by their note, heading or item: no model sees them, wherever they go."""

from __future__ import annotations

from pathlib import Path

from memory.tools import MemoryTools
from tests.support.memories import opened, write


async def test_a_heading_and_an_item_make_the_facts_below_them_private(tmp_path: Path) -> None:
    write(
        tmp_path,
        "knowledge/health.md",
        "# Health\n\n## For me #sam/sensitive\n\n- Takes lithium ^a1\n\n## Sport\n\n- Runs ^a2\n"
        "- Doctors (privacy:: sensitive) ^a3\n  - Sees Dr. Ruiz ^a4\n- Swims ^a5\n",
    )
    async with opened(tmp_path) as memory:
        listed = await MemoryTools(memory).list_facts()
        assert {fact.id for fact in listed.data.facts} == {"a2", "a5"}
        every = await memory.knowledge.facts(private=True)
    assert {each.fact.id for each in every if each.private} == {"a1", "a3", "a4"}
