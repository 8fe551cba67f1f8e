"""Facts that are private by their note, heading or item: no model sees them, wherever they go."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from memory.tools import MemoryTools
from tests.support.knowledge import archived, facts_of, learn_facts
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


async def test_what_is_archived_or_merged_from_a_private_note_stays_private(tmp_path: Path) -> None:
    for privacy in ("sensitive", "sealed"):
        write(
            tmp_path,
            f"knowledge/{privacy}.md",
            f"---\nprivacy: {privacy}\n---\n\n"
            f"- Takes lithium (updated:: 2026-01-05) (expires:: 2026-02-11) ^{privacy}1\n"
            f"- Saw Dr. Ruiz (updated:: 2026-01-05) (kind:: log) ^{privacy}2\n"
            f"- Saw Dr. Lobo (updated:: 2026-01-06) (kind:: log) ^{privacy}3\n",
        )
    sealed = (tmp_path / "vault/knowledge/sealed.md").read_text("utf-8")
    async with opened(tmp_path) as memory:
        done = await memory.knowledge.maintain()
        assert (done.expired, done.merged) == (1, 2)
        tools = MemoryTools(memory)
        for day in ("", "2026-01-10", "2026-02-12"):
            assert (await tools.list_facts(as_of=day)).data.facts == []
        past = await memory.history.as_of(date(2026, 1, 10), day_of=memory.today)
    assert {each.known.path for each in past} >= {"archive/knowledge/sensitive.md"}, "for the owner"
    assert (tmp_path / "vault/knowledge/sealed.md").read_text("utf-8") == sealed
    assert archived(tmp_path, "sealed") == [], "its copy would be open"
    [merged] = facts_of(tmp_path, "contextual")
    assert "#sam/sensitive" in merged


async def test_a_private_fact_that_is_said_again_gets_no_open_line(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "Takes lithium every morning")
        note = tmp_path / "vault/knowledge/biographical.md"
        note.write_text(note.read_text("utf-8").replace(" ^", " #sam/sensitive ^"), "utf-8")
        await learn_facts(memory, "Takes lithium every morning")
        assert (await MemoryTools(memory).list_facts()).data.facts == []
    assert len(facts_of(tmp_path)) == 1


async def test_a_new_line_is_added_before_a_private_section_at_the_end(tmp_path: Path) -> None:
    private = "\n\n## For me #sam/sensitive\n\n- Takes lithium\n"
    write(tmp_path, "MEMORY.md", f"# Memory\n\n- 2026-01-01: likes tea{private}")
    write(tmp_path, "knowledge/biographical.md", f"# Biographical{private}")
    async with opened(tmp_path) as memory:
        tools = MemoryTools(memory)
        await tools.save_memory("my bicycle stands in Anton's garage", "owner")
        await tools.save_memory("the alarm's code is my mother's day", "owner", privacy="sensitive")
        await learn_facts(memory, "I own a cat")
        assert "Anton's garage" in await tools.get_memory("MEMORY.md")
        assert [fact.text for fact in (await tools.list_facts()).data.facts] == ["I own a cat"]
    text = (tmp_path / "vault/MEMORY.md").read_text("utf-8")
    first, bicycle, last = (text.index(word) for word in ("likes tea", "bicycle", "lithium"))
    assert first < bicycle < last < text.index("alarm"), "what is private may stand at the end"


async def test_a_known_fact_that_is_to_be_private_becomes_so(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        tools = MemoryTools(memory)
        await tools.save_memory("I have diabetes", kind="biographical")
        for _ in range(2):
            again = await tools.save_memory(
                "I have diabetes", "owner", kind="biographical", privacy="sensitive"
            )
            assert again.data.known
            assert (await tools.list_facts()).data.facts == []
        assert (await memory.knowledge.learn()).pinned == 0, "it is no edit of the owner's"
    [line] = facts_of(tmp_path)
    assert line.count("#sam/sensitive") == 1
